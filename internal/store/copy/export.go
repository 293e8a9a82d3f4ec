// Package copy copies a whole database into an archive, and builds a database from one.
//
// It treats tables generically, by the database's own description of them, and verifies that a copy is equal.
// The meaning of records does not belong here, nor where archives are stored, which is up to the server.
package copy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"muster/internal/archive"
	"muster/internal/store"
	"muster/internal/store/sqldb"
)

// An Export says how a database is copied into an archive.
type Export struct {
	Head     archive.Head                           // of the archive
	Files    []archive.File                         // to be included
	Check    func(context.Context, *store.Tx) error // may refuse the state that would be copied
	Progress archive.Progress
}

// passing are the tables whose rows are not copied: a session that was ended must not be valid again in a
// restored database.
var passing = []string{"sessions"}

// Run writes one snapshot of a database into an archive, with every change that was acknowledged before. It
// does not block others. It accepts databases of any version. It returns the head of the archive.
func (c Export) Run(ctx context.Context, name string, out io.Writer) (archive.Head, error) {
	if _, err := os.Stat(name); !store.IsPostgres(name) && errors.Is(err, fs.ErrNotExist) {
		return c.Head, store.ErrMissing // opening it would create it
	}
	db, err := sqldb.Open(ctx, name)
	if err != nil {
		return c.Head, err
	}
	defer func() { _ = db.Close() }() // nothing was written
	e := &exporter{Export: c}
	err = db.Snapshot(ctx, func(conn sqldb.Conn) error {
		e.copier = copier{conn, db.Dialect()}
		return e.export(ctx, out)
	})
	return e.Head, err
}

// An exporter writes one state of a database.
type exporter struct {
	Export
	copier
	out  *archive.Writer
	done int64
}

// export writes the archive. Its first query fixes the snapshot.
func (e *exporter) export(ctx context.Context, out io.Writer) error {
	statements, err := e.statements(ctx)
	if err != nil {
		return err
	}
	for _, sql := range statements {
		if !sqldb.IsShape(sql) {
			return store.TooNew(fmt.Sprintf("this program does not know how to copy what was made by %.80s", sql))
		}
	}
	if err := e.check(ctx); err != nil {
		return err
	}
	tables := sqldb.TablesMade(statements)
	for _, name := range tables {
		n, err := e.count(ctx, name)
		if err != nil {
			return err
		}
		e.Head.Rows += n
	}
	if e.out, err = archive.NewWriter(out, e.Head); err != nil {
		return err
	}
	for _, f := range e.Files {
		if err := e.out.File(f); err != nil {
			return err
		}
	}
	for _, sql := range statements {
		if err := e.out.Statement(sql); err != nil {
			return err
		}
	}
	for _, name := range tables {
		if err := e.table(ctx, name); err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
	}
	return e.out.Close()
}

// check runs the caller's check of this state.
func (e *exporter) check(ctx context.Context) error {
	if e.Check == nil {
		return nil
	}
	return e.Check(ctx, store.OnConn(e.conn))
}

// table writes one table.
func (e *exporter) table(ctx context.Context, name string) error {
	t, err := e.form(ctx, name)
	if err != nil {
		return err
	}
	if err := e.out.Table(t); err != nil {
		return err
	}
	if !slices.Contains(passing, name) {
		if err := e.copyRows(ctx, t); err != nil {
			return err
		}
	}
	last, err := e.lastID(ctx, t)
	if err != nil {
		return err
	}
	return e.out.EndTable(last)
}

// copyRows writes every row of a table.
func (e *exporter) copyRows(ctx context.Context, t archive.Table) error {
	return e.rows(ctx, t, func(row []any) error {
		if e.done++; e.done%archive.ProgressEvery == 0 {
			e.Progress(t.Name, e.done, e.Head.Rows)
		}
		return e.out.Row(row)
	})
}

// A copier reads tables by the database's own description of them.
type copier struct {
	conn    sqldb.Conn
	dialect *sqldb.Dialect
}

// statements returns the statements that made the tables.
func (c copier) statements(ctx context.Context) (statements []string, err error) {
	isThere := false
	err = c.conn.Query(ctx, c.dialect.Columns, []any{"statements"}, func(sqldb.Row) error {
		isThere = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !isThere {
		return nil, store.ErrMissing
	}
	err = c.conn.Query(ctx, "SELECT statement FROM statements ORDER BY number", nil, func(r sqldb.Row) error {
		statements = append(statements, string(r.Bytes(0, nil)))
		return nil
	})
	if err == nil && len(statements) == 0 { // the snapshot is older than a restore that has just ended
		err = store.ErrMissing
	}
	return statements, err
}

// count returns how many rows of a table are copied.
func (c copier) count(ctx context.Context, table string) (n int64, err error) {
	if slices.Contains(passing, table) {
		return 0, nil
	}
	err = c.conn.Query(ctx, "SELECT count(*) FROM "+table, nil, func(r sqldb.Row) error {
		n = r.Int(0)
		return nil
	})
	return n, err
}

// types are the column types of both databases.
var types = map[string]archive.Type{
	"INTEGER": archive.Int, "BIGINT": archive.Int, "bigint": archive.Int,
	"TEXT": archive.Text, "text": archive.Text,
	"BLOB": archive.Blob, "bytea": archive.Blob,
}

// form returns the columns of a table.
func (c copier) form(ctx context.Context, name string) (archive.Table, error) {
	t := archive.Table{Name: name}
	places := map[string]int64{}
	err := c.conn.Query(ctx, c.dialect.Form, []any{name}, func(r sqldb.Row) error {
		column, word := string(r.Bytes(0, nil)), string(r.Bytes(1, nil))
		if types[word] == "" {
			return fmt.Errorf("the column %s is of the unknown type %s", column, word)
		}
		t.Columns = append(t.Columns, archive.Column{Name: column, Type: types[word]})
		if place := r.Int(2); place > 0 {
			places[column] = place
			t.Key = append(t.Key, column)
		}
		return nil
	})
	if err == nil && len(t.Key) == 0 {
		err = errors.New("it has no primary key")
	}
	slices.SortFunc(t.Key, func(a, b string) int { return cmp.Compare(places[a], places[b]) })
	return t, err
}

// rows calls each with every row of a table, in the order of its key. The row is valid until each returns.
func (c copier) rows(ctx context.Context, t archive.Table, each func([]any) error) error {
	sql := fmt.Sprintf("SELECT %s FROM %s ORDER BY %s", strings.Join(t.Names(), ", "), t.Name,
		strings.Join(t.Key, ", "))
	values := make([]any, len(t.Columns))
	var text []byte
	return c.conn.Query(ctx, sql, nil, func(r sqldb.Row) error {
		for i, column := range t.Columns {
			switch {
			case r.Null(i):
				values[i] = nil
			case column.Type == archive.Int:
				values[i] = r.Int(i)
			case column.Type == archive.Text:
				text = r.Bytes(i, text[:0])
				values[i] = string(text)
			default:
				values[i] = r.Bytes(i, []byte{})
			}
		}
		return each(values)
	})
}

// lastID returns the last id that a table has given to a record, 0 when it gives none.
func (c copier) lastID(ctx context.Context, t archive.Table) (last int64, err error) {
	if !slices.Equal(t.Key, []string{"id"}) {
		return 0, nil
	}
	err = c.conn.Query(ctx, c.dialect.LastID, []any{t.Name}, func(r sqldb.Row) error {
		last = r.Int(0)
		return nil
	})
	return last, err
}
