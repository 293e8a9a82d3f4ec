package store

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

// A sqliteDB is an SQLite file: one connection that writes, and some that read
// beside it.
type sqliteDB struct {
	readers chan *sqliteConn
	writer  *writer
	all     []*sqliteConn
	closed  func() error
	ran     atomic.Int64 // statements
}

func openSQLite(ctx context.Context, path string) (database, error) {
	db := &sqliteDB{readers: make(chan *sqliteConn, max(4, 2*runtime.GOMAXPROCS(0)))}
	if err := makePrivate(path); err != nil {
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

// makePrivate makes a new file that only its owner can read; the files that
// SQLite makes beside it have the same mode.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// connect opens one connection.
func (db *sqliteDB) connect(path string) error {
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite, sqlite.OpenCreate)
	if err != nil {
		return err
	}
	sc := &sqliteConn{conn: c, statements: map[string]*sqlite.Stmt{}, ran: &db.ran}
	db.all = append(db.all, sc)
	c.SetBusyTimeout(10 * time.Second)
	pages := readerPages / cap(db.readers)
	if len(db.all) == 1 {
		pages = writerPages
	}
	for _, pragma := range append(pragmas, fmt.Sprintf("PRAGMA cache_size = -%d", pages>>10)) {
		if err := sc.exec(pragma); err != nil {
			return fmt.Errorf("%s: %w", pragma, err)
		}
	}
	return nil
}

// setHooks sets what follows from changes. It is for a file that nobody changes yet.
func (db *sqliteDB) setHooks(h Hooks) { db.writer.hooks = h }

// shrink gives the pages back that the writer keeps.
func (db *sqliteDB) shrink(ctx context.Context) error {
	return db.writer.run(ctx, func(c conn) error { return c.(*sqliteConn).shrink() })
}

func (db *sqliteDB) stats() DatabaseStats {
	return DatabaseStats{Commits: db.writer.commits.Load(), Ran: db.ran.Load()}
}

func (db *sqliteDB) dialect() *dialect { return &sqliteDialect }

func (db *sqliteDB) close() error { return db.closed() }

func (db *sqliteDB) end() error {
	db.writer.stop()
	for range cap(db.readers) {
		<-db.readers // waits for the transactions under way
	}
	return db.closeConns()
}

func (db *sqliteDB) closeConns() (err error) {
	for _, c := range db.all {
		err = errors.Join(err, c.close())
	}
	return err
}

// view runs f on a connection of its own, which sees one state of the file.
func (db *sqliteDB) view(ctx context.Context, f func(conn) error) error {
	return db.read(ctx, func(c conn) (err error) {
		sc := c.(*sqliteConn)
		if err := sc.exec("BEGIN"); err != nil {
			return err
		}
		defer func() {
			sc.endless()
			err = errors.Join(err, sc.exec("COMMIT"))
		}()
		return f(c)
	})
}

// read runs f on a connection of its own.
func (db *sqliteDB) read(ctx context.Context, f func(conn) error) (err error) {
	var c *sqliteConn
	select {
	case c = <-db.readers:
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", dbErrUnavailable, context.Cause(ctx))
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
		err = fmt.Errorf("%w: %w", dbErrUnavailable, err)
	}
	return err
}

func (db *sqliteDB) update(ctx context.Context, f func(conn) error) error {
	return db.writer.run(ctx, f)
}

func (db *sqliteDB) snapshot(ctx context.Context, f func(conn) error) error { return db.view(ctx, f) }

func (db *sqliteDB) migrate(ctx context.Context, f func(conn) error) error {
	err := db.writer.run(ctx, f)
	if err == nil {
		db.settle()
	}
	return err
}

// settle moves what is in the journal to the file itself. New tables are all in the
// journal: on a disk that becomes full there would be no room to move them later.
func (db *sqliteDB) settle() {
	c := <-db.readers
	defer func() { db.readers <- c }()
	_ = c.exec("PRAGMA wal_checkpoint(PASSIVE)") // on a full disk they stay where they are
}

// A sqliteConn is one connection with its prepared statements.
type sqliteConn struct {
	conn       *sqlite.Conn
	statements map[string]*sqlite.Stmt
	ran        *atomic.Int64 // statements of all connections, nil when nobody counts them
	holding    *sqlite.Stmt  // is under way while queries may be interrupted, nil if they never are
	busy       bool          // reading rows: another query could end the one under way
	delays     bool          // statements that can wait do so
	delayed    []delayed
}

// openSQLiteConn opens one connection to a file that is there, whose queries end with
// ctx. It waits for other processes for so long.
func openSQLiteConn(ctx context.Context, file string, wait time.Duration) (*sqliteConn, error) {
	c, err := sqlite.OpenConn(file, sqlite.OpenReadWrite)
	if err != nil {
		return nil, err
	}
	c.SetInterrupt(ctx.Done())
	c.SetBusyTimeout(wait)
	return &sqliteConn{conn: c, statements: map[string]*sqlite.Stmt{}}, nil
}

// A delayed is a statement that waits for the end of its transaction.
type delayed struct {
	sql  string
	args []any
}

var errBusy = errors.New("a query was made while the rows of another were being read")

func (c *sqliteConn) close() error {
	// Whichever is closed last moves the journal to the file, but not when its last
	// query was interrupted: that holds until the next one.
	_ = c.exec("SELECT 1")
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
func (c *sqliteConn) until(ctx context.Context) error {
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
func (c *sqliteConn) endless() {
	if c.holding != nil {
		_ = c.holding.Reset() // repeats the error of Step
	}
	c.conn.SetInterrupt(nil)
}

// shrink gives the pages back that the connection keeps.
func (c *sqliteConn) shrink() error { return c.exec("PRAGMA shrink_memory") }

func (c *sqliteConn) exec(sql string) error { return c.query(context.Background(), sql, nil, nil) }

func (c *sqliteConn) query(_ context.Context, sql string, args []any, each func(row) error) (err error) {
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

// later keeps the words of records until the end of a group of changes, if this
// is the connection of its writer. Between other statements FTS5 would write out
// each record's words by themselves, and merge them with others again and again.
func (c *sqliteConn) later(ctx context.Context, sql string, args []any) error {
	if !c.delays {
		return c.query(ctx, sql, args, nil)
	}
	c.delayed = append(c.delayed, delayed{sql, args})
	return nil
}

// catchUp runs the statements that have waited.
func (c *sqliteConn) catchUp() error {
	waiting := c.delayed
	c.delayed = nil
	for _, d := range waiting {
		if err := c.query(context.Background(), d.sql, d.args, nil); err != nil {
			return err
		}
	}
	return nil
}

// explain marks the errors that callers tell apart.
func explain(err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultBusy: // another process writes the file
		return fmt.Errorf("%w: %w", dbErrUnavailable, err)
	case sqlite.ResultFull:
		return fmt.Errorf("%w: %w", dbErrFull, err)
	}
	return err
}

// prepare returns the prepared statement of a text. Numbered parameters become
// SQLite's own: it would number $2 by its first appearance.
func (c *sqliteConn) prepare(sql string) (*sqlite.Stmt, error) {
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
func (c *sqliteConn) forget(sql string) {
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

// enough is room in which most texts have place, so that they are read without
// asking for their length.
const enough = 256

// A sqliteRow is the current row of a statement.
type sqliteRow struct{ stmt *sqlite.Stmt }

func (r sqliteRow) null(i int) bool { return r.stmt.ColumnIsNull(i) }
func (r sqliteRow) int(i int) int64 { return r.stmt.ColumnInt64(i) }
func (r sqliteRow) bytes(i int, b []byte) []byte {
	if room := b[len(b):cap(b)]; len(room) >= enough {
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
