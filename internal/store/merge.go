package store

import (
	"context"
	"errors"
	"fmt"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// LockApart locks the apart fields of some records until the transaction ends. If a record has been deleted,
// the transaction is run again.
func (tx *Tx) LockApart(ctx context.Context, k *kind.Schema, ids ...int64) error {
	return tx.LockRows(ctx, mapping.ApartName(k), ids)
}

// Merge moves the agents, identity keys and addresses of one computer to another, and stores that it was merged
// into it. The next report of each agent is processed in full. What agents reported for fields that a person
// has set is deleted; see SetReported.
func (tx *Tx) Merge(ctx context.Context, computer, into int64) error {
	for _, sql := range []string{
		"UPDATE agents SET hardware_id = $2, sum = NULL, digests = NULL, speaks = NULL, unheard = NULL WHERE hardware_id IN ($1, $2)",
		`INSERT INTO identities (key, hardware_id) SELECT key, $2 FROM identities WHERE hardware_id = $1
			AND key NOT IN (SELECT key FROM identities WHERE hardware_id = $2)`,
		"UPDATE addresses SET hardware_id = $2 WHERE hardware_id = $1",
		"UPDATE merges SET into_id = $2 WHERE into_id = $1",
		"INSERT INTO merges (id, into_id) VALUES ($1, $2)",
	} {
		if err := tx.Exec(ctx, sql, computer, into); err != nil {
			return err
		}
	}
	for _, sql := range []string{
		"DELETE FROM identities WHERE hardware_id = $1", "DELETE FROM reported WHERE hardware_id = $1",
	} {
		if err := tx.Exec(ctx, sql, computer); err != nil {
			return err
		}
	}
	return tx.mergeNotOne(ctx, computer, into)
}

// MergedInto returns the computer that another was merged into, 0 when it was not merged.
func (tx *Tx) MergedInto(ctx context.Context, computer int64) (into int64, err error) {
	err = tx.One(ctx, "SELECT into_id FROM merges WHERE id = $1", []any{computer}, func(r sqldb.Row) error {
		into = r.Int(0)
		return nil
	})
	if errors.Is(err, ErrNotFound) {
		return 0, nil
	}
	return into, err
}

// HistoryOf returns the tie of audit records to the history of a computer: those tied to it or to a computer
// merged into it, except those that were moved with an agent to another, and those that were moved here.
func HistoryOf(t kind.Tie) kind.Tie {
	t.Merged, t.Moved = "merges", "moved_audits"
	return t
}

// Analyze tells PostgreSQL how much a table has that was filled just now: statements that it has planned before, for
// little, would read all of it.
func (tx *Tx) Analyze(ctx context.Context, table string) error {
	if !tx.Shared() {
		return nil // SQLite's plans do not depend on it
	}
	return tx.Exec(ctx, "ANALYZE "+table)
}

// LockRows locks up to 1000 records of a table in the order of their ids, which all transactions use to avoid
// deadlocks.
func (tx *Tx) LockRows(ctx context.Context, table string, ids []int64) error {
	if !tx.Shared() {
		return nil // SQLite has one writer
	}
	params, args := sqldb.InBatch(nil, ids)
	n := 0
	err := tx.Query(ctx, fmt.Sprintf("SELECT r.id FROM %s r WHERE r.id IN (%s) ORDER BY r.id%s", table, params,
		tx.Dialect().ForUpdate),
		args, func(sqldb.Row) error {
			n++
			return nil
		})
	if err == nil && n < len(ids) {
		return ErrAgain
	}
	return err
}
