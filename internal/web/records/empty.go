package records

import "muster/internal/web/page"

// A Beginning is what a section without records says: why there is none, and
// what to do first.
type Beginning struct {
	Icon, Title, Text string
	Steps             []step // the first is the one to take
}

// A step is a link to what can be done on an empty page.
type step struct{ Title, Path string }

// Beginning returns what a section says that has no records.
func (s *Section) Beginning(c *page.Call) *Beginning {
	b := &Beginning{Icon: s.Icon, Title: c.T(s.Begin.Title), Text: c.T(s.Begin.Text)}
	for _, e := range s.Begin.Steps {
		if !c.User.ReadOnly.V && e.Access.Allows(c.User) {
			b.Steps = append(b.Steps, step{c.T(e.Title), e.Path})
		}
	}
	return b
}
