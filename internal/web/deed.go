package web

import (
	"slices"
	"strings"
	"sync"

	"muster/internal/inventory"
	"muster/internal/kind"
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
	if text := c.phrased(deedForms(), a.Message); text != a.Message {
		return text
	}
	return c.retold(k, changes, a.Message)
}

// otherDeed is deed of what is no record with a page. A new agent token is told with
// what computers get from it.
func (c *call) otherDeed(a *inventory.Audit) string {
	written, own := "Agent token "+a.RecordName+" added", c.t("Agent token %v added", a.RecordName)
	for _, change := range a.Changes {
		if f := inventory.Computers.Field(change.Field); f != nil {
			written, own = written+", "+f.Name+" "+change.To, own+", "+c.inside(c.label(f))+" "+change.To
		}
	}
	if a.Message == written {
		return own
	}
	return c.phrased(deedForms(), a.Message)
}

// deedTexts are the sentences of audit records that tell something else than the
// change of a field.
var deedTexts = []string{
	"Setting %s changed from %v to %v", "Setting %s changed from nothing to %v", "Setting %s changed from %v to nothing",
	"Agent token %v added", "Agent token %v changed", "Agent token %v revoked",
	"Reported by a new agent, %v (%v)", "Report by %v (%v) with the agent token %v accepted", "Report by %v (%v) with the agent token %v refused",
	"%v (%v) speaks for this computer from now on",
	"Token %v added", "Token %v added, for reading only", "Token %v added, until %v", "Token %v added, for reading only, until %v",
	"Token %v revoked", "Token %v removed, since it had ended",
	"Sign-in password changed", "API password made", "Signed out on all devices", "Session from %v ended",
	"Second factor turned on; the API needs a generated password from now on", "Second factor turned off", "Second factor reset",
	"Recovery code used, %v left", "Recovery codes made anew",
	"Computer %v merged into computer %v (%v)", "Computer %v (id %v) merged into this one", "Computer %v (id %v, asset id %v) merged into this one",
	"Computer %v split off computer %v (%v), with the agent %v (%v)", "Agent %v (%v) split off as computer %v (%v)",
	"Comment added to ticket %v", "Private comment added to ticket %v",
	"Perhaps two computers: its agents %v had nothing in common but the serial number %v, which many computers have",
	"Perhaps two computers: its agents %v had nothing in common but the UUID %v, which many computers have",
	"Perhaps two computers: its agents %v had nothing in common but the adapter %v, which many computers have", "Is one computer after all",
	"Not a duplicate of computer %v (%v)", "May be a duplicate of computer %v (%v) after all",
	"Computer %v created by its first report; possible duplicate of computer %v", "Computer %v created by its first report; possible duplicate of computers %v",
}

// deedForms are their forms. Names that people give may have our words in them, so
// the end decides first, which is always ours where the form has one.
var deedForms = sync.OnceValue(func() []phrase {
	all := phrases(deedTexts)
	open := func(p phrase) int {
		if strings.HasSuffix(p.text, "%v") {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b phrase) int { return open(a) - open(b) })
	return all
})

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
