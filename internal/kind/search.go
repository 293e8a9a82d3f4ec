package kind

import (
	"iter"
	"strconv"
	"strings"
)

// A Search is what a list looks for in the texts of records. What its words are
// is the store's to say.
type Search struct {
	Text   string   // as typed: all its words must be found, the last as the beginning of one
	Beside []Beside // looked into too
	// Limited leaves out texts that are for staff alone.
	Limited bool
}

// A Beside is a kind whose records a search looks into as if they were part of
// the record that they refer to.
type Beside struct {
	Kind   *Schema
	Ref    *Field // by which they refer to it
	Either []Cond // one of them must hold for those that are looked into, if there are any
}

// Unsearched keeps a text, or a collection with all its texts, out of the
// search.
func (o Option) Unsearched() Option { o.f.unsearched = true; return o }

// Searched lets the search find a record by a number.
func (o Option) Searched() Option { o.f.searched = true; return o }

// Searched is what the search looks at in records of a kind.
type Searched struct {
	schema *Schema
	texts  []*Field // for everybody, collections last
	staff  []*Field // for staff alone
}

// isSearched reports whether the search looks at a field: by itself at all
// texts of the record's own, but for those that are chosen from a list, which
// would be found in every other record.
func (f *Field) isSearched() bool {
	if f.Apart {
		return false
	}
	switch f.Type {
	case Text:
		return f.Stored() && !f.Hidden && f.OneOf == nil && !f.unsearched
	case Integer:
		return f.Stored() && f.searched
	case List:
		return f.Packed() && !f.unsearched && len(f.Items.Searched.texts) > 0
	}
	return false
}

// newSearched finds the fields that the search looks at.
func newSearched(s *Schema) *Searched {
	found := &Searched{schema: s}
	var lists []*Field
	for _, f := range s.Fields {
		switch {
		case !f.isSearched():
		case f.Staff:
			found.staff = append(found.staff, f)
		case f.Type == List:
			lists = append(lists, f)
		default:
			found.texts = append(found.texts, f)
		}
	}
	found.texts = append(found.texts, lists...)
	return found
}

// Texts returns the texts of a record that the search looks at for everybody.
// Those of collections come last.
func (s *Searched) Texts(rec any) iter.Seq[string] {
	return func(yield func(string) bool) { s.yield(s.schema.Values(rec), yield) }
}

// yield hands out the texts, and reports whether more are wanted.
func (s *Searched) yield(v Values, yield func(string) bool) bool {
	for _, f := range s.texts {
		switch f.Type {
		case Text:
			if text := *v.Text(f); text != "" && !yield(text) {
				return false
			}
		case Integer:
			if n := *v.Int(f); n.Valid && !yield(strconv.FormatInt(n.V, 10)) {
				return false
			}
		case List:
			l := v.list(f)
			for i := range l.n {
				if !f.Items.Searched.yield(l.item(i), yield) {
					return false
				}
			}
		}
	}
	return true
}

// StaffTexts returns the texts of a record that the search looks at for staff
// alone.
func (s *Searched) StaffTexts(rec any) iter.Seq[string] {
	return func(yield func(string) bool) {
		v := s.schema.Values(rec)
		for _, f := range s.staff {
			if text := *v.Text(f); text != "" && !yield(text) {
				return
			}
		}
	}
}

// HasStaffTexts reports whether there are such texts.
func (s *Searched) HasStaffTexts() bool { return len(s.staff) > 0 }

// inWords returns the names of the fields, for people.
func (s *Searched) inWords() string {
	var names []string
	for _, f := range s.texts {
		name := "`" + f.Name + "`"
		if f.Type == List {
			name += " (" + f.Items.Searched.inWords() + ")"
		}
		names = append(names, name)
	}
	for _, f := range s.staff {
		names = append(names, "`"+f.Name+"` (for staff)")
	}
	return strings.Join(names, ", ")
}

// Names returns the names of the fields, such as "name,bioses(ssn,version),notes(staff)".
func (s *Searched) Names() string {
	names := make([]string, len(s.texts))
	for i, f := range s.texts {
		names[i] = f.Name
		if f.Type == List {
			names[i] += "(" + f.Items.Searched.Names() + ")"
		}
	}
	for _, f := range s.staff {
		names = append(names, f.Name+"(staff)")
	}
	return strings.Join(names, ",")
}
