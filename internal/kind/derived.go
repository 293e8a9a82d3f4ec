package kind

import "time"

// A DayCase is a value that a text has as long as a condition is true: a day is past or to come, or a number is
// greater than another.
type DayCase struct {
	Value string
	Field *Field // the day or number, nil for always
	Past  bool   // of a day: it is over; else it has not come yet
	Than  *Field // of a number: it is greater than this one; nil compares with Least
	Least int64  // of a number: it is not less
}

// ByDay derives a text from days of the record and today: it has the value of the first case that matches. It
// is not stored.
func (o Option) ByDay(cases ...DayCase) Option {
	o.f.Days, o.f.ReadOnly = cases, true
	for _, c := range cases {
		o.f.OneOf = append(o.f.OneOf, c.Value)
	}
	o.f.schema.derived = append(o.f.schema.derived, o.f)
	return o
}

// ByNumber is ByDay of numbers.
func (o Option) ByNumber(cases ...DayCase) Option { return o.ByDay(cases...) }

// Past is the case of a day that is over.
func (fs *Fields) Past(field, value string) DayCase {
	return DayCase{Value: value, Field: fs.schema.mustField(field), Past: true}
}

// Coming is the case of a day that has not come yet.
func (fs *Fields) Coming(field, value string) DayCase {
	return DayCase{Value: value, Field: fs.schema.mustField(field)}
}

// MoreThan is the case of a number that is greater than another one.
func (fs *Fields) MoreThan(field, than, value string) DayCase {
	return DayCase{Value: value, Field: fs.schema.mustField(field), Than: fs.schema.mustField(than)}
}

// AtLeast is the case of a number that is not null and not less than n.
func (fs *Fields) AtLeast(field string, n int64, value string) DayCase {
	return DayCase{Value: value, Field: fs.schema.mustField(field), Least: n}
}

// Always is the case that matches when no other does.
func Always(value string) DayCase { return DayCase{Value: value} }

// Today returns the day of a time.
func Today(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour) }

// Derives reports whether fields of the kind follow from others and the present
// day.
func (s *Schema) Derives() bool { return len(s.derived) > 0 }

// Derive sets the fields of a record that follow from others and the present
// day.
func (s *Schema) Derive(rec any, now time.Time) {
	for _, f := range s.derived {
		v := s.Values(rec)
		*v.Text(f) = v.byDay(f, Today(now))
	}
}

func (v Values) byDay(f *Field, today time.Time) string {
	for _, c := range f.Days {
		if v.matches(c, today) {
			return c.Value
		}
	}
	return ""
}

// matches reports whether a case matches.
func (v Values) matches(c DayCase, today time.Time) bool {
	if c.Field == nil {
		return true
	}
	if c.Field.Type != Integer {
		day := *v.Time(c.Field)
		return !day.IsZero() && (c.Past && day.Before(today) || !c.Past && day.After(today))
	}
	n := *v.Int(c.Field)
	if c.Than == nil {
		return n.Valid && n.V >= c.Least
	}
	than := *v.Int(c.Than)
	return n.Valid && than.Valid && n.V > than.V
}
