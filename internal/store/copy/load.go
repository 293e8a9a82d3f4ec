package copy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"muster/internal/archive"
	"muster/internal/store"
	"muster/internal/store/sqldb"
)

// An Import says how a database is replaced by the contents of an archive.
type Import struct {
	Stamp    string                                 // suffix of the name of the database that is replaced and kept
	Finish   func(context.Context, *store.Tx) error // may refuse the new database, or change it, before it is put in place
	Progress archive.Progress
}

// A Loaded is a table that was loaded and verified against the archive.
type Loaded struct {
	Table string
	Rows  int64
}

// A Replaced is the result of an import.
type Replaced struct {
	Tables []Loaded
	Kept   string // where the former database is, "" when there was none
}

// Run builds a database from an archive beside the present one, verifies that it equals the archive, and
// replaces the present one, which is kept. No other process may have the database open. On an error the present
// one stays as it is.
func (m Import) Run(ctx context.Context, name string, in *archive.Reader) (Replaced, error) {
	if store.IsPostgres(name) {
		return m.replacePostgres(ctx, name, in)
	}
	return m.replaceSQLite(ctx, name, in)
}

// A site is where a new database is built.
type site interface {
	sqldb.Conn
	// fill inserts the rows that next returns, until it returns io.EOF.
	fill(ctx context.Context, t archive.Table, next func() ([]any, error)) error
}

// A loader builds a new database.
type loader struct {
	Import
	copier
	site    site
	in      *archive.Reader
	shape   []string // statements that were run
	made    []string // tables, in the order in which they must follow
	indexes []string // to be created after the rows are loaded
	tables  []loading
	done    int64 // number of rows
	proved  int64
}

// A loading is a table and its expected content.
type loading struct {
	archive.Table
	extent archive.Extent
}

func (m Import) loader(s site, d *sqldb.Dialect, in *archive.Reader) *loader {
	return &loader{Import: m, copier: copier{s, d}, site: s, in: in}
}

// build creates the tables, fills them and verifies them.
func (l *loader) build(ctx context.Context) (loaded []Loaded, err error) {
	if err := l.load(ctx); err != nil {
		return nil, err
	}
	for _, sql := range l.indexes {
		if err := l.execute(ctx, sql); err != nil {
			return nil, err
		}
	}
	for _, t := range l.tables {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := l.prove(ctx, t); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		loaded = append(loaded, Loaded{t.Name, t.extent.Rows})
	}
	tx := store.OnConn(l.site)
	if err := tx.CheckVersion(ctx); err != nil {
		return nil, err
	}
	return loaded, l.Finish(ctx, tx)
}

// load reads the archive to its end.
func (l *loader) load(ctx context.Context) error {
	for {
		item, err := l.in.Next()
		if errors.Is(err, io.EOF) {
			return l.complete()
		}
		if err != nil {
			return err
		}
		switch item := item.(type) {
		case archive.Statement:
			err = l.statement(ctx, string(item))
		case archive.Table:
			err = l.table(ctx, item)
		}
		if err != nil {
			return err
		}
	}
}

// complete returns an error for the first table that the archive lacks.
func (l *loader) complete() error {
	if tables := sqldb.TablesMade(l.shape); len(l.tables) < len(tables) {
		return fmt.Errorf("%w: it lacks the table %s", archive.ErrDamaged, tables[len(l.tables)])
	}
	return nil
}

// statement runs a statement of the archive, or keeps it for later if it creates an index, which is cheaper
// after the rows are loaded. It refuses statements that Muster itself would not run, since the file may be
// forged.
func (l *loader) statement(ctx context.Context, sql string) error {
	if !sqldb.IsShape(sql) || len(l.tables) > 0 {
		return fmt.Errorf("%w: it has a statement that makes no table, or comes behind one: %.80q", archive.ErrDamaged,
			sql)
	}
	if m := sqldb.DropsIndex.FindStringSubmatch(sql); m != nil {
		return l.dropIndex(m[1])
	}
	if sqldb.MakesIndex.MatchString(sql) {
		l.indexes = append(l.indexes, sql)
		return nil
	}
	l.shape = append(l.shape, sql)
	return l.execute(ctx, sql)
}

// dropIndex removes an index from those to be created.
func (l *loader) dropIndex(name string) error {
	before := len(l.indexes)
	l.indexes = slices.DeleteFunc(l.indexes,
		func(sql string) bool { return strings.Contains(sql, " INDEX "+name+" ON ") })
	if len(l.indexes) == before {
		return fmt.Errorf("%w: it drops the index %s, which no statement has made", archive.ErrDamaged, name)
	}
	return nil
}

// execute runs a statement after the dialect has completed it.
func (l *loader) execute(ctx context.Context, sql string) error {
	if err := l.site.Query(ctx, l.dialect.Complete(sql), nil, nil); err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}

// table fills one table.
func (l *loader) table(ctx context.Context, t archive.Table) error {
	if len(l.tables) == 0 {
		l.made = sqldb.TablesMade(l.shape)
	}
	if len(l.tables) == len(l.made) || l.made[len(l.tables)] != t.Name {
		return fmt.Errorf("%w: the table %.80s comes where no statement has made it", archive.ErrDamaged, t.Name)
	}
	form, err := l.form(ctx, t.Name)
	if err != nil {
		return err
	}
	if !slices.Equal(form.Columns, t.Columns) || !slices.Equal(form.Key, t.Key) {
		return fmt.Errorf("%w: the table %s has other columns than its statements make", archive.ErrDamaged, t.Name)
	}
	loading := loading{Table: t}
	if err := l.site.fill(ctx, t, func() ([]any, error) { return l.next(&loading) }); err != nil {
		return fmt.Errorf("fill the table %s: %w", t.Name, err)
	}
	l.tables = append(l.tables, loading)
	return l.give(ctx, t.Name, loading.extent.LastID)
}

// next returns the next row of a table, io.EOF when it has ended.
func (l *loader) next(t *loading) ([]any, error) {
	item, err := l.in.Next()
	switch item := item.(type) {
	case archive.Row:
		if l.done++; l.done%archive.ProgressEvery == 0 {
			l.Progress(t.Name, l.done, l.in.Head.Rows)
		}
		return item, nil
	case archive.Extent:
		t.extent = item
		return nil, io.EOF
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: a table has no end", archive.ErrDamaged)
	}
	return nil, err
}

// give sets the last id that a table has given.
func (l *loader) give(ctx context.Context, table string, last int64) error {
	if last == 0 {
		return nil
	}
	for _, sql := range l.dialect.GiveID {
		if err := l.site.Query(ctx, sql, []any{table, last}, nil); err != nil {
			return err
		}
	}
	return nil
}

// prove reads a table again and compares it with the archive's.
func (l *loader) prove(ctx context.Context, t loading) error {
	sum := archive.NewSum()
	err := l.rows(ctx, t.Table, func(row []any) error {
		if l.proved++; l.proved%archive.ProgressEvery == 0 {
			l.Progress("proof of "+t.Name, l.proved, l.in.Head.Rows)
		}
		sum.Add(row)
		return nil
	})
	if err != nil {
		return err
	}
	last, err := l.lastID(ctx, t.Table)
	if err != nil {
		return err
	}
	got := sum.Extent(last)
	if got.Rows != t.extent.Rows || got.LastID != t.extent.LastID || !bytes.Equal(got.Sum, t.extent.Sum) {
		return fmt.Errorf("what was loaded is not equal to what the backup holds: %d rows up to id %d, want %d up to %d",
			got.Rows, got.LastID, t.extent.Rows, t.extent.LastID)
	}
	return nil
}
