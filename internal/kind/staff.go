package kind

import (
	"fmt"
	"time"
)

// Staff hides a text from all but staff: others neither see it nor find a record by it. Lists do not have it,
// so that no filter or order reveals it either.
func (o Option) Staff() Option { o.f.Staff = true; return o }

// checkStaff panics when a list could reveal to others what is for staff alone.
func (s *Schema) checkStaff() {
	for _, f := range s.Fields {
		if f.Staff && (f.Type != Text || f.Filtered || f.Unique || !f.Detail) {
			panic(fmt.Sprintf("kind %s: field %q is for staff alone, so it must be a text that neither lists nor filters have", s.Item, f.Name))
		}
	}
}

// HideStaff takes out of a record what is for staff alone.
func (s *Schema) HideStaff(rec any) {
	v := s.Values(rec)
	for _, f := range s.Fields {
		if f.Staff {
			*v.Text(f) = ""
		}
		for _, name := range f.staffParts {
			v.Person(f).hide(name)
		}
	}
}

// hide makes the named field of a person null.
func (p *Person) hide(name string) {
	switch name {
	case "phone":
		p.Phone = ""
	case "last-login":
		p.LastLogin = time.Time{}
	default:
		panic("a person cannot be without " + name)
	}
}
