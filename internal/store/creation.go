package store

import (
	"context"
	"time"
)

// A Creation is a record that a user made under a key of their own, so that a
// repetition of the request can be told from a second one.
type Creation struct {
	UserID   int64
	Path     string // of the collection
	Key      string
	Body     []byte // hash of the document
	RecordID int64  // 0 until the record is made
}

// Creation completes c, which names a user, a path and a key, with the record
// that was made so, or returns ErrNotFound. Those from before the given time
// are forgotten.
func (tx *Tx) Creation(ctx context.Context, c *Creation, since time.Time) error {
	if err := tx.exec(ctx, "DELETE FROM creations WHERE created_at < $1", since.Unix()); err != nil {
		return err
	}
	return tx.one(ctx, "SELECT body, record_id FROM creations WHERE user_id = $1 AND path = $2 AND key = $3",
		[]any{c.UserID, c.Path, c.Key}, func(r row) error {
			c.Body, c.RecordID = r.bytes(0, nil), r.int(1)
			return nil
		})
}

// AddCreation stores a new creation. If another transaction is about to do so
// too, one of them is run again.
func (tx *Tx) AddCreation(ctx context.Context, c Creation, now time.Time) error {
	return tx.exec(ctx, "INSERT INTO creations (user_id, path, key, body, record_id, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
		c.UserID, c.Path, c.Key, c.Body, c.RecordID, now.Unix())
}

// SetCreation sets the record of a creation that was added in the same
// transaction.
func (tx *Tx) SetCreation(ctx context.Context, c Creation) error {
	return tx.exec(ctx, "UPDATE creations SET record_id = $1 WHERE user_id = $2 AND path = $3 AND key = $4", c.RecordID, c.UserID, c.Path, c.Key)
}
