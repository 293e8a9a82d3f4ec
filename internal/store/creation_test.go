package store_test

import (
	"fmt"
	"testing"
	"time"

	"muster/internal/store"
)

// TestCreations keeps the creations of a time, and forgets older ones little by
// little.
func TestCreations(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		const old = 50
		since := now.Add(-time.Hour)
		key := func(i int) store.Creation {
			return store.Creation{
				UserID: 1, Path: "/hardwares", Key: fmt.Sprint(i), Body: []byte("body"), RecordID: int64(i),
			}
		}
		update(t, s, func(tx *store.Tx) error {
			for i := range old {
				if err := tx.AddCreation(ctx, key(i), since.Add(-time.Second), time.Time{}); err != nil {
					return err
				}
			}
			return nil
		})
		update(t, s, func(tx *store.Tx) error {
			c := key(3)
			is(t, "one that is too old", tx.Creation(ctx, &c, since), store.ErrNotFound)
			c.RecordID = 0
			return tx.AddCreation(ctx, c, now, since)
		})
		update(t, s, func(tx *store.Tx) error {
			return tx.SetCreation(ctx, store.Creation{UserID: 1, Path: "/hardwares", Key: "3", RecordID: 99})
		})
		view(t, s, func(tx *store.Tx) error {
			c := store.Creation{UserID: 1, Path: "/hardwares", Key: "3"}
			if err := tx.Creation(ctx, &c, since); err != nil {
				return err
			}
			equal(t, "the new one", c,
				store.Creation{UserID: 1, Path: "/hardwares", Key: "3", Body: []byte("body"), RecordID: 99})
			for _, other := range []store.Creation{
				{UserID: 2, Path: c.Path, Key: c.Key}, {UserID: 1, Path: "/x", Key: c.Key},
				{UserID: 1, Path: c.Path, Key: "x"},
			} {
				is(t, "another", tx.Creation(ctx, &other, since), store.ErrNotFound)
			}
			left, err := tx.Int(ctx, "SELECT count(*) FROM creations")
			equal(t, "creations left", left, int64(old-20))
			return err
		})
	})
}
