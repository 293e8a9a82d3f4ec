package store

import "context"

// An IdentityKey is one key of a computer.
type IdentityKey struct {
	Key      string
	Computer int64
}

// IdentityKeys returns the keys of computers that follow one, in their order, and
// at most so many.
func (tx *Tx) IdentityKeys(ctx context.Context, after IdentityKey, most int) (keys []IdentityKey, err error) {
	err = tx.conn.query(ctx, "SELECT key, hardware_id FROM identities WHERE key > $1 OR key = $1 AND hardware_id > $2 ORDER BY key, hardware_id LIMIT $3",
		[]any{after.Key, after.Computer, int64(most)}, func(r row) error {
			keys = append(keys, IdentityKey{string(r.bytes(0, nil)), r.int(1)})
			return nil
		})
	return keys, err
}
