package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"zombiezen.com/go/sqlite"

	"muster/internal/archive"
	"muster/internal/durable"
)

// buildPragmas prepare the connection that builds a new file. Nothing but the
// finished file matters, so that it needs no journal.
var buildPragmas = []string{
	"PRAGMA page_size = 16384",
	"PRAGMA journal_mode = OFF",
	"PRAGMA synchronous = OFF",
	"PRAGMA foreign_keys = OFF", // they are checked at the end
	"PRAGMA cache_size = -65536",
	"BEGIN",
}

// replaceSQLite builds a new file beside the present one.
func (m Import) replaceSQLite(ctx context.Context, name string, in *archive.Reader) (r Replaced, err error) {
	fresh := name + ".restoring"
	if err := errors.Join(removeIfThere(fresh), makePrivate(fresh)); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, removeIfThere(fresh)) }()
	if r.Tables, err = m.buildSQLite(ctx, fresh, in); err != nil {
		return r, err
	}
	if err := setAside(name); err != nil {
		return r, err
	}
	kept := name + ".before-" + m.Stamp
	err = durable.Swap(fresh, name, kept)
	if _, missing := os.Stat(kept); missing == nil {
		r.Kept = kept
	}
	return r, err
}

// buildSQLite builds a whole file, on disk when it returns.
func (m Import) buildSQLite(ctx context.Context, file string, in *archive.Reader) (loaded []Loaded, err error) {
	c, err := sqlite.OpenConn(file, sqlite.OpenReadWrite)
	if err != nil {
		return nil, err
	}
	s := sqliteSite{&sqliteConn{conn: c, statements: map[string]*sqlite.Stmt{}}}
	defer func() { err = errors.Join(err, s.close()) }()
	c.SetInterrupt(ctx.Done())
	for _, sql := range buildPragmas {
		if err := s.exec(sql); err != nil {
			return nil, err
		}
	}
	if loaded, err = m.loader(s, &sqliteDialect, in).build(ctx); err != nil {
		return nil, err
	}
	if err := s.checkReferences(ctx); err != nil {
		return nil, err
	}
	for _, sql := range []string{"COMMIT", "PRAGMA synchronous = FULL", "PRAGMA journal_mode = WAL"} {
		if err := s.exec(sql); err != nil {
			return nil, err
		}
	}
	return loaded, nil
}

// A sqliteSite is a new SQLite file.
type sqliteSite struct{ *sqliteConn }

func (s sqliteSite) fill(ctx context.Context, t archive.Table, next func() ([]any, error)) error {
	sql := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", t.Name, strings.Join(t.Names(), ", "), placeholders(len(t.Columns)))
	for {
		row, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = s.query(ctx, sql, row, nil)
		}
		if err != nil {
			return err
		}
	}
}

// checkReferences refuses rows that refer to others that are not there.
func (s sqliteSite) checkReferences(ctx context.Context) error {
	return s.query(ctx, "SELECT \"table\", parent FROM pragma_foreign_key_check", nil, func(r row) error {
		return fmt.Errorf("a row of %s refers to one of %s that is not there", r.bytes(0, nil), r.bytes(1, nil))
	})
}

// setAside moves all changes of a file into it, so that the file is the whole
// database. What belongs to a file that cannot be opened is renamed: it must
// not meet the new one.
func setAside(name string) error {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return removeIfThere(name + "-wal")
	}
	checkpointed := checkpoint(name)
	for _, suffix := range []string{"-wal", "-shm"} {
		err := os.Rename(name+suffix, name+".damaged"+suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, checkpointed)
		}
	}
	return nil
}

// checkpoint opens and closes a file: the last connection that closes it leaves
// no other files behind.
func checkpoint(name string) error {
	c, err := sqlite.OpenConn(name, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	sc := &sqliteConn{conn: c, statements: map[string]*sqlite.Stmt{}}
	return errors.Join(sc.exec("PRAGMA wal_checkpoint(TRUNCATE)"), sc.close())
}

func removeIfThere(file string) error {
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
