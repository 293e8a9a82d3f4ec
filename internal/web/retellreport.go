package web

import (
	"fmt"
	"strings"

	"muster/internal/kind"
)

// reported returns the message of a computer's first report, or of one with many
// changes, in the words of the person, if it is one: such a message counts its
// changes.
func (c *call) reported(k *kind.Schema, name string, changes []kind.Change, message string) (text string, ok bool) {
	switch {
	case strings.HasPrefix(message, "First report of "+name+": "):
		return c.t("First report of %s: %s", name, c.tallies(k, changes)), true
	case strings.HasPrefix(message, fmt.Sprintf("Report with %d changes: ", len(changes))):
		return c.tn(len(changes), "Report with %s change", "Report with %s changes") + ": " + c.tallies(k, changes), true
	}
	return "", false
}

// A tally counts the changes of one field.
type tally struct {
	field                   string
	added, removed, changed int
}

// tallies tells which fields have changed, and of collections how many items.
func (c *call) tallies(k *kind.Schema, changes []kind.Change) string {
	byField, fields := map[string]*tally{}, []*tally{}
	for _, change := range changes {
		t := byField[change.Field]
		if t == nil {
			t = &tally{field: change.Field}
			byField[change.Field], fields = t, append(fields, t)
		}
		switch {
		case change.From == "":
			t.added++
		case change.To == "":
			t.removed++
		default:
			t.changed++
		}
	}
	if len(fields) == 0 {
		return c.t("nothing new")
	}
	told := make([]string, len(fields))
	for i, t := range fields {
		told[i] = c.tally(k.Field(t.field), t)
	}
	return strings.Join(told, "; ")
}

// tally tells the changes of a field, which may be gone from the kind.
func (c *call) tally(f *kind.Field, t *tally) string {
	label := strings.ToLower(kind.Words(t.field))
	if f != nil {
		label = c.inside(c.label(f))
	}
	if f != nil && f.Type != kind.List {
		return label
	}
	var parts []string
	if t.added > 0 {
		parts = append(parts, c.t("%s added", c.number(t.added)))
	}
	if t.removed > 0 {
		parts = append(parts, c.t("%s removed", c.number(t.removed)))
	}
	if t.changed > 0 {
		parts = append(parts, c.t("%s changed", c.number(t.changed)))
	}
	return label + " " + strings.Join(parts, ", ")
}
