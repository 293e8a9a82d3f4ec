package store

import (
	"context"

	"muster/internal/store/sqldb"
)

// An IdentityKey is one key of a computer.
type IdentityKey struct {
	Key      string
	Computer int64
}

// IdentityKeys returns up to most identity keys of computers after one, in order.
func (tx *Tx) IdentityKeys(ctx context.Context, after IdentityKey, most int) (keys []IdentityKey, err error) {
	err = tx.Query(ctx,
		"SELECT key, hardware_id FROM identities WHERE key > $1 OR key = $1 AND hardware_id > $2 ORDER BY key, hardware_id LIMIT $3",
		[]any{after.Key, after.Computer, int64(most)}, func(r sqldb.Row) error {
			keys = append(keys, IdentityKey{string(r.Bytes(0, nil)), r.Int(1)})
			return nil
		})
	return keys, err
}
