package kind

import (
	"slices"
	"strconv"
	"strings"
)

// A Change is one field, or one item of a nested collection, that differs
// between two states of a record. From and To are "" for null.
type Change struct{ Field, From, To string }

// A Diff is what changed between two states of a record, with a sentence for people per change. Hidden fields
// are in neither.
type Diff struct {
	Changes   []Change
	Sentences []string
}

// Diff compares two states of a record; either may be nil, for a record that
// is created or deleted.
func (s *Schema) Diff(old, rec any) Diff {
	var d Diff
	empty := s.many(1)[0]
	a, b := s.Values(orEmpty(old, empty)), s.Values(orEmpty(rec, empty))
	for _, f := range s.Fields {
		switch {
		case f.setsSecret(b) && old != nil && rec != nil:
			d.add(f.Name, "", "", f.Label+" changed")
		case f.Hidden || !f.compared() || a.Equal(f, b):
		case f.Type == List:
			d.lists(f, a.list(f), b.list(f))
		default:
			d.add(f.Name, a.Format(f), b.Format(f), f.sentence(a.show(f), b.show(f)))
		}
	}
	return d
}

func orEmpty(rec, empty any) any {
	if rec == nil {
		return empty
	}
	return rec
}

// Same reports whether the new state of a record is equal to the old one in all
// that is stored but the times of creation and change, and sets no secret.
func (s *Schema) Same(rec, old any) bool {
	v, w := s.Values(rec), s.Values(old)
	for _, f := range s.Fields {
		if f.compared() && !v.Equal(f, w) || f.setsSecret(v) {
			return false
		}
	}
	return true
}

// setsSecret reports whether a record sets a secret text.
func (f *Field) setsSecret(v Values) bool { return f.Secret && f.Type == Text && *v.Text(f) != "" }

// compared reports whether a difference in the field is a change: the store
// sets the id and the stamps itself.
func (f *Field) compared() bool {
	stamp := f.schema.meta != nil && (f.Name == "created-at" || f.Name == "updated-at")
	return f.Type != Link && f.Type != ID && !f.Computed && !f.Secret && !f.Kept && !f.Apart && f.Days == nil && !stamp
}

func (d *Diff) add(field, from, to, sentence string) {
	d.Changes = append(d.Changes, Change{field, from, to})
	d.Sentences = append(d.Sentences, sentence)
}

// MaxSentences is how many changes get their own sentence.
const MaxSentences = 50

// Message returns the sentences as one text. Of very many it has the first ones and the number of the others.
func (d *Diff) Message() string {
	if n := len(d.Sentences) - MaxSentences; n > 0 {
		return strings.Join(d.Sentences[:MaxSentences], "; ") + "; and " + strconv.Itoa(n) + " more changes"
	}
	return strings.Join(d.Sentences, "; ")
}

// Inner returns the sentences as they read inside another one.
func (d *Diff) Inner() string {
	parts := make([]string, len(d.Sentences))
	for i, sentence := range d.Sentences {
		parts[i] = inner(sentence)
	}
	return strings.Join(parts, ", ")
}

// sentence describes the change of a scalar.
func (f *Field) sentence(from, to string) string {
	switch {
	case from == "":
		return f.Label + " set to " + to
	case to == "":
		return f.Label + " cleared, was " + from
	}
	return f.Label + " changed from " + from + " to " + to
}

// show returns the value as people read it, cut when it is long.
func (v Values) show(f *Field) string { return f.Shown(v.Format(f)) }

// Shown returns a value in its document form as sentences show it: with its unit, and cut when it is long.
func (f *Field) Shown(text string) string {
	if text != "" && f.Unit != "" {
		text += " " + f.Unit
	}
	return clip(text)
}

// clip shortens a text for a sentence.
func clip(text string) string {
	return cut(strings.Join(strings.Fields(text), " "), 80)
}

// lists compares two states of a nested collection item by item. Items with the same key are one item that
// changed. A change of order alone is not listed by items, so it gets one sentence for the whole collection.
func (d *Diff) lists(f *Field, a, b list) {
	removed, added := unmatched(a, b)
	label := Words(f.Items.Noun)
	before := len(d.Changes)
	byKey := map[string][]int{}
	for _, j := range added {
		if key := f.itemKey(b.item(j)); key != "" {
			byKey[key] = append(byKey[key], j)
		}
	}
	changed := map[int]bool{}
	for _, i := range removed {
		old := a.item(i)
		key := f.itemKey(old)
		if len(byKey[key]) == 0 {
			d.add(f.Name, old.describe(), "", label+" removed: "+f.ItemName(old.show))
			continue
		}
		j := byKey[key][0]
		byKey[key], changed[j] = byKey[key][1:], true
		now := b.item(j)
		d.add(f.Name, old.describe(), now.describe(), label+" "+f.ItemName(old.show)+" changed: "+old.differences(now))
	}
	for _, j := range added {
		if now := b.item(j); !changed[j] {
			d.add(f.Name, "", now.describe(), label+" added: "+f.ItemName(now.show))
		}
	}
	if len(d.Changes) == before {
		d.add(f.Name, a.describe(), b.describe(), f.Label+" put in another order")
	}
}

// unmatched returns the items of a that are not in b, and those of b that are
// not in a; an item that stands twice counts twice.
func unmatched(a, b list) (removed, added []int) {
	count := map[string]int{}
	for j := range b.n {
		count[b.item(j).describe()]++
	}
	for i := range a.n {
		if text := a.item(i).describe(); count[text] > 0 {
			count[text]--
		} else {
			removed = append(removed, i)
		}
	}
	for j := b.n - 1; j >= 0; j-- {
		if text := b.item(j).describe(); count[text] > 0 {
			count[text]--
			added = append(added, j)
		}
	}
	slices.Reverse(added)
	return removed, added
}

// itemKey returns the key of an item among the others of its collection, "" when it has none.
func (f *Field) itemKey(item Values) string {
	var key strings.Builder
	for _, name := range f.Key {
		text := item.Format(f.Items.byName[name])
		if text == "" {
			return ""
		}
		key.WriteString(strconv.Quote(text))
	}
	return key.String()
}

// describe returns all values of an item in one text.
func (v Values) describe() string {
	b := make([]byte, 0, 256)
	for _, f := range v.schema.Fields {
		if !f.Hidden {
			b = v.appendNamed(b, f)
		}
	}
	return string(b)
}

// appendNamed appends a value behind its name to a description, if there is one.
func (v Values) appendNamed(b []byte, f *Field) []byte {
	text := v.Format(f)
	if text == "" {
		return b
	}
	if len(b) > 0 {
		b = append(b, ", "...)
	}
	return appendQuoted(append(append(b, f.Name...), ": "...), text)
}

// appendQuoted is strconv.AppendQuote, but faster with texts of nothing but
// ASCII, as most are.
func appendQuoted(b []byte, text string) []byte {
	start := len(b)
	b = append(b, '"')
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ' || c > '~':
			return strconv.AppendQuote(b[:start], text)
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

// Describe returns the values of some fields in one text, as sentences show those of items.
func (v Values) Describe(fields []*Field) string {
	b := make([]byte, 0, 256)
	for _, f := range fields {
		b = v.appendNamed(b, f)
	}
	return string(b)
}

func (l list) describe() string {
	var items []string
	for i := range l.n {
		items = append(items, l.item(i).describe())
	}
	return strings.Join(items, "; ")
}

// ItemName returns what people call an item of the collection, given how the value of each of its fields is
// shown: its name and version, otherwise its key, otherwise its first value.
func (f *Field) ItemName(show func(*Field) string) string {
	shown := func(name string) string {
		if of := f.Items.byName[name]; of != nil {
			return show(of)
		}
		return ""
	}
	if named := shown("name"); named != "" {
		return strings.TrimSpace(named + " " + shown("version"))
	}
	var words []string
	for _, name := range f.Key {
		if text := shown(name); text != "" && f.Items.byName[name].Type == Text { // a bare number says little
			words = append(words, text)
		}
	}
	for _, of := range f.Items.Fields {
		if text := show(of); text != "" && len(words) == 0 {
			words = []string{text}
		}
	}
	return strings.Join(words, " ")
}

// differences describes which values of an item changed.
func (v Values) differences(now Values) string {
	var out []string
	for _, f := range v.schema.Fields {
		if f.Type != Link && !f.Hidden && !v.Equal(f, now) {
			out = append(out, inner(f.sentence(v.show(f), now.show(f))))
		}
	}
	return strings.Join(out, ", ")
}

// inner returns a sentence as it reads inside another: without its capital,
// unless its first word is an abbreviation.
func inner(sentence string) string {
	if len(sentence) > 1 && sentence[1] >= 'A' && sentence[1] <= 'Z' {
		return sentence
	}
	return strings.ToLower(sentence[:1]) + sentence[1:]
}
