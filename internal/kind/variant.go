package kind

import (
	"slices"
	"unsafe"
)

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

// Reported says that agents set the field, as long as no person sets it.
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

// Included declares the collection of a record's ties to another kind, of which k is the variant. Documents
// have it only when the request asks to include it.
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

// shows reports whether documents of the kind have the field.
func (s *Schema) shows(f *Field) bool {
	return !f.Hidden && !f.Secret && (!f.Included || s.include == f.Name)
}
