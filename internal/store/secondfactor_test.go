package store_test

import (
	"testing"
	"time"

	"muster/internal/store"
)

// TestSecondFactors stores second factors and recovery codes, uses these up, and
// removes all of a user.
func TestSecondFactors(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		at := now.UTC().Truncate(time.Second)
		begun := store.SecondFactor{UserID: 7, Secret: []byte{0, 255}}
		on := store.SecondFactor{
			UserID: 7, Secret: []byte{1}, ConfirmedAt: at, LastStep: 59, Failures: 2, FailedAt: at.Add(time.Hour),
		}
		other := store.SecondFactor{UserID: 8, Secret: []byte{2}}
		for _, f := range []store.SecondFactor{begun, other, on} {
			update(t, s, func(tx *store.Tx) error {
				if err := tx.SetSecondFactor(ctx, f); err != nil {
					return err
				}
				got, err := tx.LockedSecondFactor(ctx, f.UserID)
				equal(t, "stored", got, f)
				return err
			})
		}
		update(t, s, func(tx *store.Tx) error {
			for _, c := range []struct {
				user int64
				code string
			}{{7, "a"}, {7, "b"}, {8, "a"}} {
				if err := tx.AddRecoveryCode(ctx, c.user, []byte(c.code)); err != nil {
					return err
				}
			}
			return tx.UseRecoveryCode(ctx, 7, []byte("a"))
		})
		wantCodes(t, s, 7, 1)
		for _, c := range []struct {
			user int64
			code string
		}{{7, "a"}, {8, "b"}} {
			is(t, "code "+c.code, s.Update(ctx,
				func(tx *store.Tx) error { return tx.UseRecoveryCode(ctx, c.user, []byte(c.code)) }), store.ErrNotFound)
		}
		update(t, s, func(tx *store.Tx) error { return tx.RemoveSecondFactor(ctx, 7) })
		wantCodes(t, s, 7, 0)
		wantCodes(t, s, 8, 1)
		view(t, s, func(tx *store.Tx) error {
			_, gone := tx.SecondFactorOf(ctx, 7)
			is(t, "removed", gone, store.ErrNotFound)
			got, err := tx.SecondFactorOf(ctx, 8)
			equal(t, "of another", got, other)
			return err
		})
	})
}

// wantCodes checks how many recovery codes a user has.
func wantCodes(t *testing.T, s *store.Store, userID, want int64) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		got, err := tx.RecoveryCodes(ctx, userID)
		equal(t, "recovery codes", got, want)
		return err
	})
}
