package store

import (
	"context"
	"errors"
	"time"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// Reported returns the document of what agents report for the fields of a computer that a person has set, nil
// when there is none.
func (tx *Tx) Reported(ctx context.Context, computer int64) (document []byte, err error) {
	err = tx.One(ctx, "SELECT document FROM reported WHERE hardware_id = $1", []any{computer}, func(r sqldb.Row) error {
		document = r.Bytes(0, nil)
		return nil
	})
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return document, err
}

// SetReported stores the document that Reported returns; nil removes it.
func (tx *Tx) SetReported(ctx context.Context, computer int64, document []byte) error {
	if document == nil {
		return tx.Exec(ctx, "DELETE FROM reported WHERE hardware_id = $1", computer)
	}
	return tx.Exec(ctx, `INSERT INTO reported (hardware_id, document) VALUES ($1, $2)
		ON CONFLICT (hardware_id) DO UPDATE SET document = excluded.document`, computer, string(document))
}

// An AddressChange is a change of a computer's network address. These are too many for the audit trail.
type AddressChange struct {
	kind.Change
	At time.Time
}

// AddAddresses adds to the history of a computer's addresses.
func (tx *Tx) AddAddresses(ctx context.Context, computer int64, changes []kind.Change, now time.Time) error {
	for _, c := range changes {
		err := tx.Exec(ctx, "INSERT INTO addresses (hardware_id, changed_at, field, was, became) VALUES ($1, $2, $3, $4, $5)",
			computer, seconds(now).Unix(), c.Field, mapping.TextArg(c.From), mapping.TextArg(c.To))
		if err != nil {
			return err
		}
	}
	return nil
}

// Addresses returns the history of a computer's addresses, the oldest first.
func (tx *Tx) Addresses(ctx context.Context, computer int64) (all []AddressChange, err error) {
	err = tx.Query(ctx, "SELECT field, was, became, changed_at FROM addresses WHERE hardware_id = $1 ORDER BY id",
		[]any{computer}, func(r sqldb.Row) error {
			text := func(i int) string { return string(r.Bytes(i, nil)) }
			all = append(all, AddressChange{
				kind.Change{Field: text(0), From: text(1), To: text(2)}, mapping.TimeAt(r, 3),
			})
			return nil
		})
	return all, err
}
