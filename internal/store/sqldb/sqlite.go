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

// pragmas are run on each connection. Pages of 16 KiB make lists 15 to 20 % cheaper; with synchronous=FULL
// acknowledged changes are on disk.
var pragmas = []string{
	"PRAGMA page_size = 16384",
	"PRAGMA journal_mode = WAL",
	"PRAGMA synchronous = FULL",
	"PRAGMA foreign_keys = ON",
	"PRAGMA temp_store = MEMORY",
}

// Memory of connections: the number and length of prepared statements that each caches, the page cache of the
// writer, and that of all readers together. Readers need few pages, since the system caches the file too and
// lists come from memory; the writer changes the same pages again and again.
const (
	statementCache = 100
	statementSize  = 16 << 10
	writerPages    = 16 << 20
	readerPages    = 2 << 20
)

// An SQLite is an SQLite file, with one connection that writes and some that read.
type SQLite struct {
	readers chan *SQLiteConn
	writer  *writer
	all     []*SQLiteConn
	closed  func() error
	ran     atomic.Int64 // number of statements
}

func openSQLite(ctx context.Context, path string) (Database, error) {
	db := &SQLite{readers: make(chan *SQLiteConn, max(4, 2*runtime.GOMAXPROCS(0)))}
	if err := MakePrivate(path); err != nil {
		return nil, err
	}
	for range cap(db.readers) + 1 {
		if err := db.connect(path); err != nil {
			_ = db.closeConns() // the first error says more
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

// MakePrivate creates a file that only its owner can read. Files that SQLite creates beside it get the same
// mode.
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

// SetHooks sets the functions that the writer calls. It must be called before the first change.
func (db *SQLite) SetHooks(h Hooks) { db.writer.hooks = h }

// Shrink frees the page cache of the writer.
func (db *SQLite) Shrink(ctx context.Context) error {
	return db.writer.run(ctx, func(c Conn) error { return c.(*SQLiteConn).Shrink() })
}

// Stats returns the present metrics.
func (db *SQLite) Stats() Stats {
	return Stats{Commits: db.writer.commits.Load(), Ran: db.ran.Load()}
}

// Dialect returns SQLite's dialect.
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

// View runs f on a connection of its own, which reads one snapshot of the file.
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
	begun := time.Now()
	var c *SQLiteConn
	select {
	case c = <-db.readers:
	case <-ctx.Done():
		return Waited(ctx, begun)
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
	switch {
	case err == nil || ctx.Err() == nil:
		return err
	case outOfTime(ctx):
		return tookTooLong(begun, err)
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// Update runs f in the writer, and returns when its changes are on disk or undone.
func (db *SQLite) Update(ctx context.Context, f func(Conn) error) error {
	return db.writer.run(ctx, f)
}

// Snapshot is View, which has no time limit here.
func (db *SQLite) Snapshot(ctx context.Context, f func(Conn) error) error { return db.View(ctx, f) }

// Migrate is Update, followed by a checkpoint.
func (db *SQLite) Migrate(ctx context.Context, f func(Conn) error) error {
	err := db.writer.run(ctx, f)
	if err == nil {
		db.settle()
	}
	return err
}

// settle moves the changes in the -wal file to the database file. All new tables are in the -wal file, and on a
// full disk there would be no room to move them later.
func (db *SQLite) settle() {
	c := <-db.readers
	defer func() { db.readers <- c }()
	_ = c.Exec("PRAGMA wal_checkpoint(PASSIVE)") // on a full disk they stay where they are
}

// A SQLiteConn is one connection with its prepared statements.
type SQLiteConn struct {
	conn       *sqlite.Conn
	statements map[string]*sqlite.Stmt
	ran        *atomic.Int64 // number of statements of all connections, nil when they are not counted
	guard      *sqlite.Stmt  // is under way while queries may be interrupted, nil if they never are
	busy       bool          // reading rows: another query could end the one under way
	delays     bool          // Later delays statements
	delayed    []delayed
}

// OpenSQLiteConn opens one connection to an existing file. Its queries end with ctx. It waits up to the given
// time for the locks of other processes.
func OpenSQLiteConn(ctx context.Context, file string, wait time.Duration) (*SQLiteConn, error) {
	c, err := sqlite.OpenConn(file, sqlite.OpenReadWrite)
	if err != nil {
		return nil, err
	}
	c.SetInterrupt(ctx.Done())
	c.SetBusyTimeout(wait)
	return &SQLiteConn{conn: c, statements: map[string]*sqlite.Stmt{}}, nil
}

// A delayed is a statement that is run at the end of its transaction.
type delayed struct {
	sql  string
	args []any
}

var errBusy = errors.New("a query was made while the rows of another were being read")

// Close closes the connection, and the file with the last one.
func (c *SQLiteConn) Close() error {
	// The last connection to close moves the -wal file to the database, but not if its last query was
	// interrupted, so run one that is not.
	_ = c.Exec("SELECT 1")
	for _, stmt := range c.statements {
		_ = stmt.Finalize() // repeats the statement's last error
	}
	if c.guard != nil {
		_ = c.guard.Finalize()
	}
	return c.conn.Close()
}

// until makes queries end with ctx, and lets them all read the snapshot that begins now. SQLite forgets an
// interrupt that comes between statements, so a statement is kept active throughout. It reads the file, since
// otherwise the snapshot would only begin with the first query.
func (c *SQLiteConn) until(ctx context.Context) error {
	if c.guard == nil {
		stmt, _, err := c.conn.PrepareTransient("SELECT 1 UNION ALL SELECT count(*) FROM sqlite_schema")
		if err != nil {
			return err
		}
		c.guard = stmt
	}
	c.conn.SetInterrupt(ctx.Done())
	_, err := c.guard.Step()
	return explain(err)
}

// endless removes the limit that until has set.
func (c *SQLiteConn) endless() {
	if c.guard != nil {
		_ = c.guard.Reset() // repeats the error of Step
	}
	c.conn.SetInterrupt(nil)
}

// Shrink frees the connection's page cache.
func (c *SQLiteConn) Shrink() error { return c.Exec("PRAGMA shrink_memory") }

// Exec runs a statement without parameters or result.
func (c *SQLiteConn) Exec(sql string) error { return c.Query(context.Background(), sql, nil, nil) }

// Query implements Conn.
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

// Later delays the words of records until the end of a group of changes, if this is the writer's connection.
// Between other statements FTS5 would write each record's words separately, and merge them again and again.
func (c *SQLiteConn) Later(ctx context.Context, sql string, args []any) error {
	if !c.delays {
		return c.Query(ctx, sql, args, nil)
	}
	c.delayed = append(c.delayed, delayed{sql, args})
	return nil
}

// catchUp runs the delayed statements.
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

// explain wraps the errors that callers distinguish.
func explain(err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultBusy: // another process is writing the file
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	case sqlite.ResultFull:
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}

// prepare returns the prepared statement for a text. $2 becomes ?2, since SQLite would number $2 by its first
// appearance.
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

// failing returns a statement with OR FAIL: a failed one keeps what it did, which the change undoes anyway.
// Otherwise SQLite would copy every page that a statement with several rows touches.
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

// ShortText is a buffer size that most texts fit into, so that they are read without asking for their length.
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
