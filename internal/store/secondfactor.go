package store

import (
	"context"
	"time"

	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A SecondFactor proves who a user is, in addition to the password.
type SecondFactor struct {
	UserID      int64
	Secret      []byte    // sealed
	ConfirmedAt time.Time // since when codes are required, zero until a first one was right
	LastStep    int64     // of the last code that was accepted
	Failures    int64     // wrong codes since the last right one
	FailedAt    time.Time // of the last wrong code, zero for none
}

// SecondFactorOf returns the second factor of a user, or ErrNotFound.
func (tx *Tx) SecondFactorOf(ctx context.Context, userID int64) (SecondFactor, error) {
	return tx.secondFactor(ctx, userID, "")
}

// LockedSecondFactor is SecondFactorOf with an exclusive lock, in an Update that changes it.
func (tx *Tx) LockedSecondFactor(ctx context.Context, userID int64) (SecondFactor, error) {
	return tx.secondFactor(ctx, userID, tx.Dialect().ForUpdate)
}

func (tx *Tx) secondFactor(ctx context.Context, userID int64, lock string) (f SecondFactor, err error) {
	sql := "SELECT r.user_id, r.secret, r.confirmed_at, r.last_step, r.failures, r.failed_at FROM second_factors r WHERE r.user_id = $1" + lock
	err = tx.One(ctx, sql, []any{userID}, func(r sqldb.Row) error {
		f = SecondFactor{r.Int(0), r.Bytes(1, nil), mapping.TimeAt(r, 2), r.Int(3), r.Int(4), mapping.TimeAt(r, 5)}
		return nil
	})
	return f, err
}

// SetSecondFactor stores the second factor of a user, replacing a former one.
func (tx *Tx) SetSecondFactor(ctx context.Context, f SecondFactor) error {
	return tx.Exec(ctx, `INSERT INTO second_factors (user_id, secret, confirmed_at, last_step, failures, failed_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, confirmed_at = excluded.confirmed_at, last_step = excluded.last_step,
		failures = excluded.failures, failed_at = excluded.failed_at`,
		f.UserID, f.Secret, mapping.TimeArg(f.ConfirmedAt), f.LastStep, f.Failures, mapping.TimeArg(f.FailedAt))
}

// RemoveSecondFactor removes the second factor of a user with its recovery codes.
func (tx *Tx) RemoveSecondFactor(ctx context.Context, userID int64) error {
	if err := tx.Exec(ctx, "DELETE FROM second_factors WHERE user_id = $1", userID); err != nil {
		return err
	}
	return tx.RemoveRecoveryCodes(ctx, userID)
}

// RemoveRecoveryCodes removes the recovery codes that a user has left.
func (tx *Tx) RemoveRecoveryCodes(ctx context.Context, userID int64) error {
	return tx.Exec(ctx, "DELETE FROM recovery_codes WHERE user_id = $1", userID)
}

// AddRecoveryCode stores the hash of a recovery code, which works once.
func (tx *Tx) AddRecoveryCode(ctx context.Context, userID int64, hash []byte) error {
	return tx.Exec(ctx, "INSERT INTO recovery_codes (user_id, hash) VALUES ($1, $2)", userID, hash)
}

// UseRecoveryCode consumes a recovery code of a user, or returns ErrNotFound.
func (tx *Tx) UseRecoveryCode(ctx context.Context, userID int64, hash []byte) error {
	return tx.One(ctx, "DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2 RETURNING user_id",
		[]any{userID, hash}, func(sqldb.Row) error { return nil })
}

// RecoveryCodes returns how many recovery codes a user has left.
func (tx *Tx) RecoveryCodes(ctx context.Context, userID int64) (n int64, err error) {
	err = tx.One(ctx, "SELECT count(*) FROM recovery_codes WHERE user_id = $1", []any{userID}, func(r sqldb.Row) error {
		n = r.Int(0)
		return nil
	})
	return n, err
}
