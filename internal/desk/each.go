package desk

import (
	"context"
	"slices"

	"muster/internal/kind"
	"muster/internal/store"
)

// eachSize is how many records are read at a time.
const eachSize = 500

// IDs returns the ids of all records that match a query and that the caller may
// see, in its order.
func (d *Desk) IDs(ctx context.Context, who Caller, k *kind.Schema, q *kind.Query) ([]int64, error) {
	if err := d.Complete(ctx, k); err != nil {
		return nil, err
	}
	scoped, err := scope(who.User, k, q)
	if err != nil {
		return nil, err
	}
	return d.store.IDs(ctx, k, scoped)
}

// Each calls a function with records of some ids, as lists show them, in that
// order and some at a time. Those that are gone by then, or that the caller may
// not see any more, are left out. Nothing is locked while the function runs: it may
// be as slow as whoever takes the records.
func (d *Desk) Each(ctx context.Context, who Caller, k *kind.Schema, ids []int64, do func(recs []any) error) error {
	for some := range slices.Chunk(ids, eachSize) {
		var recs []any
		err := d.store.View(ctx, func(tx *store.Tx) (err error) {
			if recs, err = tx.Rows(ctx, k, some); err != nil {
				return err
			}
			recs = slices.DeleteFunc(recs, func(rec any) bool { return !sees(who.User, k, rec) })
			return (&view{d, tx, who.User, false}).show(ctx, k, recs)
		})
		if err != nil {
			return err
		}
		if err := do(recs); err != nil {
			return err
		}
	}
	return nil
}
