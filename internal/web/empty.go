package web

// A beginning is what a section without records says: why there is none, and
// what to do first.
type beginning struct {
	Icon, Title, Text string
	Steps             []step // the first is the one to take
}

// A step leads to where something can be begun.
type step struct{ Title, Path string }

// beginning returns what a section says that has no records.
func (s *section) beginning(c *call) *beginning {
	b := &beginning{Icon: s.icon, Title: c.t(s.begin.title), Text: c.t(s.begin.text)}
	for _, e := range s.begin.steps {
		if !c.user.ReadOnly.V && e.access.admits(c.user) {
			b.Steps = append(b.Steps, step{c.t(e.title), e.path})
		}
	}
	return b
}
