package kind

import (
	"math"
	"strconv"
	"strings"
	"time"

	"muster/internal/message"
)

// parse sets the value of a scalar field from its text in a document, which is
// not blank. The fault is what is wrong with it.
func (f *Field) parse(v Values, value string) (fault message.Predicate) {
	if f.Type != Text || f.OneOf != nil || f.Named {
		value = strings.TrimSpace(value)
	}
	switch f.Type {
	case Text:
		*v.Text(f) = f.canonical(value)
	case Integer:
		n, fault := parseInt(value)
		if !fault.IsZero() {
			return fault
		}
		*v.Int(f) = Some(n)
	case Amount:
		d, fault := parseDecimal(value)
		if !fault.IsZero() {
			return fault
		}
		*v.Decimal(f) = d
	case RecordRef:
		*v.Ref(f) = Ref{Name: value}
		return f.textFault(value)
	case Boolean:
		t, ok := parseBool(value)
		if !ok {
			return message.Says("is not true or false: %s", short(value))
		}
		*v.Bool(f) = Some(t)
	case Time:
		t, ok := parseTime(value)
		if !ok {
			return message.Says("is not a timestamp such as 2026-01-31T09:30:00Z: %s", short(value))
		}
		*v.Time(f) = t
	case Date:
		t, ok := parseDate(value)
		if !ok {
			return message.Says("is not a date such as 2026-01-31: %s", short(value))
		}
		*v.Time(f) = t
	}
	return fault
}

// parseInt reads a number that is not negative.
func parseInt(value string) (n int64, fault message.Predicate) {
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case err == nil && n >= 0:
		return n, fault
	case err == nil || err.(*strconv.NumError).Err == strconv.ErrRange && value[0] == '-':
		return 0, negative()
	case err.(*strconv.NumError).Err == strconv.ErrRange:
		return 0, message.Says("must be less than or equal to %d", int64(math.MaxInt64))
	}
	return 0, notNumber(value)
}

func notNumber(value string) message.Predicate {
	return message.Says("is not a number: %s", short(value))
}

func parseBool(value string) (truth, ok bool) {
	switch strings.ToLower(value) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

// parseTime reads a timestamp; without an offset it is UTC. Fractions of a
// second are dropped.
func parseTime(value string) (time.Time, bool) {
	for _, layout := range [...]string{time.RFC3339, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, value); err == nil {
			t = t.UTC().Truncate(time.Second)
			return t, t.After(time.Time{}) && t.Year() <= 9999
		}
	}
	return parseDate(value)
}

func parseDate(value string) (time.Time, bool) {
	t, err := time.Parse(time.DateOnly, value)
	return t, err == nil && t.After(time.Time{}) // the zero time is null
}

// maxShown is how many characters of a value or name a message shows.
const maxShown = 60

// Brief returns a value for a message, cut when it is long.
func Brief(value string) string { return cut(value, maxShown) }

// short quotes a value for a message, cut when it is long.
func short(value string) string { return strconv.Quote(cut(value, maxShown)) }

// tag returns the tag of an element for a message.
func tag(name string) string { return "<" + cut(name, maxShown) + ">" }

// cut returns at most so many characters of a text.
func cut(text string, most int) string {
	for i := range text {
		if most == 0 {
			return text[:i] + "…"
		}
		most--
	}
	return text
}

// Format returns the value of a scalar field in its document form, which is
// empty for null.
func (v Values) Format(f *Field) string {
	switch f.Type {
	case ID:
		return strconv.FormatInt(v.ID(), 10)
	case Text:
		return *v.Text(f)
	case Integer:
		if n := v.Int(f); n.Valid {
			return strconv.FormatInt(n.V, 10)
		}
	case Boolean:
		if t := v.Bool(f); t.Valid {
			return strconv.FormatBool(t.V)
		}
	case Time, Date:
		if t := v.Time(f); !t.IsZero() {
			return string(f.appendTime(nil, *t))
		}
	case PersonRef:
		return v.Person(f).Title()
	case Amount:
		return string(v.Decimal(f).append(nil))
	case RecordRef:
		return v.Ref(f).Name
	}
	return ""
}

// Title returns how people read the person.
func (p *Person) Title() string {
	if p.Name == "" || p.Name == p.Email {
		return p.Email
	}
	return p.Name + " (" + p.Email + ")"
}
