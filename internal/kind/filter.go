package kind

import (
	"fmt"
	"strings"
	"time"

	"muster/internal/message"
)

// maxDays is the most that a filter by days takes, about a hundred years.
const maxDays = 36_500

// A Filter is a query parameter that narrows a list.
type Filter struct {
	Param string
	Field *Field
	Else  *Field // looked at where Field is null
	In    *Field // the nested collection with Field
	how   how
}

// how says how a filter reads its value.
type how uint8

const (
	match      how = iota // by the type of the field
	from                  // at or after the value
	until                 // at or before the value
	withinDays            // in the last so many days
	beforeDays            // more than so many days ago
)

// A Cond is one condition of a query: any of its tests must hold.
type Cond struct {
	Field, Else, In *Field  // as in Filter
	Target          *Schema // of linked records: their kind, nil for any
	Any             []Test
}

// A Test is what a value is compared with: null, a text, or a range.
type Test struct {
	Null     bool
	Text     []string // the pieces of a text between wildcards, for Text and Person
	Range    bool     // from Min to Max, both inclusive, for all other types
	Min, Max int64
}

// Whole reports whether the text is without wildcards.
func (t *Test) Whole() bool { return len(t.Text) == 1 }

// Matches reports whether a record matches a condition, as a list would decide. The condition may be on null,
// an allowed text, an id, a reference by id, a truth value or a number.
func (s *Schema) Matches(c Cond, rec any) bool {
	v := s.Values(rec)
	for _, t := range c.Any {
		n, null := v.number(c.Field)
		switch {
		case t.Null && null:
			return true
		case t.Range && !null && t.Min <= n && n <= t.Max:
			return true
		case t.Whole() && strings.EqualFold(v.Format(c.Field), t.Text[0]):
			return true
		}
	}
	return false
}

// number returns the value of a field as tables store it, 0 for a text, and whether it is null.
func (v Values) number(f *Field) (n int64, null bool) {
	switch f.Type {
	case ID:
		return v.ID(), false
	case Text:
		return 0, *v.Text(f) == ""
	case PersonRef:
		return v.Person(f).ID, v.Person(f).ID == 0
	case RecordRef:
		return v.Ref(f).ID, v.Ref(f).ID == 0
	case Integer:
		return v.Int(f).V, !v.Int(f).Valid
	case Boolean:
		if v.Bool(f).V {
			return 1, false
		}
		return 0, !v.Bool(f).Valid
	}
	panic(fmt.Sprintf("kind %s: conditions on %s hold in lists alone", v.schema.Item, f.Name))
}

// filter adds a filter to the schema.
func (s *Schema) filter(f *Filter) {
	if s.filters[f.Param] != nil {
		panic(fmt.Sprintf("kind %s: filter %s is declared twice", s.Item, f.Param))
	}
	s.filters[f.Param] = f
	s.Filters = append(s.Filters, f)
	if f.how == match && f.In == nil && (f.Field.Type == Time || f.Field.Type == Date) {
		s.filter(&Filter{Param: f.Param + "_from", Field: f.Field, how: from})
		s.filter(&Filter{Param: f.Param + "_to", Field: f.Field, how: until})
	}
}

// Within declares a filter by a number of days: the field's time is at most so
// many days ago.
func (fs *Fields) Within(param, field string) {
	fs.schema.filter(&Filter{Param: param, Field: fs.schema.mustField(field), how: withinDays})
}

// NotWithin declares a filter by a number of days: the field's time, or where
// it is null that of the other field, is more than so many days ago.
func (fs *Fields) NotWithin(param, field, other string) {
	fs.schema.filter(&Filter{
		Param: param, Field: fs.schema.mustField(field), Else: fs.schema.mustField(other), how: beforeDays,
	})
}

// Since declares a filter by a timestamp: the field's time is not before it.
func (fs *Fields) Since(param, field string) {
	fs.schema.filter(&Filter{Param: param, Field: fs.schema.mustField(field), how: from})
}

// cond returns the condition that any of the given values makes.
func (f *Filter) cond(given []string, now time.Time) (Cond, error) {
	c := Cond{Field: f.Field, Else: f.Else, In: f.In}
	for _, value := range given {
		t, err := f.test(value, now)
		if err != nil {
			return c, err
		}
		c.Any = append(c.Any, t)
	}
	return c, nil
}

// test returns the test that one value makes.
func (f *Filter) test(value string, now time.Time) (Test, error) {
	switch f.how {
	case withinDays, beforeDays:
		return f.daysTest(value, now)
	case from, until:
		return f.boundTest(value)
	}
	if value == "" {
		return Test{Null: true}, nil
	}
	switch f.Field.Type {
	case Text, PersonRef, RecordRef:
		return Test{Text: Pieces(value)}, nil
	case Integer:
		n, fault := parseInt(value)
		if !fault.IsZero() {
			return Test{}, &BadQuery{fault.Of(message.Word(f.Param))}
		}
		return Test{Range: true, Min: n, Max: n}, nil
	case Amount:
		d, fault := parseDecimal(value)
		if !fault.IsZero() {
			return Test{}, &BadQuery{fault.Of(message.Word(f.Param))}
		}
		return Test{Range: true, Min: d.V, Max: d.V}, nil
	case Boolean:
		t, ok := parseBool(value)
		if !ok {
			return Test{}, badQuery("%s must be true or false, not %s", message.Word(f.Param), short(value))
		}
		return boolTest(t), nil
	}
	first, last, err := f.span(value)
	return Test{Range: true, Min: first, Max: last}, err
}

func boolTest(t bool) Test {
	if t {
		return Test{Range: true, Min: 1, Max: 1}
	}
	return Test{Range: true}
}

// Bounds of a range that is open on one side.
const (
	least = -1 << 63
	most  = 1<<63 - 1
)

// daysTest returns the test of a number of days before now, each of 24 hours: unlike in
// span they do not begin at midnight.
func (f *Filter) daysTest(value string, now time.Time) (Test, error) {
	n, err := number(f.Param, value, 0, maxDays)
	limit := now.Unix() - int64(n)*24*60*60
	if f.how == withinDays {
		return Test{Range: true, Min: limit, Max: most}, err
	}
	return Test{Range: true, Min: least, Max: limit - 1}, err
}

// boundTest returns the test of a bound, which is included: with a date, _from begins with
// the first second of that day in UTC, and _to ends with its last.
func (f *Filter) boundTest(value string) (Test, error) {
	first, last, err := f.span(value)
	if f.how == from {
		return Test{Range: true, Min: first, Max: most}, err
	}
	return Test{Range: true, Min: least, Max: last}, err
}

// span returns the first and last second that a timestamp or a date means, which is a whole
// day in UTC: created_at_to=2026-01-31 is up to 23:59:59. Pages repeat this in
// internal/web/records/timerange.go: newBound for what they show, boundary for the days of a
// person's zone that they send.
func (f *Filter) span(value string) (first, last int64, err error) {
	if t, ok := parseDate(value); ok {
		first = t.Unix()
		if f.Field.Type == Date {
			return first, first, nil
		}
		return first, first + 24*60*60 - 1, nil
	}
	if f.Field.Type == Date {
		return 0, 0, badQuery("%s must be a date such as 2026-01-31, not %s", message.Word(f.Param), short(value))
	}
	t, ok := parseTime(value)
	if !ok {
		return 0, 0, badQuery("%s must be a timestamp such as 2026-01-31T09:30:00Z or a date, not %s",
			message.Word(f.Param), short(value))
	}
	return t.Unix(), t.Unix(), nil
}

// Pieces splits a text at its wildcards: a star stands for any run of
// characters, a star after a backslash for itself.
func Pieces(value string) []string {
	var out []string
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		switch {
		case value[i] == '\\' && i+1 < len(value) && value[i+1] == '*':
			b.WriteByte('*')
			i++
		case value[i] == '*':
			out = append(out, b.String())
			b.Reset()
		default:
			b.WriteByte(value[i])
		}
	}
	return append(out, b.String())
}

// Days reports whether the filter's value is a number of days.
func (f *Filter) Days() bool { return f.how == withinDays || f.how == beforeDays }
