package store_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/store"
)

// watched opens a store and returns the transactions that it observes.
func watched(t *testing.T, address string) (*store.Store, func() []store.Transaction) {
	t.Helper()
	var mu sync.Mutex
	var seen []store.Transaction
	s, err := store.Open(ctx, store.Config{Database: address, Kinds: allKinds(), Observe: func(tx store.Transaction) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, tx)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { is(t, "close", s.Close(), nil) })
	return s, func() []store.Transaction {
		mu.Lock()
		defer mu.Unlock()
		out := seen
		seen = nil
		return out
	}
}

func TestObserve(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s, seen := watched(t, db.New(t))
		seen() // the opening
		mine := errors.New("mine")
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		late, cancel := context.WithDeadline(ctx, time.Unix(0, 0))
		defer cancel()
		var usage store.Usage
		counted := store.WithUsage(ctx, &usage)
		nothing := func(*store.Tx) error { return nil }
		_ = s.Read(counted, nothing)
		_ = s.View(counted, func(tx *store.Tx) error { return mine })
		_ = s.Update(counted, func(tx *store.Tx) error { return tx.SetMeta(ctx, "a", []byte("b")) })
		_ = s.View(late, nothing)
		_ = s.Update(cancelled, nothing)
		got := seen()
		for i, want := range []store.Transaction{
			{Mode: store.Reading}, {Mode: store.Viewing, Err: mine}, {Mode: store.Updating},
			{Mode: store.Viewing, Err: store.ErrUnavailable}, {Mode: store.Updating},
		} {
			if got[i].Mode != want.Mode || !errors.Is(got[i].Err, want.Err) || got[i].Waited < 0 || got[i].Took < 0 {
				t.Errorf("transaction %d: got %+v, want %+v", i, got[i], want)
			}
		}
		equal(t, "transactions", len(got), 5)
		var want store.Usage
		for _, tx := range got[:3] {
			want.Waited += tx.Waited
			want.Took += tx.Took
		}
		equal(t, "usage", usage, want)
		stats := s.Stats()
		equal(t, "waiting", stats.Waiting, [3]int64{})
		equal(t, "has a pool", stats.Pool != nil, s.Shared())
		equal(t, "commits", stats.Commits > 0, !s.Shared())
	})
}

// TestWaiting: a transaction that waits for others to end is seen to.
func TestWaiting(t *testing.T) {
	t.Parallel()
	s, seen := watched(t, mustertest.SQLite.New(t))
	seen()
	second := make(chan error, 1)
	update(t, s, func(*store.Tx) error {
		go func() { second <- s.Update(ctx, func(*store.Tx) error { return nil }) }()
		for s.Stats().Waiting[store.Updating] != 1 {
			runtime.Gosched() // the other comes
		}
		return nil
	})
	is(t, "the second", <-second, nil)
	equal(t, "waiting at the end", s.Stats().Waiting, [3]int64{})
	equal(t, "transactions", len(seen()), 2)
}

func TestSizeAndTotal(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		insert(t, s, gadgets, &gadget{Name: "a"}, &gadget{Name: "b"})
		view(t, s, func(tx *store.Tx) error {
			n, err := tx.Total(ctx, gadgets.Schema)
			equal(t, "total", n, int64(2))
			if err != nil {
				return err
			}
			size, err := tx.Size(ctx)
			if size < 16384 {
				t.Errorf("size: got %d, want some pages", size)
			}
			return err
		})
	})
}
