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
	// Reported is a change by an agent's report.
	Reported = "report"
	// Split is when an agent of a computer got one of its own.
	Split = "split"
)

// An Audit is one entry of the audit trail: what was done to a record, by whom, and the message that people
// read.
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

// Unseen returns how many changes of an audit record a list does not show.
func Unseen(a *Audit) int { return max(0, int(a.ChangesTotal.V)-len(a.Changes)) }

// An AuditChange is one changed field with its old and new value.
type AuditChange struct{ Field, From, To string }

// Audits is the kind of audit records. Only the service writes them, and they are never changed. A new field
// stays null in older records, and no field is ever renamed, since the hashes cover what was written.
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
	kind.Many(f, "changes", "change", &a.Changes, (*AuditChange).fields).Unsearched() // they are in the message
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

// Say sets the message, and stores its format and arguments.
func (a *Audit) Say(text message.Text) {
	a.Message, a.Wording = text.String(), ""
	if text.IsPlain() {
		return
	}
	if wording, err := json.Marshal(text); err == nil && len(wording) <= maxWording {
		a.Wording = string(wording)
	}
}

// Said returns the format and arguments of the message, none where they are missing or do not make that
// message.
func (a *Audit) Said() (text message.Text) {
	if a.Wording == "" {
		return text
	}
	if err := json.Unmarshal([]byte(a.Wording), &text); err != nil || text.String() != a.Message {
		return message.Text{}
	}
	return text
}

// settle ties the record of a computer's change to the computer, which older records lack.
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
