package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/store"
)

// CompleteTrail adds the audit records of all changes that are made to the
// trail.
func (d *Desk) CompleteTrail(ctx context.Context) error {
	return d.Complete(ctx, inventory.Audits.Schema)
}

// NoteTrail records what has become of the file in which a node keeps the head
// of the audit trail.
func (d *Desk) NoteTrail(ctx context.Context, who Caller, node, text string) error {
	return d.store.Update(ctx, func(tx *store.Tx) error {
		return d.AppendAudits(ctx, tx, who, &inventory.Audit{
			Action: inventory.Updated, RecordType: "audit-head", RecordName: node, Message: text,
		})
	})
}
