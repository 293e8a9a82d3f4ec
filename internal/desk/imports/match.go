package imports

import (
	"slices"
	"strings"
	"unicode"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
)

// Kinds returns the kinds whose records can be imported: those that people
// make, in the order of the entry point.
func Kinds() []*kind.Schema {
	return slices.DeleteFunc(inventory.Served(), func(k *kind.Schema) bool {
		return k.Given || k.Stored() != k ||
			k.Parent() != nil
	})
}

// Kind returns the kind of that name: of a record or of several, in
// addresses or as people call it.
func Kind(name string) (*kind.Schema, error) {
	var names []string
	for _, k := range Kinds() {
		if slices.Contains([]string{bare(k.Item), bare(k.Plural), bare(k.Noun), bare(k.Noun) + "s"}, bare(name)) {
			return k, nil
		}
		names = append(names, k.Noun)
	}
	return nil, desk.Refuse(desk.NotFound, "there is no kind %q to import: it is one of %s", name,
		strings.Join(names, ", "))
}

// Fields returns the fields of a kind that a column can be: those that
// clients may set, of collections that people keep those of a part, and those that
// say which record is meant.
func Fields(k *kind.Schema) (fields []*kind.Field) {
	parts := partLists(k)
	for _, f := range k.Fields {
		switch {
		case slices.Contains(parts, f):
			fields = append(fields, f.Items.Fields...)
		case f.Editable() && (f.Type != kind.List || f.Targets != nil) || isKeyAlone(f):
			fields = append(fields, f)
		}
	}
	return fields
}

// isKeyAlone reports whether a column can say by a field which record is meant,
// but not set it.
func isKeyAlone(f *kind.Field) bool { return f.Type == kind.ID || f.ReadOnly && f.Name == "number" }

// bare returns a name without what different spellings differ in.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// Field returns the field that a column is called like: by its label, or by
// its name in documents, addresses or messages, in any case, and of a part with what
// that is called; nil for none.
func Field(k *kind.Schema, name string) *kind.Field {
	want := bare(name)
	for _, f := range Fields(k) {
		if want != "" && slices.Contains(columnNames(k, f), want) {
			return f
		}
	}
	return nil
}

// MatchColumns returns the field of each column, by its name; nil where there is
// none, or a column before has it.
func MatchColumns(k *kind.Schema, columns []string) []*kind.Field {
	fields := make([]*kind.Field, len(columns))
	for i, name := range columns {
		if f := Field(k, name); f != nil && !slices.Contains(fields, f) {
			fields[i] = f
		}
	}
	return fields
}

// naturalKeys are the fields by which records of a kind are usually recognised,
// the best first, where that is something else than what no two records share.
// Others can be chosen; ids and numbers are not taken unless
// somebody says so, since those of another program would be others' here.
var naturalKeys = map[*kind.Schema][]string{
	inventory.Computers.Schema:   {"asset-id", "serial-number", "name"},
	inventory.Printers.Schema:    {"asset-id", "serial-number", "name"},
	inventory.OtherAssets.Schema: {"asset-id", "serial-number"},
	inventory.Softwares.Schema:   {"name+version+manufacturer"},
	inventory.Contracts.Schema:   {"name"},
	inventory.Solutions.Schema:   {"name"},
}

// UsualKeys returns by what the records of a kind are usually recognised, the best
// first.
func UsualKeys(k *kind.Schema) (keys []string) {
	if own := naturalKeys[k]; own != nil {
		return slices.Clone(own)
	}
	for _, f := range k.Fields {
		if f.Unique && f.Type == kind.Text && f.Editable() {
			keys = append(keys, f.Name)
		}
	}
	return keys
}

// NumberKey returns the key that is the number or the id of a record, if a column is
// one, "" for none. It is for people to choose.
func NumberKey(columns []*kind.Field) string {
	for _, f := range columns {
		if f != nil && isKeyAlone(f) {
			return f.Name
		}
	}
	return ""
}

// Keys returns by what the records of a kind can be recognised.
func Keys(k *kind.Schema) (keys []string) {
	keys = UsualKeys(k)
	for _, name := range []string{"name", "number", "id"} {
		if k.Field(name) != nil && !slices.Contains(keys, name) && k.Together == nil || name == "id" {
			keys = append(keys, name)
		}
	}
	return keys
}

// KeyFields returns the fields of a key, which is one of ImportKeys in any
// spelling; none for "".
func KeyFields(k *kind.Schema, key string) (fields []*kind.Field, err error) {
	if key == "" {
		return nil, nil
	}
	for _, known := range Keys(k) {
		if bare(known) == bare(key) {
			for _, name := range strings.Split(known, "+") {
				fields = append(fields, k.Field(name))
			}
			return fields, nil
		}
	}
	return nil, &kind.Invalid{
		Faults: []message.Text{
			message.New("records cannot be recognised by %q: the key is one of %s", key, strings.Join(Keys(k), ", ")),
		},
	}
}

// UsualKey returns the best key for columns of the given fields, "" for none.
func UsualKey(k *kind.Schema, columns []*kind.Field) string {
	for _, key := range UsualKeys(k) {
		fields, err := KeyFields(k, key)
		if err == nil && !slices.ContainsFunc(fields,
			func(f *kind.Field) bool { return !slices.Contains(columns, f) }) {
			return key
		}
	}
	return ""
}
