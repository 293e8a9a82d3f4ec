package sqldb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// openFile opens a new SQLite file with one table.
func openFile(t *testing.T) (*SQLite, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a ?mode=ro#'%.db") // no character of it is special
	db, err := openSQLite(context.Background(), path)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() { _ = db.Close() })
	err = db.Update(context.Background(), func(c Conn) error {
		return c.Query(context.Background(), "CREATE TABLE kept (name TEXT PRIMARY KEY, value BLOB)", nil, nil)
	})
	if err != nil {
		t.Fatalf("make a table: %v", err)
	}
	return db.(*SQLite), path
}

// set returns a change that stores a value.
func set(name string, value []byte) func(Conn) error {
	return func(c Conn) error {
		return c.Query(context.Background(), "INSERT INTO kept (name, value) VALUES ($1, $2)", []any{name, value}, nil)
	}
}

// kept returns how many values are stored.
func kept(t *testing.T, c Conn) (n int64) {
	t.Helper()
	err := c.Query(context.Background(), "SELECT count(*) FROM kept", nil, func(r Row) error {
		n = r.Int(0)
		return nil
	})
	if err != nil {
		t.Errorf("count: %v", err)
	}
	return n
}

// TestSettings checks the settings of every connection: acknowledged means on disk.
func TestSettings(t *testing.T) {
	t.Parallel()
	db, _ := openFile(t)
	if got, want := len(db.all), 1+cap(db.readers); got != want || want < 5 {
		t.Errorf("got %d connections, want %d", got, want)
	}
	for i, c := range db.all {
		for pragma, want := range map[string]string{
			"journal_mode": "wal", "synchronous": "2", "page_size": "16384",
			"foreign_keys": "1", "temp_store": "2", "busy_timeout": "10000",
		} {
			err := c.Query(context.Background(), "PRAGMA "+pragma, nil, func(r Row) error {
				if got := string(r.Bytes(0, nil)); got != want {
					t.Errorf("connection %d: %s: got %s, want %s", i, pragma, got, want)
				}
				return nil
			})
			if err != nil {
				t.Errorf("connection %d: %s: %v", i, pragma, err)
			}
		}
	}
}

// TestCancelThenClose: the file has every change when it is closed, also when
// queries were cancelled last, so that whoever copies it alone has all.
func TestCancelThenClose(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, path := openFile(t)
	if err := db.Update(ctx, set("name", []byte("value"))); err != nil {
		t.Fatal(err)
	}
	for _, c := range db.all[1:] {
		cancelled, cancel := context.WithCancel(ctx)
		if err := c.until(cancelled); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Millisecond, cancel)
		const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
		err := c.Query(ctx, endless, nil, nil)
		if c.endless(); err == nil {
			t.Error("a cancelled query: got no error")
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if journal, err := os.Stat(path + "-wal"); err == nil {
		t.Errorf("got a journal of %d bytes, want none", journal.Size())
	}
}

// TestParameters binds values by their number, in whatever order and however
// often the text names them, and no value of an earlier use is left.
func TestParameters(t *testing.T) {
	t.Parallel()
	db, _ := openFile(t)
	c := db.all[0]
	for _, args := range [][]any{
		{"a", int64(1 << 62), []byte("c")}, {nil, int64(-1), []byte(nil)}, {"$1 ?2", int64(0), []byte("'")},
	} {
		err := c.Query(context.Background(), "SELECT $3, $1, $2, $1", args, func(r Row) error {
			text, _ := args[0].(string)
			if string(r.Bytes(0, nil)) != string(args[2].([]byte)) || string(r.Bytes(1, nil)) != text ||
				r.Int(2) != args[1] ||
				string(r.Bytes(3, []byte("x"))) != "x"+text || r.Null(1) != (args[0] == nil) {
				t.Errorf("%v: got %q %q %d %q", args, r.Bytes(0, nil), r.Bytes(1, nil), r.Int(2), r.Bytes(3, nil))
			}
			return nil
		})
		if err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
	if err := c.Exec("SELECT 1; SELECT 2"); err == nil {
		t.Error("got no error for two statements in one")
	}
}

// TestStatementCache keeps a limited number of statements, and those that it
// gives up work again.
func TestStatementCache(t *testing.T) {
	t.Parallel()
	db, _ := openFile(t)
	c := db.all[0]
	for i := range 3 * statementCache {
		n := int64(i % (statementCache + 7))
		err := c.Query(context.Background(), fmt.Sprintf("SELECT %d + $1", n), []any{int64(i)}, func(r Row) error {
			if got := r.Int(0); got != n+int64(i) {
				t.Errorf("statement %d: got %d, want %d", i, got, n+int64(i))
			}
			return nil
		})
		if err != nil || len(c.statements) > statementCache {
			t.Fatalf("statement %d: got error %v and %d statements kept", i, err, len(c.statements))
		}
	}
}

// TestOtherWriter is unavailability: another process writes the file.
func TestOtherWriter(t *testing.T) {
	t.Parallel()
	db, path := openFile(t)
	other, _ := openFile(t)
	if err := other.connect(path); err != nil {
		t.Fatal(err)
	}
	intruder := other.all[len(other.all)-1]
	if err := intruder.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	db.writer.conn.conn.SetBusyTimeout(0)
	if err := db.Update(context.Background(), set("a", []byte("b"))); !errors.Is(err, ErrUnavailable) {
		t.Errorf("got error %v, want ErrUnavailable", err)
	}
	if err := intruder.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := db.Update(context.Background(), set("a", []byte("b"))); err != nil {
		t.Errorf("after the other has ended: %v", err)
	}
}

// TestUndone checks that every change of a group returns an error when the database rolls back their
// transaction, and that the next ones succeed.
func TestUndone(t *testing.T) {
	t.Parallel()
	db, _ := openFile(t)
	ctx := context.Background()
	group := make([]*change, 3)
	for i := range group {
		group[i] = &change{ctx: ctx, run: func(c Conn) error {
			err := set(fmt.Sprint("undone", i), []byte("x"))(c)
			if i == 1 {
				err = errors.Join(err, c.Query(ctx, "ROLLBACK", nil, nil)) // as a full disk does
			}
			return err
		}, outcome: make(chan error, 1)}
	}
	db.writer.stop() // the test is the writer now
	db.writer.group(group)
	for i, c := range group {
		if err := <-c.outcome; err == nil {
			t.Errorf("change %d: got no error", i)
		}
	}
	last := &change{ctx: ctx, run: set("done", []byte("x")), outcome: make(chan error, 1)}
	db.writer.group([]*change{last})
	if err := <-last.outcome; err != nil {
		t.Errorf("next change: %v", err)
	}
	if n := kept(t, db.writer.conn); n != 1 {
		t.Errorf("got %d values stored, want 1", n)
	}
}

// TestFull: when there is no room, changes fail and say so, and reading goes on;
// with room again changes do too. What was stored before is all there.
func TestFull(t *testing.T) {
	t.Parallel()
	db, _ := openFile(t)
	ctx := context.Background()
	pages := func(c *SQLiteConn, pragma string) (n int64) {
		if err := c.Query(ctx, pragma, nil, func(r Row) error { n = r.Int(0); return nil }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	writer := db.all[0]
	limit := pages(writer, "PRAGMA page_count") + 4
	pages(writer, fmt.Sprintf("PRAGMA max_page_count = %d", limit))
	add := func(name string) error { return db.Update(ctx, set(name, make([]byte, 10_000))) }
	stored, err := 0, error(nil)
	for ; err == nil && stored < 100; stored++ {
		err = add(fmt.Sprint(stored))
	}
	if stored--; !errors.Is(err, ErrFull) || stored == 0 {
		t.Fatalf("got %v after %d changes, want %v after some", err, stored, ErrFull)
	}
	count := func() (n int64) {
		err := db.View(ctx, func(c Conn) error {
			n = kept(t, c)
			return nil
		})
		if err != nil {
			t.Errorf("reading: %v", err)
		}
		return n
	}
	if got := count(); got != int64(stored) {
		t.Errorf("got %d values, want the %d that were stored", got, stored)
	}
	pages(writer, fmt.Sprintf("PRAGMA max_page_count = %d", limit+100))
	if err := add("more"); err != nil || count() != int64(stored)+1 {
		t.Errorf("with room again: got %v and %d values, want %d", err, count(), stored+1)
	}
}
