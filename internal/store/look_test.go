package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// look opens a database to examine it.
func look(t *testing.T, address string, kinds ...*kind.Schema) *store.Store {
	t.Helper()
	s, err := store.Look(ctx, store.Config{Database: address, Kinds: kinds})
	if err != nil {
		t.Fatalf("look at %s: %v", address, err)
	}
	t.Cleanup(func() { is(t, "close", s.Close(), nil) })
	return s
}

// contents returns all files in a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		text, readErr := os.ReadFile(filepath.Join(folder, entry.Name()))
		files[entry.Name()] = string(text)
		err = errors.Join(err, readErr)
	}
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// total returns how many gadgets a store sees.
func total(t *testing.T, s *store.Store) (n int64) {
	t.Helper()
	view(t, s, func(tx *store.Tx) (err error) {
		n, err = tx.Total(ctx, gadgets.Schema)
		return err
	})
	return n
}

// TestLook sees what is stored and changes nothing, on both databases, while
// another has the database open and when nobody does.
func TestLook(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		s := open(t, address, allKinds()...)
		insert(t, s, gadgets, &gadget{Name: "a"})
		seen := look(t, address, allKinds()...)
		is(t, "tables", seen.Tables(ctx), nil)
		equal(t, "gadgets", total(t, seen), int64(1))
		insert(t, s, gadgets, &gadget{Name: "b"})
		equal(t, "gadgets of a later view", total(t, seen), int64(2))
		newest, err := seen.Newest(ctx)
		if err != nil || !newest.Equal(now.Truncate(time.Second)) {
			t.Errorf("newest: got %v, %v, want %v", newest, err, now)
		}
		faults, err := seen.Faults(ctx)
		if err != nil || len(faults) > 0 {
			t.Errorf("faults: got %v, %v, want none", faults, err)
		}
	})
}

// TestLookUntouched: after a server's end, a crash included, no file is made or
// changed by looking.
func TestLookUntouched(t *testing.T) {
	t.Parallel()
	address := mustertest.SQLite.New(t)
	s := open(t, address, allKinds()...)
	insert(t, s, gadgets, &gadget{Name: "a"})
	crashed, left := t.TempDir(), t.TempDir()
	for name, text := range contents(t, filepath.Dir(address)) {
		for _, folder := range []string{crashed, left} {
			if folder == crashed || filepath.Ext(name) != ".db-shm" {
				write(t, filepath.Join(folder, name), text)
			}
		}
	}
	is(t, "close", s.Close(), nil)
	for name, folder := range map[string]string{"closed": filepath.Dir(address), "crashed": crashed} {
		before := contents(t, folder)
		seen := look(t, filepath.Join(folder, filepath.Base(address)), allKinds()...)
		is(t, name+": tables", seen.Tables(ctx), nil)
		equal(t, name+": gadgets", total(t, seen), int64(1))
		if err := seen.Update(ctx, func(tx *store.Tx) error { return tx.SetMeta(ctx, "a", []byte("b")) }); err == nil {
			t.Errorf("%s: a change got no error", name)
		}
		equal(t, name+": files while looking", contents(t, folder), before)
		is(t, "close", seen.Close(), nil)
		equal(t, name+": files", contents(t, folder), before)
	}
	_, err := store.Look(ctx, store.Config{Database: filepath.Join(left, filepath.Base(address))})
	is(t, "changes that nobody has taken over", err, store.ErrLeft)
	missing := filepath.Join(t.TempDir(), "missing.db")
	_, err = store.Look(ctx, store.Config{Database: missing})
	is(t, "a missing file", err, fs.ErrNotExist)
	if _, err := os.Stat(missing); err == nil {
		t.Error("looking made a database")
	}
}

// TestTables checks that databases of other versions are recognised.
func TestTables(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		if !store.IsPostgres(address) {
			write(t, address, "")
		}
		is(t, "an empty database", look(t, address, inventory.All()...).Tables(ctx), store.ErrMissing)
		with(t, address, toolsV2.Schema, func(*store.Store) {})
		for k, want := range map[*kind.Schema]error{
			toolsV1.Schema: store.ErrNewer, toolsV2.Schema: nil, toolsV3.Schema: store.ErrOutdated,
		} {
			is(t, k.Title, look(t, address, besides(k)...).Tables(ctx), want)
		}
	})
}

// TestFaults finds a damaged page.
func TestFaults(t *testing.T) {
	t.Parallel()
	address := mustertest.SQLite.New(t)
	s := open(t, address, allKinds()...)
	for range 200 {
		insert(t, s, gadgets, &gadget{Name: "a gadget with a name"})
	}
	is(t, "close", s.Close(), nil)
	text := []byte(contents(t, filepath.Dir(address))[filepath.Base(address)])
	for i := 16384; i < len(text); i += 16384 {
		copy(text[i:i+64], make([]byte, 64)) // the head of each page but the first
	}
	write(t, address, string(text))
	faults, err := look(t, address).Faults(ctx)
	if err != nil || len(faults) == 0 {
		t.Errorf("got %v, %v, want faults", faults, err)
	}
	write(t, address, "no database at all, but text that is longer than the head of one would be, which has a hundred bytes or so")
	faults, err = look(t, address).Faults(ctx)
	if err != nil || len(faults) == 0 {
		t.Errorf("a text: got %v, %v, want faults", faults, err)
	}
}

func TestFacts(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		if !store.IsPostgres(address) {
			return
		}
		open(t, address, allKinds()...)
		s := look(t, address)
		f, err := s.Facts(ctx, func() time.Time { return time.Now().Add(-time.Hour) })
		if err != nil || f.Version < 150000 || f.Name == "" || f.Encoding != "UTF8" || f.Collation != "C" ||
			f.Standby || f.Columns != 0 || f.Folder == "" {
			t.Errorf("got %+v, %v, want those of a server for tests", f, err)
		}
		if f.Ahead < 59*time.Minute || f.Ahead > 61*time.Minute {
			t.Errorf("got a clock %v ahead, want an hour", f.Ahead)
		}
	})
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
