package store_test

import (
	"errors"
	"testing"

	"muster/internal/inventory"
	"muster/internal/store"
)

// TestFindTogether finds software by what it is unique by, as it is in the same
// moment: after changes, after removals, and after transactions that were undone.
func TestFindTogether(t *testing.T) {
	t.Parallel()
	eachWhole(t, func(t *testing.T, s *store.Store) {
		softwares := inventory.Softwares
		find := func(tx *store.Tx, name string) int64 {
			sought := &inventory.Software{Name: name}
			if err := tx.FindTogether(ctx, softwares.Schema, []any{sought}); err != nil {
				t.Errorf("find %s: %v", name, err)
			}
			return sought.ID
		}
		finds := func(when, name string, want int64) {
			t.Helper()
			for range 2 { // the second time it may be known
				update(t, s, func(tx *store.Tx) error {
					equal(t, when+": "+name, find(tx, name), want)
					return nil
				})
			}
		}
		one := &inventory.Software{Name: "One"}
		insert(t, s, softwares, one)
		finds("stored", "one", one.ID)
		finds("stored", "two", 0)

		undone := errors.New("undone")
		err := s.Update(ctx, func(tx *store.Tx) error {
			two := &inventory.Software{Name: "Two"}
			if err := tx.Insert(ctx, softwares.Schema, two, now); err != nil {
				return err
			}
			equal(t, "inside", find(tx, "two"), two.ID)
			return undone
		})
		is(t, "update", err, undone)
		finds("undone", "two", 0)

		update(t, s, func(tx *store.Tx) error {
			renamed := *one
			renamed.Name = "Two"
			return tx.Update(ctx, softwares.Schema, &renamed, one, now)
		})
		finds("renamed", "one", 0)
		finds("renamed", "two", one.ID)

		update(t, s, func(tx *store.Tx) error {
			rec, err := tx.Get(ctx, softwares.Schema, one.ID)
			if err != nil {
				return err
			}
			return tx.Delete(ctx, softwares.Schema, rec)
		})
		finds("removed", "two", 0)
	})
}
