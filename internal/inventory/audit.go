package inventory

import (
	"encoding/json"

	"muster/internal/kind"
	"muster/internal/message"
)

// Actions of audit records.
const (
	Created = "create"
	Updated = "update"
	Deleted = "delete"
	// Reported is a change that an agent tells.
	Reported = "report"
	// Split is when an agent of a computer got one of its own.
	Split = "split"
)

// An Audit is one entry of the audit trail: what was done to a record, by
// whom, and how it is told to people.
type Audit struct {
	kind.Record
	Action     string
	Message    string // in English
	RecordType string // the item element of the record's kind
	RecordID   kind.Int
	RecordName string
	RecordPath string      // "" when the record is gone
	User       kind.Person // null for agents and rules
	Origin     string      // the door through which the change came
	Changes    []AuditChange
	Report     kind.Int    // the number of the agent's report that it belongs to
	AgentToken string      // with which that came
	Address    string      // from which that came
	AgentID    kind.Int    // that sent it
	Computers  []kind.Tied // that have it among their audits
	// ChangesTotal is how many changes there are. Lists have some of many.
	ChangesTotal kind.Int
	// Wording is what the message is made of, as Say writes it; "" for one that follows from the other fields, and in
	// records of former versions.
	Wording string
}

// Unseen returns how many changes an audit record of a list has beyond those that it
// shows.
func Unseen(a *Audit) int { return max(0, int(a.ChangesTotal.V)-len(a.Changes)) }

// An AuditChange is one changed field with its old and new value.
type AuditChange struct{ Field, From, To string }

// Audits is the kind of audit records. They are written by the service alone
// and never changed. A new field is null in the records before it, for good, and
// none is ever renamed: their hashes cover what they were written with.
var Audits = kind.Define("audit", "audits", "Audit Log List", func(a *Audit, f *kind.Fields) {
	f.Noun("audit record")
	f.Given()
	f.Chained()
	f.Record(&a.Record)
	f.Text("action", &a.Action).OneOf(Created, Updated, Deleted, Reported, Split).Filter()
	f.LongText("message", &a.Message)
	f.Text("record-type", &a.RecordType).Filter().Unsearched()
	f.Int("record-id", &a.RecordID).Filter()
	f.Text("record-name", &a.RecordName)
	f.Address("record-href", &a.RecordPath)
	f.Person("user", &a.User).Filter()
	f.Text("origin", &a.Origin).OneOf("api", "web", "agent", "rule", "import", "command").Filter()
	kind.Many(f, "changes", "change", &a.Changes, (*AuditChange).fields).Unsearched() // the message tells them
	f.Stamps(&a.Record).Filter()
	f.Int("report", &a.Report).Filter()
	f.Text("agent-token", &a.AgentToken).Unsearched()
	f.Text("remote-address", &a.Address).Unsearched()
	f.Int("agent-id", &a.AgentID).Hidden()
	kind.Ties(f, "computers", "computer", &a.Computers)
	f.Int("changes-total", &a.ChangesTotal).Counts("changes")
	f.LongText("wording", &a.Wording).Hidden().InLists()
	kind.Settle(f, (*Audit).settle)
})

// maxWording is how long the wording may be: as long as any text.
const maxWording = 64 << 10

// Say sets the message, and keeps what it is made of.
func (a *Audit) Say(text message.Text) {
	a.Message, a.Wording = text.String(), ""
	if text.IsPlain() {
		return
	}
	if wording, err := json.Marshal(text); err == nil && len(wording) <= maxWording {
		a.Wording = string(wording)
	}
}

// Said returns what the message is made of, nothing where that is not known, or would make another message: the message
// is what counts.
func (a *Audit) Said() (text message.Text) {
	if a.Wording == "" {
		return text
	}
	if err := json.Unmarshal([]byte(a.Wording), &text); err != nil || text.String() != a.Message {
		return message.Text{}
	}
	return text
}

// settle ties the record of a computer's change to the computer, as those of
// before there were ties are not.
func (a *Audit) settle(*Audit) {
	if a.RecordType == Computers.Item && len(a.Computers) == 0 {
		a.Computers = []kind.Tied{{ID: a.RecordID}}
	}
}

func (c *AuditChange) fields(f *kind.Fields) {
	f.Text("field", &c.Field)
	f.LongText("from", &c.From)
	f.LongText("to", &c.To)
}
