package kind

import "time"

// A DayCase is a value that a text has as long as a day is past or to come.
type DayCase struct {
	Value string
	Field *Field // the day, nil for always
	Past  bool   // it is over; else it has not come yet
}

// ByDay makes a text follow from days of the record and the present one: it has
// the value of the first case that holds. It is not stored.
func (o Option) ByDay(cases ...DayCase) Option {
	o.f.Days, o.f.ReadOnly = cases, true
	for _, c := range cases {
		o.f.OneOf = append(o.f.OneOf, c.Value)
	}
	o.f.schema.derived = append(o.f.schema.derived, o.f)
	return o
}

// Past is the case of a day that is over.
func (fs *Fields) Past(field, value string) DayCase {
	return DayCase{value, fs.schema.mustField(field), true}
}

// Coming is the case of a day that has not come yet.
func (fs *Fields) Coming(field, value string) DayCase {
	return DayCase{value, fs.schema.mustField(field), false}
}

// Always is the case that holds when no other does.
func Always(value string) DayCase { return DayCase{Value: value} }

// Today returns the day of a time.
func Today(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour) }

// Derive sets the fields of a record that follow from the present day.
func (s *Schema) Derive(rec any, now time.Time) {
	for _, f := range s.derived {
		v := s.Values(rec)
		*v.Text(f) = v.byDay(f, Today(now))
	}
}

func (v Values) byDay(f *Field, today time.Time) string {
	for _, c := range f.Days {
		if c.Field == nil {
			return c.Value
		}
		if day := *v.Time(c.Field); !day.IsZero() && (c.Past && day.Before(today) || !c.Past && day.After(today)) {
			return c.Value
		}
	}
	return ""
}
