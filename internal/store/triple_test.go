package store_test

import (
	"errors"
	"testing"
	"time"

	"muster/internal/store"
)

// triple returns a triple whose hash begins with the given bytes.
func triple(key ...byte) store.Triple {
	return store.Triple{Key: append(key, make([]byte, 32-len(key))...), Expires: now}
}

// use returns a change that uses up a triple.
func use(t store.Triple) func(*store.Tx) error {
	return func(tx *store.Tx) error { return tx.UseTriple(ctx, t, now) }
}

// TestTriples uses each triple for one change that is made.
func TestTriples(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		free := func(k store.Triple) error {
			return s.View(ctx, func(tx *store.Tx) error { return tx.TripleIsFree(ctx, k) })
		}
		refusal := errors.New("refused")
		is(t, "a change that is refused", s.Update(ctx, func(tx *store.Tx) error {
			return errors.Join(use(triple(1))(tx), refusal)
		}), refusal)
		is(t, "free after it", free(triple(1)), nil)
		is(t, "a change that is made", s.Update(ctx, use(triple(1))), nil)
		is(t, "free after it", free(triple(1)), store.ErrUsed)
		is(t, "a second one", s.Update(ctx, use(triple(1))), store.ErrUsed)
		is(t, "another triple", s.Update(ctx, use(triple(1, 1))), nil)
		later := triple(1)
		later.Expires = now.Add(time.Second)
		is(t, "of a later nonce", s.Update(ctx, use(later)), nil)
	})
}

// TestTripleTogether: a change waits for another one with the same triple, and is
// made if that one is not.
func TestTripleTogether(t *testing.T) {
	t.Parallel()
	refusal := errors.New("refused")
	for first, second := range map[error]error{nil: store.ErrUsed, refusal: nil} {
		each(t, func(t *testing.T, s *store.Store) {
			outcome := make(chan error, 1)
			err := s.Update(ctx, func(tx *store.Tx) error {
				if err := use(triple(1))(tx); err != nil {
					return err
				}
				go func() { outcome <- s.Update(ctx, use(triple(1))) }()
				return first
			})
			is(t, "the first", err, first)
			is(t, "the second", <-outcome, second)
		})
	}
}

// TestTripleSweep forgets what has ended, little by little, and nothing else.
func TestTripleSweep(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		const old = 200
		update(t, s, func(tx *store.Tx) error {
			for i := range old {
				k := triple(1, byte(i))
				k.Expires = now.Add(-time.Second)
				if err := use(k)(tx); err != nil {
					return err
				}
			}
			return use(triple(1))(tx)
		})
		left := func(want int64) {
			t.Helper()
			view(t, s, func(tx *store.Tx) error {
				n, err := tx.Int(ctx, "SELECT count(*) FROM triples")
				equal(t, "triples left", n, want)
				return err
			})
		}
		left(old + 1)
		update(t, s, use(triple(16, 1)))
		left(old + 2 - 64)
		for i := range 4 {
			update(t, s, use(triple(32, byte(i))))
		}
		left(1 + 1 + 4)
	})
}
