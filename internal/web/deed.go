package web

import (
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
)

// deed returns what an audit record tells, in the words of the person. Its message
// is English for good, so it is told anew from the action and the changes where it
// says just what they say; else it is shown as it was written.
func (c *call) deed(a *inventory.Audit) string {
	k := inventory.Find(a.RecordType)
	if k == nil {
		return c.otherDeed(a)
	}
	begin := strings.TrimSpace(kind.Words(k.Noun) + " " + a.RecordName)
	switch a.Message {
	case begin + " created":
		return c.t("%s created", c.titled(k, a.RecordName))
	case begin + " deleted":
		return c.t("%s deleted", c.titled(k, a.RecordName))
	case begin + " created by its first report":
		return c.t("%s created by its first report", c.titled(k, a.RecordName))
	}
	changes := make([]kind.Change, len(a.Changes))
	for i, change := range a.Changes {
		changes[i] = kind.Change(change)
	}
	if text, ok := c.reported(k, a, changes); ok {
		return text
	}
	if said := said(a); !said.IsZero() {
		return c.fault(said)
	}
	return c.retold(k, changes, a.Message)
}

// said returns what the message of an audit record is made of, as far as that is known.
func said(a *inventory.Audit) message.Text {
	if said := a.Said(); !said.IsZero() {
		return said
	}
	return formerlySaid(a.Message)
}

// otherDeed is deed of what is no record with a page. A new agent token is told with
// what computers get from it.
func (c *call) otherDeed(a *inventory.Audit) string {
	if text := desk.ToldSetting(a); text.String() == a.Message {
		return c.fault(text)
	}
	written, own := "Agent token "+a.RecordName+" added", c.t("Agent token %s added", a.RecordName)
	for _, change := range a.Changes {
		if f := inventory.Computers.Field(change.Field); f != nil {
			written, own = written+", "+f.Name+" "+change.To, own+", "+c.inside(c.label(f))+" "+change.To
		}
	}
	if a.Message == written {
		return own
	}
	if said := said(a); !said.IsZero() {
		return c.fault(said)
	}
	return a.Message
}

// titled returns the name of a record after that of its kind.
func (c *call) titled(k *kind.Schema, name string) string {
	return strings.TrimSpace(capital(c.t(k.Noun)) + " " + name)
}

// changes returns those of an audit record with the words of people.
func (c *call) changes(a *inventory.Audit) (all []historyDiff) {
	k := inventory.Find(a.RecordType)
	for _, change := range a.Changes {
		one := historyDiff{change.Field, change.From, change.To}
		if k != nil && k.Field(change.Field) != nil {
			f := k.Field(change.Field)
			one = historyDiff{c.label(f), c.eventValue(f, change.From), c.eventValue(f, change.To)}
		}
		all = append(all, one)
	}
	return all
}

// nameTo returns the name of a record as people read it: an audit record is called
// by what it tells.
func (s *section) nameTo(c *call, rec any) string {
	if a, ok := rec.(*inventory.Audit); ok {
		return c.deed(a)
	}
	return s.name(rec)
}
