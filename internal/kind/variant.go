package kind

import (
	"net/url"
	"slices"
	"strings"
	"unsafe"

	"muster/internal/message"
)

// MaxIncluding is the longest page of a list whose records include others.
const MaxIncluding = 100

// Variant declares another form of the kind's documents, which the same records
// have in some place alone.
func (k Kind[T]) Variant(declare func(*T, *Fields)) Kind[T] {
	v := Define(k.Item, k.Plural, k.Title, declare)
	v.Noun, v.Nouns, v.stored = k.Noun, k.Nouns, k.Schema
	return v
}

// InTie makes the field one that belongs to what ties a record to another: it is
// stored there, and lists of that other record alone can be sorted by it.
func (o Option) InTie() Option { o.f.InTie = true; return o }

// Reported makes the field one that agents tell, as long as no person sets it.
func (o Option) Reported() Option { o.f.Reported = true; return o }

// UniqueTogether makes a record that has the same values as another in all of
// these texts an error. Null is equal to null, and case makes no difference.
func (fs *Fields) UniqueTogether(names ...string) {
	for _, name := range names {
		fs.schema.Together = append(fs.schema.Together, fs.schema.mustField(name))
	}
}

// ByID lets documents say by an id which record they mean, see Patch.ID.
func (fs *Fields) ByID() { fs.schema.byID = true }

// A view is which of the records a list shows.
type view struct {
	name  string
	field *Field
}

// View makes lists show the records in which a truth value is false, and those
// in which it is true when the parameter view has the given name.
func (fs *Fields) View(name, field string) {
	fs.schema.view = &view{name, fs.schema.mustField(field)}
}

// addView adds the condition of the view that the query asks for.
func (s *Schema) addView(q *Query, values url.Values) error {
	given := values["view"]
	if s.view == nil {
		return nil
	}
	if len(given) > 1 || len(given) == 1 && given[0] != s.view.name {
		return badQuery("view must be %s, not %s", s.view.name, short(strings.Join(given, " and ")))
	}
	q.Conds = append(q.Conds, Cond{Field: s.view.field, Any: []Test{boolTest(len(given) == 1)}})
	return nil
}

// Included declares the collection of a record's ties to another kind, of which
// k is the variant. Documents hold it when they are asked to include it alone.
func Included[T comparable](fs *Fields, p *[]T, k Kind[T]) Option {
	f := fs.add(k.Plural, List, p)
	f.Items, f.Included = k.Schema, true
	f.list = listOf[T](f.Items)
	f.assign, f.same = assign[[]T], func(unsafe.Pointer, unsafe.Pointer) bool { return true }
	return Option{f}.Computed()
}

// including defines the kind once more for each collection that documents may
// include.
func including[T any](s *Schema, declare func(*T, *Fields)) {
	for _, f := range s.Fields {
		if !f.Included {
			continue
		}
		v := define(s.Item, s.Plural, s.Title, f.Name, declare)
		v.Noun, v.Nouns, v.stored = s.Noun, s.Nouns, s.Stored()
		s.includes = append(s.includes, v.Schema)
	}
}

// Including returns the kind as it is shown when a collection is included, or
// itself for "".
func (s *Schema) Including(name string) *Schema {
	if i := slices.IndexFunc(s.includes, func(v *Schema) bool { return v.include == name }); i >= 0 {
		return s.includes[i]
	}
	return s
}

// shows reports whether documents of the kind hold the field.
func (s *Schema) shows(f *Field) bool {
	return !f.Hidden && !f.Secret && (!f.Included || s.include == f.Name)
}

// setInclude reads the parameter include.
func (s *Schema) setInclude(q *Query, given []string) error {
	switch {
	case len(s.includes) == 0:
		return badQuery("unknown parameter include")
	case len(given) > 1:
		return badQuery("%s is given more than once", message.Word("include"))
	case s.Including(given[0]) == s:
		return badQuery("include must be %s, not %s", s.includes[0].include, short(given[0]))
	}
	q.Include = given[0]
	return nil
}

// ParseInclude reads the query of a call for one record, and returns the
// collection that is to be included, "" for none.
func (s *Schema) ParseInclude(raw string) (string, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return "", badQuery("the query does not parse: %v", err)
	}
	q := new(Query)
	for _, name := range sortedKeys(values) {
		if name != "include" {
			return "", badQuery("unknown parameter %s", name)
		}
		err = s.setInclude(q, values[name])
	}
	return q.Include, err
}
