package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// record writes the audit record of a change, in its transaction; rec is nil
// when it is deleted, old when it is new.
func (d *Desk) record(ctx context.Context, tx *store.Tx, who Caller, k *kind.Schema, action string, rec, old any) error {
	now := rec
	if rec == nil {
		now = old
	}
	diff := k.Diff(old, rec)
	a := &inventory.Audit{Action: action, Message: message(k, action, recordName(k, now), diff)}
	for _, c := range diff.Changes {
		a.Changes = append(a.Changes, inventory.AuditChange(c))
	}
	return d.write(ctx, tx, who, k, now, a)
}

// write completes an audit record about rec and stores it.
func (d *Desk) write(ctx context.Context, tx *store.Tx, who Caller, k *kind.Schema, rec any, a *inventory.Audit) error {
	a.RecordType, a.RecordID, a.RecordName = k.Item, kind.Some(k.Meta(rec).ID), recordName(k, rec)
	a.Origin = who.Origin
	if who.User != nil {
		a.User = who.User.Person()
	}
	return tx.Insert(ctx, inventory.Audits.Schema, a, d.now())
}

// recordName returns what people call a record.
func recordName(k *kind.Schema, rec any) string {
	if f := k.Field("name"); f != nil {
		return k.Values(rec).Format(f)
	}
	return ""
}

// message tells a change in one sentence.
func message(k *kind.Schema, action, name string, diff kind.Diff) string {
	if action == inventory.Updated && len(diff.Sentences) > 0 {
		return diff.Message()
	}
	return kind.Words(k.Noun) + " " + name + " " + map[string]string{
		inventory.Created: "created", inventory.Updated: "updated", inventory.Deleted: "deleted",
	}[action]
}

// note writes the audit record of a change that no field shows.
func (d *Desk) note(ctx context.Context, tx *store.Tx, who Caller, k *kind.Schema, rec any, text string) error {
	return d.write(ctx, tx, who, k, rec, &inventory.Audit{Action: inventory.Updated, Message: text})
}
