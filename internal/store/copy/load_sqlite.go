package copy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"muster/internal/archive"
	"muster/internal/atomicfile"
	"muster/internal/store"
	"muster/internal/store/sqldb"
)

// buildPragmas are run on the connection that builds a new file. Only the finished file matters, so it needs no
// journal.
var buildPragmas = []string{
	"PRAGMA page_size = 16384",
	"PRAGMA journal_mode = OFF",
	"PRAGMA synchronous = OFF",
	"PRAGMA foreign_keys = OFF", // checked at the end
	"PRAGMA cache_size = -65536",
	"BEGIN",
}

// replaceSQLite builds a new file beside the present one.
func (m Import) replaceSQLite(ctx context.Context, name string, in *archive.Reader) (r Replaced, err error) {
	fresh, kept := name+".restoring", name+".before-"+m.Stamp
	if err := errors.Join(removeAll(fresh), sqldb.MakePrivate(fresh)); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, removeAll(fresh)) }()
	if r.Tables, err = m.buildSQLite(ctx, fresh, in); err != nil {
		return r, err
	}
	if err := setAside(ctx, name, kept); err != nil {
		return r, err
	}
	err = atomicfile.Swap(fresh, name, kept)
	if _, missing := os.Stat(kept); missing == nil {
		r.Kept = kept
	}
	return r, err
}

// Drill builds a throw-away SQLite file from an archive, verifies that it equals the archive, and removes it.
func (m Import) Drill(ctx context.Context, file string, in *archive.Reader) (loaded []Loaded, err error) {
	if err := errors.Join(removeAll(file), sqldb.MakePrivate(file)); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, removeAll(file)) }()
	return m.buildSQLite(ctx, file, in)
}

// Sweep removes what a drill in a file has left whose process died.
func Sweep(file string) error { return removeAll(file) }

// buildSQLite builds a whole file, which is on disk when it returns.
func (m Import) buildSQLite(ctx context.Context, file string, in *archive.Reader) (loaded []Loaded, err error) {
	c, err := sqldb.OpenSQLiteConn(ctx, file, openTime)
	if err != nil {
		return nil, err
	}
	s := sqliteSite{c}
	defer func() { err = errors.Join(err, s.Close()) }()
	for _, sql := range buildPragmas {
		if err := s.Exec(sql); err != nil {
			return nil, err
		}
	}
	if loaded, err = m.loader(s, &sqldb.SQLiteDialect, in).build(ctx); err != nil {
		return nil, err
	}
	if err := s.checkReferences(ctx); err != nil {
		return nil, err
	}
	for _, sql := range []string{"COMMIT", "PRAGMA synchronous = FULL", "PRAGMA journal_mode = WAL"} {
		if err := s.Exec(sql); err != nil {
			return nil, err
		}
	}
	return loaded, nil
}

// A sqliteSite is a new SQLite file.
type sqliteSite struct{ *sqldb.SQLiteConn }

func (s sqliteSite) fill(ctx context.Context, t archive.Table, next func() ([]any, error)) error {
	sql := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)",
		t.Name, strings.Join(t.Names(), ", "), sqldb.Placeholders(len(t.Columns)))
	for {
		row, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = s.Query(ctx, sql, row, nil)
		}
		if err != nil {
			return err
		}
	}
}

// checkReferences returns an error for rows that refer to missing ones.
func (s sqliteSite) checkReferences(ctx context.Context) error {
	return s.Query(ctx, "SELECT \"table\", parent FROM pragma_foreign_key_check", nil, func(r sqldb.Row) error {
		return fmt.Errorf("a row of %s refers to one of %s that is not there", r.Bytes(0, nil), r.Bytes(1, nil))
	})
}

// setAside merges a file's -wal into it, so that the file is the whole database. Where that is impossible, for
// example for a damaged file, the -wal gets the name of the kept database: it must not be applied to the new
// file.
func setAside(ctx context.Context, name, kept string) error {
	if _, err := os.Stat(name); err == nil {
		if err := checkpoint(ctx, name); errors.Is(err, errOpen) {
			return err
		}
	}
	err := os.Rename(name+"-wal", kept+"-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return removeIfThere(name + "-shm")
}

// errOpen is returned while another process reads or writes the file.
var errOpen = errors.New("another process has the database open: end it first")

// openTime is how long an import waits for other processes.
const openTime = 5 * time.Second

// checkpoint opens and closes a file, which as the last connection merges and removes the -wal. It returns
// errOpen if other processes have it open.
func checkpoint(ctx context.Context, name string) error {
	c, err := sqldb.OpenSQLiteConn(ctx, name, openTime)
	if err != nil {
		return err
	}
	busy := false
	err = c.Query(ctx, "PRAGMA wal_checkpoint(TRUNCATE)", nil, func(r sqldb.Row) error {
		busy = r.Int(0) != 0
		return nil
	})
	if err = errors.Join(err, c.Close()); busy || errors.Is(err, store.ErrUnavailable) {
		return errOpen
	}
	return err
}

// removeAll removes a file and those that SQLite may have created beside it.
func removeAll(file string) (err error) {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		err = errors.Join(err, removeIfThere(file+suffix))
	}
	return err
}

func removeIfThere(file string) error {
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
