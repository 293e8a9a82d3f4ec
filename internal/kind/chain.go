package kind

import (
	"slices"
	"strconv"
	"strings"
)

// Chained makes records of the kind append-only: each is stored with a hash over
// its content and over the hash of the one before, so that whatever is changed,
// removed or put in later can be found.
func (fs *Fields) Chained() { fs.schema.Chained = true }

// A Tied is the id of a record that another one is about.
type Tied struct{ ID Int }

// Ties declares the ids of records that a record is about, for lists that ask by
// Tie. They are stored with the record, shown in no document, and stay when what
// they name is gone.
func Ties(fs *Fields, plural, item string, p *[]Tied) Option {
	o := Many(fs, plural, item, p, func(t *Tied, f *Fields) { f.Int("id", &t.ID) })
	o.f.Tied = true
	return o.Hidden()
}

// Tied returns where the value of a field that Ties declared is.
func (v Values) Tied(f *Field) *[]Tied {
	if !f.Tied {
		v.mismatch(f, List)
	}
	return (*[]Tied)(v.at(f, List))
}

// Tie returns the condition that a record is about the one with the given id.
func (f *Field) Tie(id int64) Tie {
	return Tie{Table: f.TieTable(), Own: "id", Other: "tied_id", ID: id}
}

// TieTable returns the name of the table with the ids.
func (f *Field) TieTable() string { return f.schema.Path() + "_" + f.Column() }

// canonicalFields returns the fields that are a record's content, by name. The
// time of change follows from that of creation where records never change.
func (s *Schema) canonicalFields() (fields []*Field) {
	for _, f := range s.Fields {
		stamp := s.meta != nil && f.Name == "updated-at"
		if !stamp && (f.Stored() || f.Packed() || f.Type == ID) {
			fields = append(fields, f)
		}
	}
	slices.SortFunc(fields, func(a, b *Field) int { return strings.Compare(a.Name, b.Name) })
	return fields
}

// AppendCanonical appends the content of a record in the form that is hashed:
// a line "name=length:value" for each field with a value, in the order of the
// names; of a reference the id, of a collection its items in that form, each
// with its length. It is the same on every database, and fields that a kind
// gets later leave it as it is for the records before. It is never changed.
func (s *Schema) AppendCanonical(b []byte, rec any) []byte { return s.Values(rec).canonical(b) }

func (v Values) canonical(b []byte) []byte {
	for _, f := range v.schema.canon {
		start := len(b)
		b = append(append(b, f.Name...), '=')
		value := len(b)
		if b = v.content(b, f); len(b) == value {
			b = b[:start]
			continue
		}
		b = append(sized(b, value), '\n')
	}
	return b
}

// content appends the value of a field as it is hashed, nothing for null.
func (v Values) content(b []byte, f *Field) []byte {
	switch f.Type {
	case PersonRef, RecordRef:
		if id, null := v.number(f); !null {
			b = strconv.AppendInt(b, id, 10)
		}
		return b
	case List:
		l := v.list(f)
		for i := range l.n {
			start := len(b)
			b = sized(l.item(i).canonical(b), start)
		}
		return b
	}
	return append(b, v.Format(f)...)
}

// sized puts the length of the text from an offset on in front of it.
func sized(b []byte, from int) []byte {
	var room [20]byte
	return slices.Insert(b, from, append(strconv.AppendInt(room[:0], int64(len(b)-from), 10), ':')...)
}
