package store

import (
	"context"
	"errors"
	"time"

	"muster/internal/store/sqldb"
)

// A Triple is what digest authentication accepts once: a hash of a nonce, its
// count and the client's own nonce, and when the nonce ends. One nonce ends for
// all nodes at the same time, so that the end may lead the table's only index.
type Triple struct {
	Key     []byte
	Expires time.Time
}

// Of the triples that are used, one in sweepShare forgets up to sweepTriples old
// ones: together more than come, and most changes pay nothing for it.
const (
	sweepShare   = 16
	sweepTriples = 4 * sweepShare
)

// TripleIsFree returns ErrUsed when a change was made with a triple.
func (tx *Tx) TripleIsFree(ctx context.Context, t Triple) error {
	err := tx.one(ctx, "SELECT expires_at FROM triples WHERE expires_at = $1 AND key = $2",
		[]any{t.Expires.Unix(), t.Key}, func(sqldb.Row) error { return ErrUsed })
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// UseTriple uses up a triple for the transaction's change, and forgets some that
// ended before the given time. It returns ErrUsed when a change was made with it
// before. One that is about to be made is waited for: the triple is free again
// if that comes to nothing.
func (tx *Tx) UseTriple(ctx context.Context, t Triple, since time.Time) error {
	err := tx.one(ctx, "INSERT INTO triples (expires_at, key) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING expires_at",
		[]any{t.Expires.Unix(), t.Key}, func(sqldb.Row) error { return nil })
	if errors.Is(err, ErrNotFound) {
		return ErrUsed
	}
	if err != nil || t.Key[0]%sweepShare != 0 {
		return err
	}
	return tx.exec(ctx, `DELETE FROM triples WHERE (expires_at, key) IN
		(SELECT expires_at, key FROM triples WHERE expires_at < $1 ORDER BY expires_at LIMIT $2`+tx.store.database.Dialect().Skip+")",
		since.Unix(), int64(sweepTriples))
}
