package trail

import (
	"context"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/store"
)

// Head returns how far the audit trail goes.
func Head(ctx context.Context, d *desk.Desk) (head store.Head, err error) {
	if err := Complete(ctx, d); err != nil {
		return head, err
	}
	err = d.Store().View(ctx, func(tx *store.Tx) error {
		head, err = tx.Head(ctx, inventory.Audits.Schema)
		return err
	})
	return head, err
}

// Complete adds the audit records of all changes that are made to the trail.
func Complete(ctx context.Context, d *desk.Desk) error {
	return d.Complete(ctx, inventory.Audits.Schema)
}

// Note records what has become of the file in which a node keeps the head of the
// audit trail.
func Note(ctx context.Context, d *desk.Desk, who desk.Caller, node, text string) error {
	return d.Store().Update(ctx, func(tx *store.Tx) error {
		return d.AppendAudits(ctx, tx, who, &inventory.Audit{
			Action: inventory.Updated, RecordType: "audit-head", RecordName: node, Message: text,
		})
	})
}
