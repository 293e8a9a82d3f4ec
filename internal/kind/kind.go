// Package kind describes kinds of record.
//
// A kind is declared once, beside its Go struct, by a function that lists the fields in document order.
// Everything about fields is derived from that list: decoding and encoding of documents, validation, filters,
// the columns of a table, the sentences of the audit trail and the API reference. The kinds themselves do not
// belong here, but in package inventory; nor does SQL, which is in package store.
package kind

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// A Kind is a declared kind whose records are of type *T. It is for code that
// knows the kind; code that serves every kind alike takes a Schema.
type Kind[T any] struct {
	*Schema
	declare func(*T, *Fields)
}

// New returns an empty record with its defaults set.
func (k Kind[T]) New() *T { return k.Schema.New().(*T) }

// A Schema is a kind without its Go type. Records are passed to its methods as
// pointers to that type; another type is a programmer's mistake and panics.
type Schema struct {
	Item    string    // element of one record, such as "other-asset"
	Plural  string    // element of a list, such as "other-assets"
	Title   string    // name in the entry-point document
	Noun    string    // what people call a record, such as "computer"
	Nouns   string    // what people call several, such as "computers"
	Given   bool      // records are made by the service alone
	Fields  []*Field  // in document order
	Filters []*Filter // in order of declaration
	Chained bool      // records are added alone, each with a hash over it and the one before
	// Together are texts that no two records have all the same.
	Together []*Field

	Searched *Searched // what the search looks at
	Parts    *Parts    // nested collections as they are stored
	Counted  *Counted  // the one of which lists show a part, nil for none

	former   []string // fields that nested items, or collections that records, had in earlier versions
	byName   map[string]*Field
	lone     map[string]*Field // lists by the name of a lone item
	filters  map[string]*Filter
	typ      reflect.Type // pointer to the struct
	stored   *Schema      // that this one is an alias or a variant of, nil for itself
	alias    bool         // it has the same fields as the stored one
	parent   *Field       // the reference to the record that addresses begin with, nil for none
	meta     *Field       // the embedded Record, nil in nested items
	targets  []*Schema    // that linked records are of, in nested items
	derived  []*Field     // that follow from others and the present day
	byID     bool         // documents may say by id which record they mean
	view     *view        // nil when lists show all
	include  string       // the collection that documents include, "" for none
	includes []*Schema    // the kind with each collection that they may include
	canon    []*Field     // that are hashed, in their order
	settle   func(rec, old any)
	loaded   func(rec any)
	many     func(n int) []any
	clone    func(rec any) any
	single   [2]*Form // by format
	listed   [2]*Form
}

// A Record is embedded in the struct of every kind. The store sets its fields.
type Record struct {
	ID        int64
	Version   int64 // counts the changes of the record, from 1
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Define declares a kind. It runs declare once, on an empty record, and notes
// which struct field each pointer belongs to. It panics if a field is declared
// twice, is not in the struct, or a struct field is forgotten, so that a
// mistake cannot outlive the first test.
func Define[T any](item, plural, title string, declare func(*T, *Fields)) Kind[T] {
	k := define(item, plural, title, "", declare)
	including(k.Schema, declare)
	return k
}

// define declares a kind whose documents include a collection, "" for none.
func define[T any](item, plural, title, include string, declare func(*T, *Fields)) Kind[T] {
	s := &Schema{
		Item: item, Plural: plural, Title: title, Noun: strings.ReplaceAll(item, "-", " "), include: include,
		byName: map[string]*Field{}, lone: map[string]*Field{}, filters: map[string]*Filter{},
		typ:   reflect.TypeFor[*T](),
		many:  many[T],
		clone: func(rec any) any { c := *rec.(*T); return &c },
	}
	probe := new(T)
	fs := &Fields{schema: s, probe: reflect.ValueOf(probe).Elem(), left: leaves(reflect.TypeFor[T]())}
	declare(probe, fs)
	for _, name := range fs.left {
		panic(fmt.Sprintf("kind %s: struct field %s is not declared", item, name))
	}
	if s.Nouns == "" {
		s.Nouns = s.plural()
	}
	s.canon = s.canonicalFields()
	s.checkStaff()
	s.Searched, s.Parts = newSearched(s), newParts(s)
	for _, f := range []Format{XML, JSON} {
		s.single[f], s.listed[f] = newForm(s, f, true), newForm(s, f, false)
	}
	return Kind[T]{s, declare}
}

// plural returns what people call several records, by the element of a list where
// that of one is the noun.
func (s *Schema) plural() string {
	switch {
	case s.Noun == strings.ReplaceAll(s.Item, "-", " "):
		return strings.ReplaceAll(s.Plural, "-", " ")
	case strings.HasSuffix(s.Noun, "y"):
		return strings.TrimSuffix(s.Noun, "y") + "ies"
	}
	return s.Noun + "s"
}

// Alias declares another name of the kind, under which the same records are
// read and changed.
func (k Kind[T]) Alias(item, plural, title string) Kind[T] {
	a := Define(item, plural, title, k.declare)
	a.Noun, a.Nouns, a.stored, a.alias = k.Noun, k.Nouns, k.Schema, true
	return a
}

// AliasBelow declares the kind once more, with addresses that begin with those
// of another name of the records that it is below.
func (k Kind[T]) AliasBelow(parent *Schema) Kind[T] {
	a := k.Alias(k.Item, k.Plural, k.Title)
	a.parent.Target = parent
	return a
}

// Stored returns the kind that the records are stored as: itself, or the one
// that it is an alias of.
func (s *Schema) Stored() *Schema {
	if s.stored != nil {
		return s.stored
	}
	return s
}

// many returns n empty records that share one allocation.
func many[T any](n int) []any {
	recs, out := make([]T, n), make([]any, n)
	for i := range recs {
		out[i] = &recs[i]
	}
	return out
}

// leaves returns the struct fields that a declaration must name, by offset.
func leaves(t reflect.Type) map[uintptr]string {
	left := map[uintptr]string{}
	for i := range t.NumField() {
		left[t.Field(i).Offset] = t.Field(i).Name
	}
	return left
}

// Path is the name of the collection in addresses, and its table's.
func (s *Schema) Path() string { return underscored(s.Plural) }

// Parent returns the reference to the record that addresses begin with, nil for
// none.
func (s *Schema) Parent() *Field { return s.parent }

// PathOf returns the path of a record, without an extension.
func (s *Schema) PathOf(rec any) string {
	var parent int64
	if s.parent != nil {
		parent = s.Values(rec).Ref(s.parent).ID
	}
	return s.PathTo(s.Meta(rec).ID, parent)
}

// PathTo returns the path of the record with the given id; parent is the id of
// the record that it is below, if the kind is.
func (s *Schema) PathTo(id, parent int64) string {
	return string(s.appendPath(nil, id, parent))
}

func (s *Schema) appendPath(b []byte, id, parent int64) []byte {
	if s.parent != nil {
		b = s.parent.Target.appendPath(b, parent, 0)
	}
	b = append(append(append(b, '/'), s.Path()...), '/')
	return strconv.AppendInt(b, id, 10)
}

// Field returns the field with the given document name, or nil.
func (s *Schema) Field(name string) *Field { return s.byName[name] }

// mustField returns the field that a declaration refers to.
func (s *Schema) mustField(name string) *Field {
	f := s.byName[name]
	if f == nil {
		panic(fmt.Sprintf("kind %s: there is no field %q", s.Item, name))
	}
	return f
}

// New returns an empty record with its defaults set.
func (s *Schema) New() any {
	rec := s.many(1)[0]
	s.SetDefaults(rec)
	return rec
}

// SetDefaults gives the fields of a new record that have no value their
// defaults.
func (s *Schema) SetDefaults(rec any) {
	v := s.Values(rec)
	for _, f := range s.Fields {
		if f.Default != "" && *v.Text(f) == "" {
			*v.Text(f) = f.Default
		}
	}
}

// Empty returns n records without any value, for a store to fill.
func (s *Schema) Empty(n int) []any { return s.many(n) }

// Meta returns the embedded Record of rec.
func (s *Schema) Meta(rec any) *Record { return s.Values(rec).record(s.meta) }

// Copy returns a copy of rec that shares nothing that changes: nested
// collections are replaced whole, never altered in place.
func (s *Schema) Copy(rec any) any {
	s.Values(rec) // checks the type
	return s.clone(rec)
}

// Settle makes the record consistent with itself after a change, by the rule
// that the kind declares; old is the record before, nil for a new one.
func (s *Schema) Settle(rec, old any) {
	if s.settle != nil {
		s.settle(rec, old)
	}
}

// Loaded completes a record that a store has read whole, by the rule that the
// kind declares. Items of lists are as they are stored.
func (s *Schema) Loaded(rec any) {
	if s.loaded != nil {
		s.loaded(rec)
	}
}

// hyphened returns a field's document name for a name in either spelling.
func hyphened(name string) string { return strings.ReplaceAll(name, "_", "-") }

// underscored returns the spelling of a name in addresses, parameters and
// columns.
func underscored(name string) string { return strings.ReplaceAll(name, "-", "_") }
