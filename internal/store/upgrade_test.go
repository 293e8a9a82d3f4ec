package store_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/copy"
)

// upgrade opens a database with a kind and closes it again; before is called
// before it is altered.
func upgrade(address string, k *kind.Schema, before func(context.Context) error) error {
	s, err := store.Open(ctx, store.Config{Database: address, Kinds: besides(k), BeforeUpgrade: before})
	if err != nil {
		return err
	}
	return s.Close()
}

// TestBeforeUpgrade is called once, for a database that is to be altered, and
// sees it as it was.
func TestBeforeUpgrade(t *testing.T) {
	t.Parallel()
	refused := errors.New("no room for a copy")
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		calls := 0
		count := func(context.Context) error { calls++; return nil }
		equal(t, "a new database",
			errors.Join(upgrade(address, toolsV1.Schema, count), upgrade(address, toolsV1.Schema, count)), error(nil))
		equal(t, "calls for a new database and for the same version", calls, 0)
		with(t, address, toolsV1.Schema, func(s *store.Store) { insert(t, s, toolsV1, &toolV1{Name: "Säge"}) })
		before := export(t, address)

		is(t, "an upgrade without a copy",
			upgrade(address, toolsV3.Schema, func(context.Context) error { calls++; return refused }), refused)
		equal(t, "calls of one that fails", calls, 1)
		wantSame(t, "the database after it", export(t, address), before)

		copied := new(bytes.Buffer)
		equal(t, "an upgrade", upgrade(address, toolsV3.Schema, func(ctx context.Context) error {
			calls++
			_, err := copy.Export{Progress: silent}.Run(ctx, address, copied)
			return err
		}), error(nil))
		equal(t, "calls", calls, 2)
		wantSame(t, "the copy", copied.Bytes(), before)
		if slices.Equal(items(t, export(t, address)), items(t, before)) {
			t.Error("the upgrade has altered nothing")
		}
		equal(t, "the same version again", upgrade(address, toolsV3.Schema, count), error(nil))
		equal(t, "calls after it", calls, 2)
	})
}

// TestUpgradeForLayout copies a database also when nothing but the layout of
// nested values is new.
func TestUpgradeForLayout(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		with(t, address, toolsV2.Schema, func(s *store.Store) {
			insert(t, s, toolsV2, &toolV2{Name: "a", Bits: []bitV2{{Name: "x"}}})
			update(t, s, func(tx *store.Tx) error {
				return tx.Exec(ctx, "UPDATE layouts SET layout = $1 WHERE kind = 'tool'", "bits(name:t)")
			})
		})
		calls := 0
		equal(t, "an upgrade", upgrade(address, toolsV2.Schema, func(context.Context) error { calls++; return nil }),
			error(nil))
		equal(t, "calls", calls, 1)
	})
}

// TestFailedUpgrade leaves the database as it was when a later step fails.
func TestFailedUpgrade(t *testing.T) {
	steps := store.Steps()
	known := *steps
	defer func() { *steps = known }()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		*steps = known
		address := db.New(t)
		smallHistory(t, address, "old")
		before := export(t, address)
		*steps = append(slices.Clone(known), "CREATE TABLE extra (id {id})", "CREATE TABLE extra (id {id})")
		calls := 0
		if err := upgrade(address, gadgets.Schema, func(context.Context) error { calls++; return nil }); err == nil {
			t.Error("got no error of a step that cannot be")
		}
		*steps = known
		equal(t, "calls", calls, 1)
		wantSame(t, "the database after it", export(t, address), before)
	})
}

// TestStepsAreCopied restores a database after steps that make tables and
// change rows; a step that no restore could repeat is refused at once.
func TestStepsAreCopied(t *testing.T) {
	steps := store.Steps()
	known := *steps
	defer func() { *steps = known }()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		origin, target := db.New(t), db.New(t)
		*steps = append(slices.Clone(known),
			"CREATE TABLE extra (id {id}, name {text});\nINSERT INTO extra (name) VALUES ('a');\nUPDATE extra SET name = 'b'")
		smallHistory(t, origin, "old")
		mustReplace(t, target, export(t, origin))
		with(t, target, gadgets.Schema, func(s *store.Store) {
			view(t, s, func(tx *store.Tx) error {
				texts, err := tx.Texts(ctx, "SELECT name FROM extra")
				equal(t, "rows of the step", texts, []string{"b"})
				return err
			})
		})
		*steps = append(slices.Clone(*steps), "DROP TABLE extra")
		if err := upgrade(origin, gadgets.Schema, nil); err == nil {
			t.Error("got no error of a step that a restore could not carry out")
		}
		*steps = known
	})
}

// TestUpgradeTogether copies a database once when nodes start together.
func TestUpgradeTogether(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		if !store.IsPostgres(address) {
			return // one process writes an SQLite file
		}
		with(t, address, toolsV1.Schema, func(s *store.Store) { insert(t, s, toolsV1, &toolV1{Name: "Säge"}) })
		before := export(t, address)
		var wg sync.WaitGroup
		var calls atomic.Int32
		for range 4 {
			wg.Go(func() {
				err := upgrade(address, toolsV3.Schema, func(ctx context.Context) error {
					calls.Add(1)
					copied := new(bytes.Buffer)
					_, err := copy.Export{Progress: silent}.Run(ctx, address, copied)
					wantSame(t, "the copy", copied.Bytes(), before)
					return err
				})
				if err != nil {
					t.Errorf("open: %v", err)
				}
			})
		}
		wg.Wait()
		equal(t, "calls", calls.Load(), int32(1))
	})
}
