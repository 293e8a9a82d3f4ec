//go:build full

package main_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"muster/internal/mustertest"
	"muster/internal/store"
)

// execute runs statements on a database whose server is stopped.
func execute(t *testing.T, database string, statements ...string) {
	t.Helper()
	var run func(string) error
	if store.IsPostgres(database) {
		conn, err := pgx.Connect(t.Context(), database)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		run = func(sql string) error { _, err := conn.Exec(t.Context(), sql); return err }
	} else {
		conn, err := sqlite.OpenConn(database, sqlite.OpenReadWrite)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		run = func(sql string) error { return sqlitex.ExecuteTransient(conn, sql, nil) }
	}
	for _, sql := range statements {
		if err := run(sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// older makes a database look as an older version has left it.
func older(t *testing.T, database string) {
	t.Helper()
	execute(t, database, "DROP INDEX hardwares_name_folded",
		"DELETE FROM statements WHERE statement LIKE 'CREATE INDEX hardwares_name_folded %'")
}

// copies returns the copies that were made before upgrades.
func (f *folder) copies() []string {
	f.t.Helper()
	copies, err := filepath.Glob(f.data("backups/*"))
	if err != nil {
		f.t.Fatal(err)
	}
	return copies
}

// TestRollback goes back to what was there before an upgrade.
func TestRollback(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		database := db.New(t)
		f.env = []string{"MUSTER_DATABASE=" + database, "MUSTER_RATE_LIMIT=0"}
		s := f.serve("--demo")
		want := documents(t, s, s.password)
		s.stop()
		f.serve().stop()
		f.refused([]string{"rollback"}, "there is no copy in "+f.data("backups"),
			"no server with this data folder has upgraded the database")
		older(t, database)
		f.refused([]string{"user", "list"}, "the database is of an older version")
		if got := f.copies(); len(got) != 0 {
			t.Errorf("before the upgrade: got the copies %v, want none", got)
		}

		upgraded := f.serve()
		copies := f.copies()
		if len(copies) != 1 || !strings.Contains(upgraded.log.String(),
			`"msg":"copying the database before it is brought up to date","file":"`+f.data("backups/upgrade-")) {
			t.Fatalf("after the upgrade: got the copies %v and the log\n%s\nwant one copy, and a word of it", copies,
				upgraded.log)
		}
		for path, mode := range map[string]os.FileMode{copies[0]: 0o600, f.data("backups"): os.ModeDir | 0o700} {
			if info, err := os.Stat(path); err != nil || info.Mode() != mode {
				t.Errorf("%s: got %v, %v, want mode %v", path, info, err, mode)
			}
		}
		create(t, upgraded, s.password, "later")
		f.refused([]string{"rollback"}, "a server is running on the data folder")
		upgraded.stop()
		f.serve().stop()
		if got := f.copies(); !slices.Equal(got, copies) {
			t.Errorf("after a start that alters nothing: got %v, want %v", got, copies)
		}

		out := f.must("rollback")
		for _, text := range []string{
			"Restored the state of ", "is kept as ",
			"This is the state before muster v0.0.0-test changed the database. Start the version that was used until then.\n",
		} {
			if !strings.Contains(out, text) {
				t.Errorf("rollback: got %q, want a text with %q", out, text)
			}
		}
		f.refused([]string{"user", "list"}, "the database is of an older version") // as it was
		again := f.serve()
		if diff := cmp.Diff(want, documents(t, again, s.password)); diff != "" {
			t.Errorf("after the rollback: got (+), want (-):\n%s", diff)
		}
	})
}

// TestRollbackAfterMove refuses the copy of another database.
func TestRollbackAfterMove(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		there := db.New(t)
		f.env = []string{"MUSTER_DATABASE=" + there}
		f.serve().stop()
		older(t, there)
		f.serve().stop()
		f.must("backup", "a.backup")
		f.env = nil
		f.must("restore", "a.backup")
		if db.Name == "postgres" {
			f.refused([]string{"rollback"}, "the last copy", "is of the database postgres://",
				"and not of SQLite: name that database with --database")
		} else {
			f.must("rollback") // an SQLite file may have moved
		}
		f.must("rollback", "--database", there)
	})
}

// TestCopiesKept keeps the last copies before upgrades, and nothing else of
// them.
func TestCopiesKept(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.serve().stop()
	for _, name := range []string{"upgrade-20200101_000000.backup", "upgrade-20200101_000001.backup",
		"upgrade-20200101_000002.backup", "mine.backup"} {
		if err := os.MkdirAll(f.data("backups"), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, f.data("backups/"+name), name)
	}
	older(t, f.data("muster.db"))
	f.serve().stop()
	got := f.copies()
	if len(got) != 4 || !slices.Equal(got[:3], []string{
		f.data("backups/mine.backup"), f.data("backups/upgrade-20200101_000001.backup"),
		f.data("backups/upgrade-20200101_000002.backup"),
	}) {
		t.Errorf("got %v, want what is not ours, two old copies and the new one", got)
	}
	f.must("restore", "--check", got[3])
}

// TestNoCopyNoUpgrade leaves the database as it is when there is no room for a
// copy of it.
func TestNoCopyNoUpgrade(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.serve().stop()
	older(t, f.data("muster.db"))
	write(t, f.data("backups"), "a file where the folder is to be")
	f.refused([]string{"serve", "--listen", "localhost:0"}, "copy the database before it is brought up to date",
		"backups")
	f.refused([]string{"user", "list"}, "the database is of an older version")
	if err := os.Remove(f.data("backups")); err != nil {
		t.Fatal(err)
	}
	f.serve()
}
