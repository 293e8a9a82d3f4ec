package store

import (
	"context"
	"errors"
	"time"

	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// AddKnownAddress stores that a user signed in from an address, and deletes all but the newest addresses of
// that user.
func (tx *Tx) AddKnownAddress(ctx context.Context, userID int64, address string, now time.Time, kept int) error {
	err := tx.Exec(ctx, `INSERT INTO let_in (user_id, address, at) VALUES ($1, $2, $3)
		ON CONFLICT (user_id, address) DO UPDATE SET at = excluded.at`, userID, address, now.Unix())
	if err != nil {
		return err
	}
	return tx.Exec(ctx, `DELETE FROM let_in WHERE user_id = $1 AND address NOT IN
		(SELECT address FROM let_in WHERE user_id = $1 ORDER BY at DESC, address LIMIT $2)`, userID, int64(kept))
}

// KnownAddress returns when a user last signed in from an address, the zero time for never.
func (tx *Tx) KnownAddress(ctx context.Context, userID int64, address string) (at time.Time, err error) {
	err = tx.One(ctx, "SELECT at FROM let_in WHERE user_id = $1 AND address = $2", []any{userID, address},
		func(r sqldb.Row) error {
			at = mapping.TimeAt(r, 0)
			return nil
		})
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return at, err
}

// RemoveKnownAddresses deletes the addresses of a user, who is about to be deleted.
func (tx *Tx) RemoveKnownAddresses(ctx context.Context, userID int64) error {
	return tx.Exec(ctx, "DELETE FROM let_in WHERE user_id = $1", userID)
}
