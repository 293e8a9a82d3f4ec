package sqldb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"
)

// pragmas prepare each connection. Pages of 16 KiB make lists 15 to 20 %
// cheaper; synchronous=FULL means that what was acknowledged is on disk.
var pragmas = []string{
	"PRAGMA page_size = 16384",
	"PRAGMA journal_mode = WAL",
	"PRAGMA synchronous = FULL",
	"PRAGMA foreign_keys = ON",
	"PRAGMA temp_store = MEMORY",
}

// Memory of connections: how many prepared statements each keeps, how long the
// text of one may be, the page cache of the one that writes, and that of all
// others together. The system keeps pages of the file as well, and lists come
// from memory, so those who read need few; reports of many agents change the
// same pages again and again.
const (
	statementCache = 100
	statementSize  = 16 << 10
	writerPages    = 16 << 20
	readerPages    = 2 << 20
)

// An SQLite is an SQLite file: one connection that writes, and some that read
// beside it.
type SQLite struct {
	readers chan *SQLiteConn
	writer  *writer
	all     []*SQLiteConn
	closed  func() error
	ran     atomic.Int64 // statements
}

func openSQLite(ctx context.Context, path string) (Database, error) {
	db := &SQLite{readers: make(chan *SQLiteConn, max(4, 2*runtime.GOMAXPROCS(0)))}
	if err := MakePrivate(path); err != nil {
		return nil, err
	}
	for range cap(db.readers) + 1 {
		if err := db.connect(path); err != nil {
			_ = db.closeConns() // the first error tells more
			return nil, err
		}
	}
	db.writer = newWriter(db.all[0])
	for _, c := range db.all[1:] {
		db.readers <- c
	}
	db.closed = sync.OnceValue(db.end)
	return db, nil
}

// MakePrivate makes a new file that only its owner can read; the files that
// SQLite makes beside it have the same mode.
func MakePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// connect opens one connection.
func (db *SQLite) connect(path string) error {
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite, sqlite.OpenCreate)
	if err != nil {
		return err
	}
	sc := &SQLiteConn{conn: c, statements: map[string]*sqlite.Stmt{}, ran: &db.ran}
	db.all = append(db.all, sc)
	c.SetBusyTimeout(10 * time.Second)
	pages := readerPages / cap(db.readers)
	if len(db.all) == 1 {
		pages = writerPages
	}
	for _, pragma := range append(pragmas, fmt.Sprintf("PRAGMA cache_size = -%d", pages>>10)) {
		if err := sc.Exec(pragma); err != nil {
			return fmt.Errorf("%s: %w", pragma, err)
		}
	}
	return nil
}

// SetHooks sets what follows from changes. It is for a file that nobody changes yet.
func (db *SQLite) SetHooks(h Hooks) { db.writer.hooks = h }

// Shrink gives the pages back that the writer keeps.
func (db *SQLite) Shrink(ctx context.Context) error {
	return db.writer.run(ctx, func(c Conn) error { return c.(*SQLiteConn).Shrink() })
}

// Stats returns the present figures.
func (db *SQLite) Stats() Stats {
	return Stats{Commits: db.writer.commits.Load(), Ran: db.ran.Load()}
}

// Dialect returns what is SQLite's own.
func (db *SQLite) Dialect() *Dialect { return &SQLiteDialect }

// Close closes the file once all transactions have ended.
func (db *SQLite) Close() error { return db.closed() }

func (db *SQLite) end() error {
	db.writer.stop()
	for range cap(db.readers) {
		<-db.readers // waits for the transactions under way
	}
	return db.closeConns()
}

func (db *SQLite) closeConns() (err error) {
	for _, c := range db.all {
		err = errors.Join(err, c.Close())
	}
	return err
}

// View runs f on a connection of its own, which sees one state of the file.
func (db *SQLite) View(ctx context.Context, f func(Conn) error) error {
	return db.Read(ctx, func(c Conn) (err error) {
		sc := c.(*SQLiteConn)
		if err := sc.Exec("BEGIN"); err != nil {
			return err
		}
		defer func() {
			sc.endless()
			err = errors.Join(err, sc.Exec("COMMIT"))
		}()
		return f(c)
	})
}

// Read runs f on a connection of its own.
func (db *SQLite) Read(ctx context.Context, f func(Conn) error) (err error) {
	var c *SQLiteConn
	select {
	case c = <-db.readers:
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrUnavailable, context.Cause(ctx))
	case <-db.writer.quit:
		return errClosed
	}
	defer func() {
		c.endless()
		db.readers <- c
	}()
	if err = c.until(ctx); err == nil {
		err = f(c)
	}
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// Update has the writer run f, and returns when its changes are on disk or undone.
func (db *SQLite) Update(ctx context.Context, f func(Conn) error) error {
	return db.writer.run(ctx, f)
}

// Snapshot is View: that may take as long as it takes.
func (db *SQLite) Snapshot(ctx context.Context, f func(Conn) error) error { return db.View(ctx, f) }

// Migrate is Update of tables.
func (db *SQLite) Migrate(ctx context.Context, f func(Conn) error) error {
	err := db.writer.run(ctx, f)
	if err == nil {
		db.settle()
	}
	return err
}

// settle moves what is in the journal to the file itself. New tables are all in the
// journal: on a disk that becomes full there would be no room to move them later.
func (db *SQLite) settle() {
	c := <-db.readers
	defer func() { db.readers <- c }()
	_ = c.Exec("PRAGMA wal_checkpoint(PASSIVE)") // on a full disk they stay where they are
}

// A SQLiteConn is one connection with its prepared statements.
type SQLiteConn struct {
	conn       *sqlite.Conn
	statements map[string]*sqlite.Stmt
	ran        *atomic.Int64 // statements of all connections, nil when nobody counts them
	holding    *sqlite.Stmt  // is under way while queries may be interrupted, nil if they never are
	busy       bool          // reading rows: another query could end the one under way
	delays     bool          // statements that can wait do so
	delayed    []delayed
}

// OpenSQLiteConn opens one connection to a file that is there, whose queries end with
// ctx. It waits for other processes for so long.
func OpenSQLiteConn(ctx context.Context, file string, wait time.Duration) (*SQLiteConn, error) {
	c, err := sqlite.OpenConn(file, sqlite.OpenReadWrite)
	if err != nil {
		return nil, err
	}
	c.SetInterrupt(ctx.Done())
	c.SetBusyTimeout(wait)
	return &SQLiteConn{conn: c, statements: map[string]*sqlite.Stmt{}}, nil
}

// A delayed is a statement that waits for the end of its transaction.
type delayed struct {
	sql  string
	args []any
}

var errBusy = errors.New("a query was made while the rows of another were being read")

// Close closes the connection, and the file when it is the last one.
func (c *SQLiteConn) Close() error {
	// Whichever is closed last moves the journal to the file, but not when its last
	// query was interrupted: that holds until the next one.
	_ = c.Exec("SELECT 1")
	for _, stmt := range c.statements {
		_ = stmt.Finalize() // repeats the statement's last error
	}
	if c.holding != nil {
		_ = c.holding.Finalize()
	}
	return c.conn.Close()
}

// until makes queries end with ctx, and lets them all read the state that the file
// has now. SQLite forgets an interrupt that comes when no statement is under way,
// just before one begins; so one is, all the time. It reads the file, so that the
// state does not begin with the first query alone, perhaps after memory was asked.
func (c *SQLiteConn) until(ctx context.Context) error {
	if c.holding == nil {
		stmt, _, err := c.conn.PrepareTransient("SELECT 1 UNION ALL SELECT count(*) FROM sqlite_schema")
		if err != nil {
			return err
		}
		c.holding = stmt
	}
	c.conn.SetInterrupt(ctx.Done())
	_, err := c.holding.Step()
	return explain(err)
}

// endless lets queries take as long as they take.
func (c *SQLiteConn) endless() {
	if c.holding != nil {
		_ = c.holding.Reset() // repeats the error of Step
	}
	c.conn.SetInterrupt(nil)
}

// Shrink gives the pages back that the connection keeps.
func (c *SQLiteConn) Shrink() error { return c.Exec("PRAGMA shrink_memory") }

// Exec runs a statement without parameters and without a result.
func (c *SQLiteConn) Exec(sql string) error { return c.Query(context.Background(), sql, nil, nil) }

// Query runs a statement, see Conn.
func (c *SQLiteConn) Query(_ context.Context, sql string, args []any, each func(Row) error) (err error) {
	if c.busy {
		return errBusy
	}
	stmt, err := c.prepare(sql)
	if err != nil {
		return fmt.Errorf("prepare %s: %w", sql, err)
	}
	if c.ran != nil {
		c.ran.Add(1)
	}
	c.busy = true
	defer func() {
		_ = stmt.Reset() // repeats the error of Step
		if len(sql) > statementSize {
			c.forget(sql)
		}
		c.busy = false
	}()
	for i, arg := range args {
		bind(stmt, i+1, arg)
	}
	for {
		more, err := stmt.Step()
		if err != nil || !more {
			return explain(err)
		}
		if each == nil {
			continue
		}
		if err := each(sqliteRow{stmt}); err != nil {
			return err
		}
	}
}

// Later keeps the words of records until the end of a group of changes, if this
// is the connection of its writer. Between other statements FTS5 would write out
// each record's words by themselves, and merge them with others again and again.
func (c *SQLiteConn) Later(ctx context.Context, sql string, args []any) error {
	if !c.delays {
		return c.Query(ctx, sql, args, nil)
	}
	c.delayed = append(c.delayed, delayed{sql, args})
	return nil
}

// catchUp runs the statements that have waited.
func (c *SQLiteConn) catchUp() error {
	waiting := c.delayed
	c.delayed = nil
	for _, d := range waiting {
		if err := c.Query(context.Background(), d.sql, d.args, nil); err != nil {
			return err
		}
	}
	return nil
}

// explain marks the errors that callers tell apart.
func explain(err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultBusy: // another process writes the file
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	case sqlite.ResultFull:
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}

// prepare returns the prepared statement of a text. Numbered parameters become
// SQLite's own: it would number $2 by its first appearance.
func (c *SQLiteConn) prepare(sql string) (*sqlite.Stmt, error) {
	if stmt := c.statements[sql]; stmt != nil {
		return stmt, nil
	}
	for text := range c.statements {
		if len(c.statements) < statementCache {
			break
		}
		c.forget(text)
	}
	stmt, rest, err := c.conn.PrepareTransient(strings.ReplaceAll(failing(sql), "$", "?"))
	if err != nil {
		return nil, err
	}
	if rest > 0 {
		_ = stmt.Finalize()
		return nil, errors.New("more than one statement")
	}
	c.statements[sql] = stmt
	return stmt, nil
}

// failing returns a statement that, when it fails, leaves what it did until
// then: its whole change is undone anyway. Else SQLite would copy every page that
// a statement with several rows touches, to be able to undo the statement alone.
func failing(sql string) string {
	if rest, ok := strings.CutPrefix(sql, "INSERT INTO "); ok {
		return "INSERT OR FAIL INTO " + rest
	}
	if rest, ok := strings.CutPrefix(sql, "UPDATE "); ok {
		return "UPDATE OR FAIL " + rest
	}
	return sql
}

// forget frees a prepared statement.
func (c *SQLiteConn) forget(sql string) {
	_ = c.statements[sql].Finalize() // repeats the statement's last error
	delete(c.statements, sql)
}

// bind sets a parameter.
func bind(stmt *sqlite.Stmt, i int, arg any) {
	switch v := arg.(type) {
	case nil:
		stmt.BindNull(i)
	case int64:
		stmt.BindInt64(i, v)
	case string:
		stmt.BindText(i, v)
	case []byte:
		stmt.BindBytes(i, v)
	default:
		panic(fmt.Sprintf("store: parameter of type %T", arg))
	}
}

// ShortText is room in which most texts have place, so that they are read without
// asking for their length.
const ShortText = 256

// A sqliteRow is the current row of a statement.
type sqliteRow struct{ stmt *sqlite.Stmt }

func (r sqliteRow) Null(i int) bool { return r.stmt.ColumnIsNull(i) }
func (r sqliteRow) Int(i int) int64 { return r.stmt.ColumnInt64(i) }
func (r sqliteRow) Bytes(i int, b []byte) []byte {
	if room := b[len(b):cap(b)]; len(room) >= ShortText {
		if n := r.stmt.ColumnBytes(i, room); n < len(room) {
			return b[:len(b)+n]
		}
	}
	n, m := len(b), r.stmt.ColumnLen(i)
	if m == 0 {
		return b
	}
	b = append(b, make([]byte, m)...)
	r.stmt.ColumnBytes(i, b[n:])
	return b
}
