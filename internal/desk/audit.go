package desk

import (
	"context"
	"slices"
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// record writes the audit record of a change, in its transaction.
func (w *Work) record(ctx context.Context, action string) error {
	return w.AppendAudits(ctx, w.Tx, w.Who, w.newAudit(action))
}

// newAudit returns the audit record of a change.
func (w *Work) newAudit(action string) *inventory.Audit {
	diff := w.Kind.Diff(w.Old, w.Rec)
	return w.AuditAs(action, sentence(w.Kind, action, w.state(), diff), diff)
}

// state returns the record as it will be, or as it was last.
func (w *Work) state() any {
	if w.Rec == nil {
		return w.Old
	}
	return w.Rec
}

// RecordAs writes the audit record of a change in other words than usual.
func (w *Work) RecordAs(ctx context.Context, action string, text message.Text, diff kind.Diff) error {
	return w.AppendAudits(ctx, w.Tx, w.Who, w.AuditAs(action, text, diff))
}

// AuditAs returns the audit record of a change in other words than usual.
func (w *Work) AuditAs(action string, text message.Text, diff kind.Diff) *inventory.Audit {
	a := NewAudit(action, text)
	for _, c := range diff.Changes {
		a.Changes = append(a.Changes, inventory.AuditChange(c))
	}
	return Concerning(w.Kind, w.state(), a)
}

// NewAudit returns an audit record that says what was done.
func NewAudit(action string, text message.Text) *inventory.Audit {
	a := &inventory.Audit{Action: action}
	a.Say(text)
	return a
}

// WriteAudit completes an audit record about rec and stores it.
func (d *Desk) WriteAudit(ctx context.Context, tx *store.Tx, who Caller, k *kind.Schema, rec any,
	a *inventory.Audit) error {
	return d.AppendAudits(ctx, tx, who, Concerning(k, rec, a))
}

// Concerning makes an audit record one about rec.
func Concerning(k *kind.Schema, rec any, a *inventory.Audit) *inventory.Audit {
	a.RecordType, a.RecordID, a.RecordName = k.Item, kind.Some(k.Meta(rec).ID), recordName(k, rec)
	a.Computers = append(a.Computers, about(a.Action, rec)...)
	return a
}

// AppendAudits stores audit records that say what was done, and completes who did it.
func (d *Desk) AppendAudits(ctx context.Context, tx *store.Tx, who Caller, audits ...*inventory.Audit) error {
	recs := make([]any, len(audits))
	for i, a := range audits {
		a.Origin = who.Origin
		if who.User != nil {
			a.User = who.User.Person()
		}
		if r := who.Report; r != nil {
			a.Report, a.AgentToken, a.Address = kind.Some(r.Number), r.Token, r.Address
			a.AgentID = kind.Int{V: r.Agent, Valid: r.Agent != 0}
		}
		recs[i] = a
	}
	return tx.Append(ctx, inventory.Audits.Schema, recs, d.now())
}

// about returns the computers that have a change among their audits: their own,
// and what is new about them.
func about(action string, rec any) (computers []kind.Tied) {
	var links []kind.Linked
	switch rec := rec.(type) {
	case *inventory.Computer:
		return []kind.Tied{{ID: kind.Some(rec.ID)}}
	case *inventory.Ticket:
		links = rec.Computers
	case *inventory.Risk:
		links = rec.Assets
	}
	for _, l := range links {
		if action == inventory.Created && l.Item == inventory.Computers.Item {
			computers = append(computers, kind.Tied{ID: l.ID})
		}
	}
	return computers
}

// recordName returns what people call a record.
func recordName(k *kind.Schema, rec any) string {
	if f := k.Field("name"); f != nil {
		return k.Values(rec).Format(f)
	}
	return ""
}

// sentence describes a change. What follows from the changes, or from the name and the action, needs no wording.
func sentence(k *kind.Schema, action string, rec any, diff kind.Diff) message.Text {
	if action == inventory.Updated && len(diff.Sentences) > 0 {
		return message.Plain(diff.Message())
	}
	if describe := rules[k].describe; describe != nil && action == inventory.Created {
		return describe(rec)
	}
	words := []string{kind.Words(k.Noun), recordName(k, rec), map[string]string{
		inventory.Created: "created", inventory.Updated: "updated", inventory.Deleted: "deleted",
	}[action]}
	return message.Plain(strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "))
}

// showAudits sets where the records are that audit records are about, as far
// as they are there.
func showAudits(ctx context.Context, v *view, recs []any) error {
	about := map[*kind.Schema][]*inventory.Audit{}
	for _, rec := range recs {
		a := rec.(*inventory.Audit)
		if k := inventory.Find(a.RecordType); k != nil {
			about[k] = append(about[k], a)
		}
	}
	for k, audits := range about {
		ids := make([]int64, len(audits))
		for i, a := range audits {
			ids[i] = a.RecordID.V
		}
		paths, err := v.tx.Paths(ctx, k, ids)
		if err != nil {
			return err
		}
		for _, a := range audits {
			a.RecordPath = paths[a.RecordID.V]
		}
	}
	return nil
}

// auditedRecord names the record that an audit record is about, where there is one
// of that kind.
func auditedRecord(rec any) []kind.Name {
	a := rec.(*inventory.Audit)
	if k := inventory.Find(a.RecordType); k != nil {
		return []kind.Name{{Kind: k, ID: a.RecordID.V}}
	}
	return nil
}
