package store

import (
	"context"
	"time"

	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A Bulk is the progress of a change of many records at once.
type Bulk struct {
	Key       string
	UserID    int64
	UpdatedAt time.Time
	Document  []byte
}

// Bulk returns the change with a key, or ErrNotFound.
func (tx *Tx) Bulk(ctx context.Context, key string) (b Bulk, err error) {
	err = tx.One(ctx, "SELECT key, user_id, updated_at, document FROM bulks WHERE key = $1", []any{key},
		func(r sqldb.Row) error {
			b = Bulk{string(r.Bytes(0, nil)), r.Int(1), mapping.TimeAt(r, 2), r.Bytes(3, nil)}
			return nil
		})
	return b, err
}

// SetBulk stores the progress of a change.
func (tx *Tx) SetBulk(ctx context.Context, b Bulk) error {
	return tx.Exec(ctx, `INSERT INTO bulks (key, user_id, updated_at, document) VALUES ($1, $2, $3, $4)
		ON CONFLICT (key) DO UPDATE SET updated_at = excluded.updated_at, document = excluded.document`,
		b.Key, b.UserID, seconds(b.UpdatedAt).Unix(), string(b.Document))
}

// RemoveBulks deletes the changes that were not updated since a time.
func (tx *Tx) RemoveBulks(ctx context.Context, since time.Time) error {
	return tx.Exec(ctx, "DELETE FROM bulks WHERE updated_at < $1", since.Unix())
}
