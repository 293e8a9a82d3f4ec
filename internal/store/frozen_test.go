package store_test

import (
	"errors"
	"os"
	"runtime"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestFrozen uses a database as it is, and alters none.
func TestFrozen(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		frozen := func(k *kind.Schema) error {
			s, err := store.Open(ctx, store.Config{Database: address, Kinds: besides(k), Frozen: true})
			if err == nil {
				err = s.Close()
			}
			return err
		}
		is(t, "an empty database", frozen(toolsV2.Schema), store.ErrMissing)
		var before []string
		with(t, address, toolsV2.Schema, func(s *store.Store) {
			insert(t, s, toolsV2, &toolV2{Name: "saw"})
			before = dump(t, s, address)
		})
		is(t, "the same version", frozen(toolsV2.Schema), nil)
		is(t, "a later version", frozen(toolsV3.Schema), store.ErrOutdated)
		with(t, address, toolsV2.Schema, func(s *store.Store) {
			equal(t, "tables and indexes", dump(t, s, address), before)
		})
	})
}

// TestPrivate makes files that only their owner can read.
func TestPrivate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // which has no such modes
	}
	address := mustertest.SQLite.New(t)
	s := open(t, address, allKinds()...)
	insert(t, s, gadgets, &gadget{Name: "g"})
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(address + suffix)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got %v, %v, want mode 0600", address+suffix, info, err)
		}
	}
}

// TestUncertain distinguishes a change whose outcome is not known from one that was not made: here the
// connection ends after the change, before the commit.
func TestUncertain(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		if !store.IsPostgres(address) {
			return
		}
		g, address := newGate(t, address)
		s := open(t, address, allKinds()...)
		err := s.Update(ctx, func(tx *store.Tx) error {
			g.dropAt("commit")
			return tx.SetMeta(ctx, "name", []byte("value"))
		})
		g.dropAt("")
		is(t, "a change that lost its connection at the end", err, store.ErrUncertain)
		if errors.Is(err, store.ErrUnavailable) {
			t.Errorf("got %v, want no word of trying again", err)
		}
		err = s.View(ctx, func(*store.Tx) error { g.drop(); return nil })
		is(t, "a view that lost its connection at the end", err, store.ErrUnavailable)
	})
}

// TestListedCollections reads the nested collections of a list's items, if
// lists show them.
func TestListedCollections(t *testing.T) {
	t.Parallel()
	eachWhole(t, func(t *testing.T, s *store.Store) {
		a := &inventory.Audit{
			Action: inventory.Updated, Changes: []inventory.AuditChange{{Field: "name", From: "a", To: "b"}},
		}
		insert(t, s, inventory.Audits, a)
		is(t, "chain", s.Chain(ctx, inventory.Audits.Schema), nil)
		view(t, s, func(tx *store.Tx) error {
			recs, err := tx.Rows(ctx, inventory.Audits.Schema, []int64{1})
			if len(recs) != 1 {
				t.Fatalf("got %d records, %v, want 1", len(recs), err)
			}
			equal(t, "changes", recs[0].(*inventory.Audit).Changes, a.Changes)
			return err
		})
	})
}
