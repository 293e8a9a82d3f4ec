package kind

import (
	"fmt"
	"iter"
	"reflect"
	"time"
	"unsafe"
)

// Values gives access to the fields of one record. It is the only place that
// reaches into a struct by offset: a plan that Define made and checked, so
// that reading a field costs no more than in hand-written code.
type Values struct {
	schema *Schema
	base   unsafe.Pointer
}

// Values returns the values of rec, which must be a record of the kind.
func (s *Schema) Values(rec any) Values {
	if reflect.TypeOf(rec) != s.typ {
		panic(fmt.Sprintf("kind %s: record is a %T", s.Item, rec))
	}
	return Values{s, reflect.ValueOf(rec).UnsafePointer()}
}

// at returns the address of field f, which must be of the given type.
func (v Values) at(f *Field, t Type) unsafe.Pointer {
	if f.schema != v.schema || f.Type != t {
		v.mismatch(f, t)
	}
	return unsafe.Add(v.base, f.offset)
}

// mismatch panics; apart from at, so that at is inlined.
//
//go:noinline
func (v Values) mismatch(f *Field, want Type) {
	panic(fmt.Sprintf("kind %s: field %s is no %v", v.schema.Item, f.Name, want))
}

// ID returns the record's id.
func (v Values) ID() int64 { return v.record(v.schema.meta).ID }

// Text returns where the value of a Text field is; "" is null.
func (v Values) Text(f *Field) *string { return (*string)(v.at(f, Text)) }

// Int returns where the value of an Int field is.
func (v Values) Int(f *Field) *Int { return (*Int)(v.at(f, Integer)) }

// Bool returns where the value of a Bool field is.
func (v Values) Bool(f *Field) *Bool { return (*Bool)(v.at(f, Boolean)) }

// Time returns where the value of a Time or Date field is; the zero time is
// null.
func (v Values) Time(f *Field) *time.Time {
	if f.Type == Date {
		return (*time.Time)(v.at(f, Date))
	}
	return (*time.Time)(v.at(f, Time))
}

// Person returns where the value of a Person field is; id 0 is null.
func (v Values) Person(f *Field) *Person { return (*Person)(v.at(f, PersonRef)) }

// Decimal returns where the value of a Decimal field is.
func (v Values) Decimal(f *Field) *Decimal { return (*Decimal)(v.at(f, Amount)) }

// record returns the embedded Record, of which meta is the field.
func (v Values) record(meta *Field) *Record { return (*Record)(unsafe.Add(v.base, meta.offset)) }

// list returns the nested collection of a List field.
func (v Values) list(f *Field) list { return f.list(v.at(f, List)) }

// A list is a nested collection: access to a slice whose type only its
// declaration knows.
type list struct {
	schema *Schema
	first  unsafe.Pointer
	size   uintptr
	n      int
}

// item returns the values of item i.
func (l list) item(i int) Values {
	return Values{l.schema, unsafe.Add(l.first, uintptr(i)*l.size)}
}

// listOf returns the access to slices of T.
func listOf[T any](s *Schema) func(unsafe.Pointer) list {
	var zero T
	return func(p unsafe.Pointer) list {
		items := *(*[]T)(p)
		return list{s, unsafe.Pointer(unsafe.SliceData(items)), unsafe.Sizeof(zero), len(items)}
	}
}

// resize makes the nested collection of f a new one of n empty items.
func (v Values) resize(f *Field, n int) list {
	f.resize(v.at(f, List), n)
	return v.list(f)
}

// grow appends an empty item to the nested collection of f, which must be
// this record's own, and returns it.
func (v Values) grow(f *Field) Values {
	f.grow(v.at(f, List))
	l := v.list(f)
	return l.item(l.n - 1)
}

// shrink takes the last item away again.
func (v Values) shrink(f *Field) { f.shrink(v.at(f, List)) }

// Set copies the value of f from another record of the same kind.
func (v Values) Set(f *Field, from Values) {
	f.assign(v.at(f, f.Type), from.at(f, f.Type))
}

// Equal reports whether f has the same value in both records.
func (v Values) Equal(f *Field, w Values) bool {
	return f.same(v.at(f, f.Type), w.at(f, f.Type))
}

// assign returns how a value of type T is copied.
func assign[T any](to, from unsafe.Pointer) { *(*T)(to) = *(*T)(from) }

// same returns how two values of type T are compared.
func same[T comparable](a, b unsafe.Pointer) bool { return *(*T)(a) == *(*T)(b) }

// Items returns the values of the items of a nested collection.
func (v Values) Items(f *Field) iter.Seq[Values] {
	return func(yield func(Values) bool) {
		l := v.list(f)
		for i := range l.n {
			if !yield(l.item(i)) {
				return
			}
		}
	}
}

// Nested returns the texts of a field of the items of a nested collection.
func (v Values) Nested(f, item *Field) iter.Seq[string] {
	return func(yield func(string) bool) {
		l := v.list(f)
		for i := range l.n {
			if !yield(*l.item(i).Text(item)) {
				return
			}
		}
	}
}
