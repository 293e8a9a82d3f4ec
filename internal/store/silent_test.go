//go:build full && volume

package store_test

import (
	"errors"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestVolumeSilentServer gives up a transaction in time when the server says
// nothing more in the middle of it.
func TestVolumeSilentServer(t *testing.T) {
	g, address := newGate(t, limited(t, mustertest.Postgres.New(t), "5s"))
	s := open(t, address, allKinds()...)
	begun := time.Now()
	err := s.Update(ctx, func(tx *store.Tx) error {
		if _, err := tx.Empty(ctx, gadgets.Schema); err != nil {
			return err
		}
		g.mu.Lock()
		g.silent = true
		g.mu.Unlock()
		_, err := tx.Empty(ctx, gadgets.Schema)
		return err
	})
	is(t, "update", err, store.ErrUnavailable)
	if errors.Is(err, store.ErrTooLong) {
		t.Errorf("update: got %v, want that the database is away", err)
	}
	if took := time.Since(begun); took > 40*time.Second {
		t.Errorf("got an answer after %v, want it after about 5 s", took)
	}
	g.cut() // closing waits for connections that say nothing
}
