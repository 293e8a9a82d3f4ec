package kind

import (
	"fmt"
	"reflect"
	"slices"
	"time"
	"unsafe"
)

// Longest values: of a string in characters, of a text in bytes.
const (
	maxString = 255
	maxText   = 64 << 10
)

// Fields collects the fields of a kind while Define runs its declaration.
type Fields struct {
	schema *Schema
	probe  reflect.Value
	left   map[uintptr]string // struct fields that are not declared yet
	detail bool
}

// Noun sets what people call a record, where that is not its element's name.
func (fs *Fields) Noun(noun string) { fs.schema.Noun = noun }

// Nouns sets what people call several records, where that does not follow from one.
func (fs *Fields) Nouns(nouns string) { fs.schema.Nouns = nouns }

// Given makes the kind one whose records are made by the service alone, and
// never changed.
func (fs *Fields) Given() { fs.schema.Given = true }

// Below makes the addresses of records begin with that of the record that a
// Ref names.
func (fs *Fields) Below(ref string) { fs.schema.parent = fs.schema.mustField(ref) }

// Record declares the record's id and the address that follows from it.
func (fs *Fields) Record(p *Record) {
	f := fs.add("id", ID, p)
	f.ReadOnly = true
	fs.schema.meta = f
	fs.Link("href", "")
}

// Stamps declares the times of creation and last change, and the filter that
// every kind has. It returns the time of creation, by which some can be filtered
// too.
func (fs *Fields) Stamps(p *Record) Option {
	created := fs.stamp("created-at", unsafe.Offsetof(p.CreatedAt))
	fs.stamp("updated-at", unsafe.Offsetof(p.UpdatedAt))
	fs.Since("updated_since", "updated-at")
	return created
}

func (fs *Fields) stamp(name string, offset uintptr) Option {
	f := fs.declare(name, Time, fs.schema.meta.offset+offset)
	f.ReadOnly = true
	f.assign, f.same = assign[time.Time], sameTime
	return Option{f}
}

// Text declares a string of at most 255 characters.
func (fs *Fields) Text(name string, p *string) Option {
	f := fs.add(name, Text, p)
	f.Max, f.assign, f.same = maxString, assign[string], same[string]
	return Option{f}
}

// LongText declares a text of several lines, at most 64 KiB.
func (fs *Fields) LongText(name string, p *string) Option {
	o := fs.Text(name, p)
	o.f.Max, o.f.Long = maxText, true
	return o
}

// Int declares an integer that is not negative.
func (fs *Fields) Int(name string, p *Int) Option {
	f := fs.add(name, Integer, p)
	f.assign, f.same = assign[Int], same[Int]
	return Option{f}
}

// Bool declares a truth value.
func (fs *Fields) Bool(name string, p *Bool) Option {
	f := fs.add(name, Boolean, p)
	f.assign, f.same = assign[Bool], same[Bool]
	return Option{f}
}

// Time declares a timestamp in whole seconds.
func (fs *Fields) Time(name string, p *time.Time) Option {
	f := fs.add(name, Time, p)
	f.assign, f.same = assign[time.Time], sameTime
	return Option{f}
}

// Date declares a day without a time.
func (fs *Fields) Date(name string, p *time.Time) Option {
	o := fs.Time(name, p)
	o.f.Type = Date
	return o
}

// Person declares a reference to a user.
func (fs *Fields) Person(name string, p *Person) Option {
	f := fs.add(name, PersonRef, p)
	f.Shows = []string{"id", "name", "email"}
	f.assign = assign[Person]
	f.same = func(a, b unsafe.Pointer) bool { return (*Person)(a).ID == (*Person)(b).ID }
	return Option{f}
}

// Link declares an address made of the record's own and a suffix, such as
// "/softwares" or "/softwares?view=system".
func (fs *Fields) Link(name, suffix string) {
	f := fs.declare(name, Link, 0)
	f.ReadOnly, f.suffix = true, suffix
}

// Address declares the address of another record: a path below the service's
// own address, without an extension. It is computed.
func (fs *Fields) Address(name string, p *string) Option {
	f := fs.add(name, Address, p)
	f.assign, f.same = assign[string], same[string]
	return Option{f}.Computed()
}

// Skip leaves out a field of the struct that another kind with the same struct
// has.
func (fs *Fields) Skip(p any) {
	offset := reflect.ValueOf(p).Pointer() - fs.probe.Addr().Pointer()
	if _, ok := fs.left[offset]; !ok {
		panic(fmt.Sprintf("kind %s: what is skipped is not in the struct, or declared", fs.schema.Item))
	}
	delete(fs.left, offset)
}

// Detail makes the fields declared after it absent from lists.
func (fs *Fields) Detail() { fs.detail = true }

// Listed makes the fields declared after it part of lists again.
func (fs *Fields) Listed() { fs.detail = false }

// Many declares a nested collection: a slice of structs with their own fields.
func Many[T comparable](fs *Fields, plural, item string, p *[]T, declare func(*T, *Fields)) Option {
	f := fs.add(plural, List, p)
	f.Items = Define(item, plural, "", declare).Schema
	f.list = listOf[T](f.Items)
	f.resize = func(p unsafe.Pointer, n int) { *(*[]T)(p) = make([]T, n) }
	f.grow = func(p unsafe.Pointer) {
		s := (*[]T)(p)
		if *s == nil {
			*s = make([]T, 0, 4) // most collections have a few items
		}
		*s = append(*s, *new(T))
	}
	f.shrink = func(p unsafe.Pointer) { s := (*[]T)(p); *s = (*s)[:len(*s)-1] }
	f.cut = func(p unsafe.Pointer, n int) { s := (*[]T)(p); *s = (*s)[:n:n] }
	f.assign, f.same = assign[[]T], sameList[T]
	for _, filter := range f.Items.Filters {
		outer := *filter
		outer.In = f
		fs.schema.filter(&outer)
	}
	return Option{f}
}

// Former names nested fields, or nested collections of a record, that earlier versions had and this one has not, or
// with another type: a database that has them is not of a newer version.
func (fs *Fields) Former(names ...string) { fs.schema.former = append(fs.schema.former, names...) }

// Settle declares how a record is made consistent with itself after a change;
// old is the record before, nil for a new one.
func Settle[T any](fs *Fields, rule func(rec, old *T)) {
	fs.schema.settle = func(rec, old any) {
		o, _ := old.(*T)
		rule(rec.(*T), o)
	}
}

// Loaded declares what is made of a record when it has been read whole.
func Loaded[T any](fs *Fields, rule func(rec *T)) {
	fs.schema.loaded = func(rec any) { rule(rec.(*T)) }
}

// add declares a field of the struct.
func (fs *Fields) add(name string, t Type, p any) *Field {
	at := reflect.ValueOf(p)
	offset := at.Pointer() - fs.probe.Addr().Pointer()
	field, ok := structField(fs.probe.Type(), offset)
	if !ok || field.Type != at.Type().Elem() {
		panic(fmt.Sprintf("kind %s: field %q is not in the struct", fs.schema.Item, name))
	}
	if _, ok := fs.left[offset]; !ok {
		panic(fmt.Sprintf("kind %s: struct field %s is declared twice", fs.schema.Item, field.Name))
	}
	delete(fs.left, offset)
	return fs.declare(name, t, offset)
}

// declare appends a field to the schema.
func (fs *Fields) declare(name string, t Type, offset uintptr) *Field {
	s := fs.schema
	if s.byName[name] != nil {
		panic(fmt.Sprintf("kind %s: field %q is declared twice", s.Item, name))
	}
	if len(s.Fields) == maxFields {
		panic(fmt.Sprintf("kind %s: more than %d fields", s.Item, maxFields))
	}
	f := &Field{Name: name, Label: Words(name), words: Words(name), Type: t, Detail: fs.detail, schema: s,
		index: len(s.Fields), offset: offset}
	s.byName[name] = f
	s.Fields = append(s.Fields, f)
	return f
}

// structField returns the field of t at the given offset.
func structField(t reflect.Type, offset uintptr) (reflect.StructField, bool) {
	for i := range t.NumField() {
		if t.Field(i).Offset == offset {
			return t.Field(i), true
		}
	}
	return reflect.StructField{}, false
}

func sameTime(a, b unsafe.Pointer) bool { return (*time.Time)(a).Equal(*(*time.Time)(b)) }

func sameList[T comparable](a, b unsafe.Pointer) bool {
	return slices.Equal(*(*[]T)(a), *(*[]T)(b))
}
