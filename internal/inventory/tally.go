package inventory

import (
	"strings"

	"muster/internal/kind"
	"muster/internal/message"
)

// ToldTally returns what a message says of the changes of a field: its name, and of a collection what became of how
// many items.
func ToldTally(t *kind.Tally, items bool) message.Text {
	field := message.Word(strings.ToLower(kind.Words(t.Field)))
	if !items {
		return message.New("%s", field)
	}
	var parts []message.Text
	if t.Added > 0 {
		parts = append(parts, message.New("%d added", t.Added))
	}
	if t.Removed > 0 {
		parts = append(parts, message.New("%d removed", t.Removed))
	}
	if t.Changed > 0 {
		parts = append(parts, message.New("%d changed", t.Changed))
	}
	return message.New("%s %s", field, message.Joined(parts, ", "))
}

// ReadTally returns the tally that ToldTally made a text of.
func ReadTally(text message.Text, k *kind.Schema) *kind.Tally {
	t := &kind.Tally{}
	if len(text.Args) > 0 {
		field, _ := text.Args[0].(message.Word)
		t.Field = FieldCalled(k, string(field))
	}
	if len(text.Args) > 1 {
		items, _ := text.Args[1].(message.Text)
		for _, arg := range items.Args {
			if one, ok := arg.(message.Text); ok {
				count(t, one)
			}
		}
	}
	return t
}

// count adds what became of some items to a tally.
func count(t *kind.Tally, text message.Text) {
	n, ok := text.Args[0].(int64)
	if !ok {
		return
	}
	switch text.Format {
	case "%d added":
		t.Added = int(n)
	case "%d removed":
		t.Removed = int(n)
	case "%d changed":
		t.Changed = int(n)
	}
}

// FieldCalled returns the name of the field that messages describe by these words.
func FieldCalled(k *kind.Schema, words string) string {
	for _, f := range k.Fields {
		if strings.EqualFold(kind.Words(f.Name), words) {
			return f.Name
		}
	}
	return strings.ReplaceAll(words, " ", "-")
}
