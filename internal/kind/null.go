package kind

import "time"

// A Null is a value or null, which is distinct from the type's zero value.
// Text and times need none: there is no empty string, and the zero time is
// no time.
type Null[T comparable] struct {
	V     T // the zero value when null
	Valid bool
}

// Int and Bool are the number and the truth value that may be null.
type (
	Int  = Null[int64]
	Bool = Null[bool]
)

// Some returns a value that is not null.
func Some[T comparable](v T) Null[T] { return Null[T]{v, true} }

// A Person is a reference to a user, with what documents show of the user. A
// record stores the ID alone; the rest is read beside it, so that it is
// always true.
type Person struct {
	ID                         int64 // 0 is null
	Email, Name                string
	FirstName, LastName, Phone string
	LastLogin                  time.Time
}
