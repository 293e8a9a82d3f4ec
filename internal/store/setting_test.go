package store_test

import (
	"testing"

	"muster/internal/store"
)

// TestSettings are kept by exact name.
func TestSettings(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		for _, value := range []string{"one", "", "två, three"} {
			update(t, s, func(tx *store.Tx) error { return tx.SetSetting(ctx, "b", value) })
			update(t, s, func(tx *store.Tx) error {
				got, err := tx.SettingShared(ctx, "b")
				equal(t, "value", got, value)
				return err
			})
		}
		update(t, s, func(tx *store.Tx) error { return tx.SetSetting(ctx, "a", "1") })
		var all []string
		view(t, s, func(tx *store.Tx) error {
			return tx.Settings(ctx, func(name, value string) error {
				all = append(all, name+"="+value)
				return nil
			})
		})
		equal(t, "settings", all, []string{"a=1", "b=två, three"})
		is(t, "another name", s.Update(ctx, func(tx *store.Tx) error {
			_, err := tx.SettingShared(ctx, "B")
			return err
		}), store.ErrNotFound)
	})
}
