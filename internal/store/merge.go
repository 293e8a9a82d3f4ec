package store

import (
	"context"
	"errors"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// LockApart lets nobody renew what is apart of some records before the
// transaction ends. One that is gone makes the transaction run again.
func (tx *Tx) LockApart(ctx context.Context, k *kind.Schema, ids ...int64) error {
	return tx.lockRows(ctx, mapping.ApartName(k), ids)
}

// Merge makes the agents of a computer, what identifies it and where it was
// those of another, and notes that the one has become the other. The next report
// of each agent counts whole. What the agents told of fields that a person has
// set is forgotten; see SetReported.
func (tx *Tx) Merge(ctx context.Context, computer, into int64) error {
	for _, sql := range []string{
		"UPDATE agents SET hardware_id = $2, sum = NULL, digests = NULL, speaks = NULL, unheard = NULL WHERE hardware_id IN ($1, $2)",
		`INSERT INTO identities (key, hardware_id) SELECT key, $2 FROM identities WHERE hardware_id = $1
			AND key NOT IN (SELECT key FROM identities WHERE hardware_id = $2)`,
		"UPDATE addresses SET hardware_id = $2 WHERE hardware_id = $1",
		"UPDATE merges SET into_id = $2 WHERE into_id = $1",
		"INSERT INTO merges (id, into_id) VALUES ($1, $2)",
	} {
		if err := tx.exec(ctx, sql, computer, into); err != nil {
			return err
		}
	}
	for _, sql := range []string{
		"DELETE FROM identities WHERE hardware_id = $1", "DELETE FROM reported WHERE hardware_id = $1",
	} {
		if err := tx.exec(ctx, sql, computer); err != nil {
			return err
		}
	}
	return tx.mergeNotOne(ctx, computer, into)
}

// MergedInto returns which computer another has become, 0 when it is none that
// was merged.
func (tx *Tx) MergedInto(ctx context.Context, computer int64) (into int64, err error) {
	err = tx.one(ctx, "SELECT into_id FROM merges WHERE id = $1", []any{computer}, func(r sqldb.Row) error {
		into = r.Int(0)
		return nil
	})
	if errors.Is(err, ErrNotFound) {
		return 0, nil
	}
	return into, err
}

// HistoryOf returns the condition that audit records are the history of a computer:
// that they are tied to it, or to one that has become it, and have not gone with an
// agent to another; or that they have come with one.
func HistoryOf(t kind.Tie) kind.Tie {
	t.Merged, t.Moved = "merges", "moved_audits"
	return t
}
