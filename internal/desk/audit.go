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
func (w *work) record(ctx context.Context, action string) error {
	return w.append(ctx, w.tx, w.who, w.told(action))
}

// told returns the audit record of a change.
func (w *work) told(action string) *inventory.Audit {
	diff := w.kind.Diff(w.old, w.rec)
	return w.toldAs(action, sentence(w.kind, action, w.state(), diff), diff)
}

// state returns the record as it will be, or as it was last.
func (w *work) state() any {
	if w.rec == nil {
		return w.old
	}
	return w.rec
}

// recordAs writes the audit record of a change in other words than usual.
func (w *work) recordAs(ctx context.Context, action string, text message.Text, diff kind.Diff) error {
	return w.append(ctx, w.tx, w.who, w.toldAs(action, text, diff))
}

// toldAs returns the audit record of a change in other words than usual.
func (w *work) toldAs(action string, text message.Text, diff kind.Diff) *inventory.Audit {
	a := newAudit(action, text)
	for _, c := range diff.Changes {
		a.Changes = append(a.Changes, inventory.AuditChange(c))
	}
	return concerning(w.kind, w.state(), a)
}

// newAudit returns an audit record that says what was done.
func newAudit(action string, text message.Text) *inventory.Audit {
	a := &inventory.Audit{Action: action}
	a.Say(text)
	return a
}

// write completes an audit record about rec and stores it.
func (d *Desk) write(ctx context.Context, tx *store.Tx, who Caller, k *kind.Schema, rec any, a *inventory.Audit) error {
	return d.append(ctx, tx, who, concerning(k, rec, a))
}

// concerning makes an audit record one about rec.
func concerning(k *kind.Schema, rec any, a *inventory.Audit) *inventory.Audit {
	a.RecordType, a.RecordID, a.RecordName = k.Item, kind.Some(k.Meta(rec).ID), recordName(k, rec)
	a.Computers = append(a.Computers, about(a.Action, rec)...)
	return a
}

// append stores audit records that say what was done, and completes who did it.
func (d *Desk) append(ctx context.Context, tx *store.Tx, who Caller, audits ...*inventory.Audit) error {
	recs := make([]any, len(audits))
	for i, a := range audits {
		a.Origin = who.Origin
		if who.User != nil {
			a.User = who.User.Person()
		}
		if r := who.report; r != nil {
			a.Report, a.AgentToken, a.Address = kind.Some(r.number), r.token, r.address
			a.AgentID = kind.Int{V: r.agent, Valid: r.agent != 0}
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

// sentence tells a change. What follows from the changes, or from the name and the action, needs no wording.
func sentence(k *kind.Schema, action string, rec any, diff kind.Diff) message.Text {
	if action == inventory.Updated && len(diff.Sentences) > 0 {
		return message.Plain(diff.Message())
	}
	if tell := rules[k].tell; tell != nil && action == inventory.Created {
		return tell(rec)
	}
	words := []string{kind.Words(k.Noun), recordName(k, rec), map[string]string{
		inventory.Created: "created", inventory.Updated: "updated", inventory.Deleted: "deleted",
	}[action]}
	return message.Plain(strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "))
}

// showAudits tells where the records are that audit records are about, as far
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

// besideAudit names the record that an audit record is about, where there is one
// of that kind.
func besideAudit(rec any) []kind.Name {
	a := rec.(*inventory.Audit)
	if k := inventory.Find(a.RecordType); k != nil {
		return []kind.Name{{Kind: k, ID: a.RecordID.V}}
	}
	return nil
}
