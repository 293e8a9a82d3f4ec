package store

import (
	"context"
	"errors"
	"strconv"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// NotOne is the prefix of identity keys that keep a computer from being merged with another, whose id follows.
const NotOne = "n:"

// NotOneKey returns the identity key that keeps a computer from being merged with another.
func NotOneKey(other int64) string { return NotOne + strconv.FormatInt(other, 10) }

// mergeNotOne moves the keys against merging from a computer to the one that it is merged into, except those
// between the two.
func (tx *Tx) mergeNotOne(ctx context.Context, computer, into int64) error {
	was, is := NotOneKey(computer), NotOneKey(into)
	if err := tx.Exec(ctx, "DELETE FROM identities WHERE hardware_id = $1 AND key IN ($2, $3)", into, was,
		is); err != nil {
		return err
	}
	err := tx.Exec(ctx, "INSERT INTO identities (key, hardware_id) SELECT CAST($1 AS TEXT), hardware_id FROM identities WHERE key = $2 ON CONFLICT DO NOTHING", is, was)
	if err != nil {
		return err
	}
	return tx.Exec(ctx, "DELETE FROM identities WHERE key = $1", was)
}

// MoveAgent moves an agent to another computer. Its next report is processed in full.
func (tx *Tx) MoveAgent(ctx context.Context, agent, computer int64) error {
	return tx.Exec(ctx, "UPDATE agents SET hardware_id = $1, sum = NULL, digests = NULL, speaks = NULL, unheard = NULL WHERE id = $2", computer, agent)
}

// HasPendingAudits reports whether records of a chained kind about a record are not in the chain yet. The
// caller has locked that record.
func (tx *Tx) HasPendingAudits(ctx context.Context, chained *kind.Schema, record int64) (bool, error) {
	if !tx.store.Shared() {
		return false, nil
	}
	err := tx.One(ctx, "SELECT 1 FROM "+tx.table(chained).Chain.Pending+" WHERE record_id = $1 LIMIT 1",
		[]any{record}, nothing)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// MoveHistory moves audit records from the history of one computer to that of another. The audit records
// themselves are not changed.
func (tx *Tx) MoveHistory(ctx context.Context, from, to int64, audits []int64) error {
	for len(audits) > 0 {
		n := sqldb.FittingRows(len(audits))
		var args []any
		for _, id := range audits[:n] {
			args = append(args, id, from, to)
		}
		sql := "INSERT INTO moved_audits (id, from_id, to_id) VALUES " + sqldb.Tuples(n,
			3) + " ON CONFLICT (id) DO UPDATE SET from_id = excluded.from_id, to_id = excluded.to_id"
		if err := tx.Exec(ctx, sql, args...); err != nil {
			return err
		}
		audits = audits[n:]
	}
	return nil
}
