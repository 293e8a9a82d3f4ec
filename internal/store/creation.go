package store

import (
	"context"
	"time"

	"muster/internal/store/sqldb"
)

// A Creation is a record that was created with an idempotency key, so that a repeated request can be
// recognised.
type Creation struct {
	UserID   int64
	Path     string // of the collection
	Key      string
	Body     []byte // hash of the document
	RecordID int64  // 0 until the record is created
}

// sweepSize is how many expired creations are deleted with each new one: more than one, so that they do not
// pile up, and few, so that it stays cheap.
const sweepSize = 20

// Creation fills in c, which has a user, a path and a key, with the record that was created with these since
// the given time, or returns ErrNotFound.
func (tx *Tx) Creation(ctx context.Context, c *Creation, since time.Time) error {
	return tx.One(ctx, "SELECT body, record_id FROM creations WHERE user_id = $1 AND path = $2 AND key = $3 AND created_at >= $4",
		[]any{c.UserID, c.Path, c.Key, since.Unix()}, func(r sqldb.Row) error {
			c.Body, c.RecordID = r.Bytes(0, nil), r.Int(1)
			return nil
		})
}

// AddCreation stores a new creation, replacing an expired one from before the given time, and deletes some
// other expired ones. If two transactions add the same creation at once, one of them is run again.
func (tx *Tx) AddCreation(ctx context.Context, c Creation, now, since time.Time) error {
	err := tx.Exec(ctx, "DELETE FROM creations WHERE user_id = $1 AND path = $2 AND key = $3 AND created_at < $4",
		c.UserID, c.Path, c.Key, since.Unix())
	if err != nil {
		return err
	}
	err = tx.Exec(ctx, `DELETE FROM creations WHERE (user_id, path, key) IN
		(SELECT user_id, path, key FROM creations WHERE created_at < $1 ORDER BY created_at LIMIT $2`+tx.Dialect().Skip+")",
		since.Unix(), int64(sweepSize))
	if err != nil {
		return err
	}
	return tx.Exec(ctx, "INSERT INTO creations (user_id, path, key, body, record_id, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
		c.UserID, c.Path, c.Key, c.Body, c.RecordID, now.Unix())
}

// SetCreation stores the record of a creation that was added in the same transaction.
func (tx *Tx) SetCreation(ctx context.Context, c Creation) error {
	return tx.Exec(ctx, "UPDATE creations SET record_id = $1 WHERE user_id = $2 AND path = $3 AND key = $4",
		c.RecordID, c.UserID, c.Path, c.Key)
}
