package activity

import (
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// AuditSentence returns the message of an audit record in the person's language. Stored
// messages are English. Where the action and the changes yield the same English message,
// it is rebuilt from them in the other language; otherwise it is returned as stored.
func AuditSentence(c *page.Call, a *inventory.Audit) string {
	k := inventory.Find(a.RecordType)
	if k == nil {
		return otherSentence(c, a)
	}
	begin := strings.TrimSpace(kind.Words(k.Noun) + " " + a.RecordName)
	switch a.Message {
	case begin + " created":
		return c.T("%s created", titled(c, k, a.RecordName))
	case begin + " deleted":
		return c.T("%s deleted", titled(c, k, a.RecordName))
	case begin + " created by its first report":
		return c.T("%s created by its first report", titled(c, k, a.RecordName))
	}
	changes := make([]kind.Change, len(a.Changes))
	for i, change := range a.Changes {
		changes[i] = kind.Change(change)
	}
	if text, ok := reported(c, k, a, changes); ok {
		return text
	}
	if said := said(a); !said.IsZero() {
		return c.Fault(said)
	}
	return TranslateChanges(c, k, changes, a.Message)
}

// said returns the format and arguments of an audit record's message, zero if they are
// not known.
func said(a *inventory.Audit) message.Text {
	if said := a.Said(); !said.IsZero() {
		return said
	}
	return formerlySaid(a.Message)
}

// otherSentence is AuditSentence for a type that is not a kind, such as a setting or an
// agent token. The sentence of a new agent token names the values that it gives to
// computers.
func otherSentence(c *page.Call, a *inventory.Audit) string {
	if text := desk.SettingMessage(a); text.String() == a.Message {
		return c.Fault(text)
	}
	written, own := "Agent token "+a.RecordName+" added", c.T("Agent token %s added", a.RecordName)
	for _, change := range a.Changes {
		if f := inventory.Computers.Field(change.Field); f != nil {
			written, own = written+", "+f.Name+" "+change.To, own+", "+c.Inside(c.Label(f))+" "+change.To
		}
	}
	if a.Message == written {
		return own
	}
	if said := said(a); !said.IsZero() {
		return c.Fault(said)
	}
	return a.Message
}

// titled returns the name of a record after that of its kind.
func titled(c *page.Call, k *kind.Schema, name string) string {
	return strings.TrimSpace(lang.Capital(c.T(k.Noun)) + " " + name)
}

// changes returns those of an audit record with the words of people.
func changes(c *page.Call, a *inventory.Audit) (all []page.HistoryDiff) {
	k := inventory.Find(a.RecordType)
	for _, change := range a.Changes {
		one := page.HistoryDiff{Label: change.Field, From: change.From, To: change.To}
		if k != nil && k.Field(change.Field) != nil {
			f := k.Field(change.Field)
			one = page.HistoryDiff{
				Label: c.Label(f), From: c.EventValue(f, change.From), To: c.EventValue(f, change.To),
			}
		}
		all = append(all, one)
	}
	return all
}

// ActorName returns who or what made a change.
func ActorName(c *page.Call, a *inventory.Audit) string {
	if a.User.ID != 0 || a.User.Email != "" {
		return lang.PersonName(&a.User)
	}
	switch a.Origin {
	case "agent":
		return c.T("Agent")
	case "rule":
		return c.T("Rule")
	}
	return c.T("System")
}
