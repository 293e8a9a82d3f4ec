package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestWaitsForTurnTooLong: work whose time ends while it waits for others says so, and not that the database is
// away.
func TestWaitsForTurnTooLong(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		if store.IsPostgres(address) {
			address += "&pool_max_conns=1"
		}
		s := open(t, address, allKinds()...)
		nothing := func(*store.Tx) error { return nil }
		ended := make(chan error, 1)
		update(t, s, func(tx *store.Tx) error { // has the writer, or the only connection
			late, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			go func() {
				defer cancel()
				ended <- s.Update(late, nothing)
			}()
			<-late.Done()
			_, err := tx.Empty(ctx, gadgets.Schema) // the database answers
			return err
		})
		err := <-ended
		is(t, "update", err, store.ErrTooLong)
		if err != nil && !strings.Contains(err.Error(), "waited 1 s for its turn") {
			t.Errorf("update: got %q, want what it waited for", err)
		}
		is(t, "update afterwards", s.Update(ctx, nothing), nil)
	})
}
