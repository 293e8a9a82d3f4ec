package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
)

// An Installation says what the desk works on.
type Installation struct {
	Database string // SQLite or PostgreSQL
	Bytes    int64  // of the database
	Head     store.Head
}

// Installation returns to administrators what the desk works on.
func (d *Desk) Installation(ctx context.Context, who Caller) (in Installation, err error) {
	if who.User != nil && who.User.Role != inventory.Administrator {
		return in, Refuse(Forbidden, "a %s may not see this", message.Word(who.User.Role))
	}
	in.Database = "SQLite"
	if d.store.Shared() {
		in.Database = "PostgreSQL"
	}
	k := inventory.Audits.Schema
	if err := d.Complete(ctx, k); err != nil {
		return in, err
	}
	err = d.store.View(ctx, func(tx *store.Tx) error {
		if in.Head, err = tx.Head(ctx, k); err != nil {
			return err
		}
		in.Bytes, err = tx.Size(ctx)
		return err
	})
	return in, err
}
