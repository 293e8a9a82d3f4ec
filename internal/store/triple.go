package store

import (
	"context"
	"errors"
	"time"

	"muster/internal/store/sqldb"
)

// A Triple is what digest authentication accepts once: a hash of a nonce, its count and the client's nonce,
// with the time when the nonce ends. That time is the same on all nodes, so that it can lead the table's only
// index.
type Triple struct {
	Key     []byte
	Expires time.Time
}

// One use of a triple in sweepShare deletes up to sweepTriples expired ones: more than are added meanwhile, at
// no cost for most changes.
const (
	sweepShare   = 16
	sweepTriples = 4 * sweepShare
)

// TripleIsFree returns ErrUsed when a change was made with a triple.
func (tx *Tx) TripleIsFree(ctx context.Context, t Triple) error {
	err := tx.One(ctx, "SELECT expires_at FROM triples WHERE expires_at = $1 AND key = $2",
		[]any{t.Expires.Unix(), t.Key}, func(sqldb.Row) error { return ErrUsed })
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// UseTriple stores a triple as used by this transaction's change, and deletes some that ended before the given
// time. It returns ErrUsed when a change was made with it before. If another transaction is using it, it waits
// for its end; if that fails, the triple is free again.
func (tx *Tx) UseTriple(ctx context.Context, t Triple, since time.Time) error {
	err := tx.One(ctx, "INSERT INTO triples (expires_at, key) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING expires_at",
		[]any{t.Expires.Unix(), t.Key}, func(sqldb.Row) error { return nil })
	if errors.Is(err, ErrNotFound) {
		return ErrUsed
	}
	if err != nil || t.Key[0]%sweepShare != 0 {
		return err
	}
	return tx.Exec(ctx, `DELETE FROM triples WHERE (expires_at, key) IN
		(SELECT expires_at, key FROM triples WHERE expires_at < $1 ORDER BY expires_at LIMIT $2`+tx.Dialect().Skip+")",
		since.Unix(), int64(sweepTriples))
}
