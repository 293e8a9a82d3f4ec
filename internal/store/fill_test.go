package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/store"
)

// noSearch takes the search tables of gadgets away, as in a database that was
// restored.
func noSearch(t *testing.T, address string) {
	t.Helper()
	with(t, address, gadgets.Schema, func(s *store.Store) {
		update(t, s, func(tx *store.Tx) error { return tx.Exec(ctx, "DROP TABLE test_gadgets_search") })
	})
}

// TestSearchAfterMove finds all in a database that was restored, and in the one
// that it replaced; the words themselves are not in the copy.
func TestSearchAfterMove(t *testing.T) {
	t.Parallel()
	eachPair(t, func(t *testing.T, from, to mustertest.Database) {
		origin, target := from.New(t), to.New(t)
		smallHistory(t, origin, "Neue Säge")
		smallHistory(t, target, "old saw")
		file := export(t, origin)
		if lines := items(t, file); slices.ContainsFunc(lines,
			func(l string) bool { return strings.Contains(l, "_search") }) {
			t.Error("the copy has a search table")
		}
		replaced := mustReplace(t, target, file)
		with(t, target, gadgets.Schema, func(s *store.Store) {
			equal(t, "säge", list(t, s, gadgets.Schema, "q=SÄGE").Total, 1)
			equal(t, "saw", list(t, s, gadgets.Schema, "q=saw").Total, 0)
			insert(t, s, gadgets, &gadget{Name: "another saw"})
			equal(t, "saw that is new", list(t, s, gadgets.Schema, "q=saw").Total, 1)
		})
		wantSame(t, "a copy of an untouched database", export(t, origin), file)
		kept := replaced.Kept
		if store.IsPostgres(target) {
			t.Cleanup(func() { dropSchema(t, target, replaced.Kept) })
			kept = strings.ReplaceAll(target, schemaOf(t, target), kept)
		}
		with(t, kept, gadgets.Schema, func(s *store.Store) {
			equal(t, "saw in what was kept", list(t, s, gadgets.Schema, "q=saw").Total, 1)
		})
	})
}

// TestSearchOfOlder makes the words of a database that has none, without a
// copy before, and again when they are made in another way.
func TestSearchOfOlder(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		with(t, address, toolsV1.Schema, func(s *store.Store) {
			insert(t, s, toolsV1, &toolV1{Name: "Säge", Note: "Groß"}, &toolV1{Name: "Axt"})
		})
		with(t, address, toolsV3.Schema, func(s *store.Store) {
			for q, want := range map[string]int{"säge": 1, "gross": 1, "a": 1} {
				equal(t, q+" of version 1", list(t, s, toolsV3.Schema, "q="+q).Total, want)
			}
			insert(t, s, toolsV3, &toolV3{Name: "Bohrer", Bits: []bitV3{{Colour: "rot"}}})
			update(t, s, func(tx *store.Tx) error {
				return tx.Exec(ctx, "UPDATE searches SET form = 'old' WHERE kind = 'tool'")
			})
			update(t, s, func(tx *store.Tx) error { return tx.Exec(ctx, "DELETE FROM tools_search") })
			equal(t, "tools without words", list(t, s, toolsV3.Schema, "q=säge").Total, 0)
		})
		copies := 0
		equal(t, "another start",
			upgrade(address, toolsV3.Schema, func(context.Context) error { copies++; return nil }), error(nil))
		equal(t, "copies before it", copies, 0)
		with(t, address, toolsV3.Schema, func(s *store.Store) {
			for q, want := range map[string]int{"säge": 1, "rot": 1, "b": 1} {
				equal(t, q, list(t, s, toolsV3.Schema, "q="+q).Total, want)
			}
		})
	})
}

// manyGadgets fills a database with gadgets of the names g1 and so on.
func manyGadgets(t *testing.T, address string, n int) {
	t.Helper()
	with(t, address, gadgets.Schema, func(s *store.Store) {
		all := make([]*gadget, n)
		for i := range all {
			all[i] = &gadget{Name: fmt.Sprintf("g%d all", i+1)}
		}
		insert(t, s, gadgets, all...)
	})
}

// TestSearchFills checks that filling continues after an interruption, reports its progress, and leaves no merging to
// the changes that follow.
func TestSearchFills(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		manyGadgets(t, address, 2000) // the last step is a whole one
		noSearch(t, address)
		var progress []string
		config := func(end context.CancelFunc) store.Config {
			return store.Config{Database: address, Kinds: besides(gadgets.Schema),
				Progress: func(table string, done, last int64) {
					progress = append(progress, fmt.Sprintf("%s %d/%d", table, done, last))
					end()
				}}
		}
		short, end := context.WithCancel(ctx)
		if s, err := store.Open(short, config(end)); err == nil {
			t.Errorf("got no error of a start that was interrupted: %v", s.Close())
		}
		s, err := store.Open(ctx, config(func() {}))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "told", progress, []string{"test_gadgets 1000/2000", "test_gadgets 2000/2000"})
		if !s.Shared() { // a part for each step, if they were not merged
			view(t, s, func(tx *store.Tx) error {
				parts, err := tx.Int(ctx, "SELECT count(DISTINCT segid) FROM test_gadgets_search_idx")
				equal(t, "parts of the words", parts, int64(1))
				return err
			})
		}
		equal(t, "found", list(t, s, gadgets.Schema, "q=all").Total, 2000)
		equal(t, "the last", list(t, s, gadgets.Schema, "q=g2000").Total, 1)
		insert(t, s, gadgets, &gadget{Name: "all new"})
		equal(t, "close", s.Close(), error(nil))
		progress = nil
		equal(t, "the next start", upgrade(address, gadgets.Schema, nil), error(nil))
		if s, err = store.Open(ctx, config(func() {})); err != nil {
			t.Fatal(err)
		}
		equal(t, "told by it", progress, []string(nil))
		equal(t, "found by it", list(t, s, gadgets.Schema, "q=all").Total, 2001)
		equal(t, "close", s.Close(), error(nil))
	})
}

// TestSearchFillsTogether gives each record its words once when nodes start
// together.
func TestSearchFillsTogether(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		if !store.IsPostgres(address) {
			return // one process writes an SQLite file
		}
		manyGadgets(t, address, 2500)
		noSearch(t, address)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				s, err := store.Open(ctx, store.Config{Database: address, Kinds: besides(gadgets.Schema)})
				if err != nil {
					t.Errorf("open: %v", err)
					return
				}
				equal(t, "found", list(t, s, gadgets.Schema, "q=all").Total, 2500)
				equal(t, "close", s.Close(), error(nil))
			})
		}
		wg.Wait()
	})
}

// TestSearchFillsBesideChanges changes records on one node while another makes the
// words of all: neither the words of before nor those of a record that is gone
// stay.
func TestSearchFillsBesideChanges(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		if !store.IsPostgres(address) {
			return // one process writes an SQLite file
		}
		manyGadgets(t, address, 3)
		s := open(t, address, allKinds()...)
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.Exec(ctx, "DELETE FROM test_gadgets_search"),
				tx.Exec(ctx, "UPDATE searches SET filled = 0 WHERE kind = 'test-gadget'"))
		})
		filled := make(chan error, 1)
		update(t, s, func(tx *store.Tx) error {
			g, err := store.Get(ctx, tx, gadgets, 1)
			if err != nil {
				return err
			}
			changed := *g
			changed.Name = "changed"
			gone, err := store.Get(ctx, tx, gadgets, 2)
			if err := errors.Join(err, tx.Update(ctx, gadgets.Schema, &changed, g, now),
				tx.Delete(ctx, gadgets.Schema, gone)); err != nil {
				return err
			}
			go func() { filled <- upgrade(address, gadgets.Schema, nil) }()
			mustertest.Eventually(t, "a node that is done or waits",
				func() bool { return len(filled) > 0 || waits(t, s) })
			return nil
		})
		equal(t, "the other node", <-filled, error(nil))
		for q, want := range map[string]int{"changed": 1, "g1": 0, "g2": 0, "g3": 1} {
			equal(t, q, list(t, s, gadgets.Schema, "q="+q).Total, want)
		}
	})
}

// waits reports whether a transaction on the database waits for another.
func waits(t *testing.T, s *store.Store) (yes bool) {
	view(t, s, func(tx *store.Tx) error {
		n, err := tx.Int(ctx, `SELECT count(*) FROM pg_stat_activity
			WHERE application_name = current_setting('application_name') AND wait_event_type = 'Lock'`)
		yes = n > 0
		return err
	})
	return yes
}

// TestSearchLater changes records while there are no words yet, as commands do
// after a restore: the next server makes them of what it finds.
func TestSearchLater(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		manyGadgets(t, address, 3)
		noSearch(t, address)
		update(t, open(t, address),
			func(tx *store.Tx) error { return tx.Exec(ctx, "UPDATE searches SET filled = 0 WHERE kind = 'user'") })
		frozen, err := store.Open(ctx, store.Config{Database: address, Kinds: besides(gadgets.Schema), Frozen: true})
		if err != nil {
			t.Fatal(err)
		}
		addUser(t, frozen, "anna@example.com", "Anna", "Berg") // whose table is there, but not filled
		insert(t, frozen, gadgets, &gadget{Name: "late"})
		equal(t, "change", change(frozen, gadgets, 1, now, func(g *gadget) { g.Name = "changed" }), error(nil))
		remove(t, frozen, gadgets, 2)
		with(t, address, gadgets.Schema, func(s *store.Store) {
			for q, want := range map[string]int{"late": 1, "changed": 1, "g1": 0, "g2": 0, "g3": 1} {
				equal(t, q, list(t, s, gadgets.Schema, "q="+q).Total, want)
			}
			update(t, frozen, func(tx *store.Tx) error {
				return tx.Insert(ctx, gadgets.Schema, &gadget{Name: "latest"},
					now)
			})
			equal(t, "latest", list(t, s, gadgets.Schema, "q=latest").Total, 1)
			equal(t, "anna", list(t, s, besides()[0], "q=anna").Total, 1)
		})
		equal(t, "close", frozen.Close(), error(nil))
	})
}

// TestLookWithoutSearch examines a restored database as one like any other.
func TestLookWithoutSearch(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		origin, target := db.New(t), db.New(t)
		smallHistory(t, origin, "saw")
		mustReplace(t, target, export(t, origin))
		for _, address := range []string{origin, target} {
			s, err := store.Look(ctx, store.Config{Database: address, Kinds: besides(gadgets.Schema)})
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "tables", s.Tables(ctx), error(nil))
			faults, err := s.Faults(ctx)
			equal(t, "faults", fmt.Sprint(faults, err), "[] <nil>")
			equal(t, "close", s.Close(), error(nil))
		}
	})
}
