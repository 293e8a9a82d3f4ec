package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// occupyWriter keeps the writer busy with a change until release is called, so that changes made in between are
// one group.
func occupyWriter(t *testing.T, s *store.Store) (release func()) {
	t.Helper()
	begun, end, done := make(chan bool), make(chan bool), make(chan error)
	go func() {
		done <- s.Update(ctx, func(*store.Tx) error {
			close(begun)
			<-end
			return nil
		})
	}()
	<-begun
	return sync.OnceFunc(func() {
		close(end)
		if err := <-done; err != nil {
			t.Errorf("change that held the writer: %v", err)
		}
	})
}

// addCard returns a change that adds a card to gadget 1.
func addCard(name string) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		old, err := store.Get(ctx, tx, gadgets, 1)
		if err != nil {
			return err
		}
		g := gadgets.Copy(old).(*gadget)
		g.Cards = append(g.Cards[:len(g.Cards):len(g.Cards)], card{Name: name})
		return tx.Update(ctx, gadgets.Schema, g, old, now)
	}
}

// TestGroupTogether commits changes of one group together, each for itself: one that
// fails or panics after it wrote leaves no trace.
func TestGroupTogether(t *testing.T) {
	t.Parallel()
	const changes = 200 // more than a group
	address := mustertest.SQLite.New(t)
	s := open(t, address, allKinds()...)
	insert(t, s, gadgets, &gadget{Name: "g"})
	failed := errors.New("failed")
	cancelled, cancel := context.WithCancel(ctx)
	outcomes := make([]error, changes)
	release := occupyWriter(t, s)
	var wg sync.WaitGroup
	for i := range changes {
		wg.Go(func() {
			name, ctx := fmt.Sprint("card", i), ctx
			if i%4 == 3 {
				ctx = cancelled
			}
			outcomes[i] = s.Update(ctx, func(tx *store.Tx) error {
				err := addCard(name)(tx)
				switch i % 4 {
				case 1:
					return errors.Join(err, failed)
				case 2:
					panic(name)
				}
				return err
			})
		})
	}
	cancel()
	release()
	wg.Wait()
	for i, err := range outcomes {
		switch i % 4 {
		case 0:
			is(t, "good change", err, nil)
		case 1:
			is(t, "failing change", err, failed)
		case 2:
			if err == nil || !strings.Contains(err.Error(), fmt.Sprint("panic: card", i)) {
				t.Errorf("panicking change: got error %v", err)
			}
		case 3:
			is(t, "cancelled change", err, store.ErrUnavailable)
			is(t, "cancelled change", err, context.Canceled)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
	again := open(t, address, allKinds()...)
	got := get(t, again, gadgets, 1)
	equal(t, "version", got.Record.Version, int64(1+changes/4))
	for _, c := range got.Cards {
		if i := 0; !scan(c.Name, &i) || i%4 != 0 {
			t.Errorf("got the card %s of a change that did not succeed", c.Name)
		}
	}
	equal(t, "cards", len(got.Cards), changes/4)
	equal(t, "cards that are found", list(t, again, gadgets.Schema, "card=card*").Total, 1)
}

// scan reads the number of a card.
func scan(name string, i *int) bool {
	n, err := fmt.Sscanf(name, "card%d", i)
	return n == 1 && err == nil
}

// TestCloseWhileBusy answers every change: it is on disk, or the database is
// not available.
func TestCloseWhileBusy(t *testing.T) {
	t.Parallel()
	address := mustertest.SQLite.New(t)
	s := open(t, address, allKinds()...)
	insert(t, s, gadgets, &gadget{Name: "g"})
	release := occupyWriter(t, s)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for i := range 300 {
		wg.Go(func() {
			err := s.Update(ctx, addCard(fmt.Sprint(i)))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				done++
				return
			}
			is(t, "change", err, store.ErrUnavailable)
		})
	}
	wg.Go(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	release()
	wg.Wait()
	equal(t, "cards", len(get(t, open(t, address, allKinds()...), gadgets, 1).Cards), done)
}

// TestClosed answers what comes after, on both databases, and lets a database
// be closed twice.
func TestClosed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		if err := s.Close(); err != nil {
			t.Fatalf("close: %v", err)
		}
		nothing := func(*store.Tx) error { return nil }
		is(t, "view", s.View(ctx, nothing), store.ErrUnavailable)
		is(t, "update", s.Update(ctx, nothing), store.ErrUnavailable)
	})
}

// TestReadWhileWriting reads the state before a change while it is under way.
func TestReadWhileWriting(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		insert(t, s, gadgets, &gadget{Name: "old"})
		err := change(s, gadgets, 1, now, func(g *gadget) { g.Name = "new" })
		is(t, "change", err, nil)
		update(t, s, func(tx *store.Tx) error {
			err := tx.Insert(ctx, gadgets.Schema, &gadget{Name: "second"}, now)
			equal(t, "name", get(t, s, gadgets, 1).Name, "new")
			equal(t, "ids", ids(t, s), []int64{1})
			return err
		})
		equal(t, "ids", ids(t, s), []int64{1, 2})
	})
}

// TestOneState lets a view see one state while others write: its total, its
// rows and what it reads later belong together.
func TestOneState(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		stop := make(chan bool)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { churn(t, s, stop) })
		}
		q, err := gadgets.ParseQuery("per_page=1000&live=true", now)
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			view(t, s, func(tx *store.Tx) error {
				page, err := tx.List(ctx, gadgets.Schema, q)
				if err != nil {
					return err
				}
				all, err := tx.IDs(ctx, gadgets.Schema)
				if len(page.Records) != min(page.Total, 1000) || page.Total%2 != 0 || len(all) != page.Total {
					t.Errorf("got a total of %d, %d rows and then %d ids, want the same even number", page.Total,
						len(page.Records), len(all))
				}
				return err
			})
		}
		close(stop)
		wg.Wait()
	})
}

// churn adds and removes gadgets in pairs until it is stopped.
func churn(t *testing.T, s *store.Store, stop chan bool) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		a, b := &gadget{Name: "a", Live: kind.Some(true)}, &gadget{Name: "b", Live: kind.Some(true)}
		add := s.Update(ctx, func(tx *store.Tx) error {
			return errors.Join(tx.Insert(ctx, gadgets.Schema, a, now), tx.Insert(ctx, gadgets.Schema, b, now))
		})
		if a.ID%3 == 0 {
			continue
		}
		remove := s.Update(ctx, func(tx *store.Tx) error {
			return errors.Join(tx.Delete(ctx, gadgets.Schema, a), tx.Delete(ctx, gadgets.Schema, b))
		})
		is(t, "churn", errors.Join(add, remove), nil)
	}
}
