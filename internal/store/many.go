package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// InsertTogether is Insert of many records of a kind with fields that are unique together, in few statements.
// It returns those that were stored. A record with the same values as an earlier one gets the id of that one,
// also when another transaction has just stored it; in that case it waits for the end of that transaction.
func (tx *Tx) InsertTogether(ctx context.Context, k *kind.Schema, recs []any, now time.Time) (made []any, err error) {
	t, first := tx.table(k), map[mapping.UniqueHash]any{}
	var different []any
	hashes := make([]mapping.UniqueHash, len(recs))
	for i, rec := range recs {
		hashes[i] = mapping.UniqueHashOf(k, rec)
		if first[hashes[i]] == nil {
			first[hashes[i]] = rec
			different = append(different, rec)
		}
	}
	for rest := different; len(rest) > 0; {
		size := sqldb.FittingRows(len(rest))
		if err := tx.insertMany(ctx, t, rest[:size], now, first); err != nil {
			return nil, err
		}
		rest = rest[size:]
	}
	if made, err = tx.stored(ctx, k, different); err != nil {
		return nil, err
	}
	for i, rec := range recs {
		k.Meta(rec).ID = k.Meta(first[hashes[i]]).ID
	}
	for _, rec := range made {
		tx.touchAll(t, rec)
		if err := tx.insertSideRows(ctx, t, rec); err != nil {
			return nil, err
		}
	}
	return made, tx.appendSearch(ctx, t, made)
}

// stored returns the records that were stored, and sets the ids of those that another transaction has stored.
func (tx *Tx) stored(ctx context.Context, k *kind.Schema, recs []any) (made []any, err error) {
	var others []any
	for _, rec := range recs {
		if k.Meta(rec).ID != 0 {
			made = append(made, rec)
		} else {
			others = append(others, rec)
		}
	}
	if err := tx.FindTogether(ctx, k, others); err != nil {
		return nil, err
	}
	for _, rec := range others {
		if k.Meta(rec).ID == 0 { // deleted in the meantime
			return nil, ErrAgain
		}
	}
	return made, nil
}

// insertMany stores as many new records as one statement takes, and sets their ids by their unique values.
func (tx *Tx) insertMany(ctx context.Context, t *mapping.Table, recs []any, now time.Time,
	by map[mapping.UniqueHash]any) error {
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	args := make([]any, 0, len(recs)*len(names))
	for _, rec := range recs {
		stamp(t.Kind.Meta(rec), now)
		args = append(args, t.Args(rec, t.Columns)...)
	}
	sql := fmt.Sprintf("INSERT INTO %s (%s) VALUES %s ON CONFLICT DO NOTHING RETURNING id, %s", t.Name,
		strings.Join(names, ", "), sqldb.Tuples(len(recs), len(names)), mapping.UniqueColumn)
	return tx.Query(ctx, sql, args, func(r sqldb.Row) error {
		t.Kind.Meta(by[mapping.UniqueHash(r.Bytes(1, nil))]).ID = r.Int(0)
		return nil
	})
}

// Append is Insert of many records of a chained kind: it adds them to the chain, or on PostgreSQL to the
// pending records, without setting their ids.
func (tx *Tx) Append(ctx context.Context, k *kind.Schema, recs []any, now time.Time) error {
	t := tx.table(k)
	for _, rec := range recs {
		stamp(k.Meta(rec), now)
		k.Meta(rec).UpdatedAt = k.Meta(rec).CreatedAt
	}
	if !tx.store.Shared() {
		return tx.extend(ctx, t, recs)
	}
	for rest := recs; len(rest) > 0; {
		size := sqldb.FittingRows(len(rest))
		var args []any
		for _, rec := range rest[:size] {
			args = append(args, t.Args(rec, t.Columns)...)
		}
		if err := tx.Exec(ctx, t.Chain.Add[size], args...); err != nil {
			return err
		}
		rest = rest[size:]
	}
	return nil
}
