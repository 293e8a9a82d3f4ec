package lang

import (
	"strings"
	"time"

	"muster/internal/kind"
)

// PersonName returns what a person is called.
func PersonName(p *kind.Person) string {
	if p.Name != "" {
		return p.Name
	}
	return p.Email
}

// Label returns how people read the name of a field.
func (t *Locale) Label(f *kind.Field) string { return t.T(f.Label) }

// Exported returns the value of a field as tables have it: numbers and times as
// such, all else as people read it.
func (t *Locale) Exported(v kind.Values, f *kind.Field, zone *time.Location) any {
	switch f.Type {
	case kind.Integer:
		if n := v.Int(f); n.Valid {
			return n.V
		}
		return nil
	case kind.Time:
		if at := *v.Time(f); !at.IsZero() {
			return at.In(zone)
		}
		return nil
	case kind.Date:
		return *v.Time(f)
	case kind.Boolean:
		if v.Format(f) == "" {
			return nil
		}
		return t.Yes(v.Bool(f).V)
	case kind.PersonRef:
		return PersonName(v.Person(f))
	case kind.List:
		if f.Targets != nil {
			return linkNames(*v.Links(f))
		}
	}
	return v.Format(f)
}

// linkNames returns the names of linked records as one text.
func linkNames(links []kind.Linked) string {
	names := make([]string, len(links))
	for i, l := range links {
		names[i] = l.Name
	}
	return strings.Join(names, ", ")
}
