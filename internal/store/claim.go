package store

import (
	"context"

	"muster/internal/store/sqldb"
)

// SetClaimReport stores the report of a claim, packed.
func (tx *Tx) SetClaimReport(ctx context.Context, claim int64, body []byte) error {
	return tx.Exec(ctx, "INSERT INTO claim_reports (claim_id, body) VALUES ($1, $2) ON CONFLICT (claim_id) DO UPDATE SET body = excluded.body", claim, body)
}

// ClaimReport returns the report of a claim, or ErrNotFound.
func (tx *Tx) ClaimReport(ctx context.Context, claim int64) (body []byte, err error) {
	err = tx.One(ctx, "SELECT body FROM claim_reports WHERE claim_id = $1", []any{claim}, func(r sqldb.Row) error {
		body = r.Bytes(0, nil)
		return nil
	})
	return body, err
}

// RemoveClaimReport removes the report of a claim.
func (tx *Tx) RemoveClaimReport(ctx context.Context, claim int64) error {
	return tx.Exec(ctx, "DELETE FROM claim_reports WHERE claim_id = $1", claim)
}
