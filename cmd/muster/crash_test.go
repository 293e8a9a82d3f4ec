//go:build full && volume

package main_test

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"muster/internal/mustertest"
)

const (
	kills   = 10
	writers = 4
	// between is how many writes are acknowledged between two kills.
	between = 150
)

// TestVolumeCrashLedger kills the server again and again while clients write,
// and compares what it has at the end with what it acknowledged.
func TestVolumeCrashLedger(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		database := db.New(t)
		f.env = []string{"MUSTER_DATABASE=" + database, "MUSTER_RATE_LIMIT=0"}
		l := &ledger{t: t, entries: map[string]*entry{}}
		s := f.serveReady()
		password := s.password
		for range kills {
			l.write(s, password)
			s = f.serveReady()
		}
		l.check(s.client(admin, password))
		if status := s.stop(); status != 0 {
			t.Errorf("exit status: got %d, want 0", status)
		}
		checkRows(t, db, database, len(l.entries))
		t.Logf("%d writes acknowledged on %d computers, %d in doubt, %d kills", l.acknowledged.Load(), len(l.entries), l.doubtful, kills)
	})
}

// serveReady starts a server and waits until it is ready.
func (f *folder) serveReady() *service {
	f.t.Helper()
	s := f.serve()
	eventually(f.t, "ready", func() bool { return s.client("", "").Get("/readyz").Status == http.StatusOK })
	return s
}

// An entry is what is known about a computer.
type entry struct {
	id       int64 // 0 while its creation is in doubt
	payload  string
	doubtful string // a later payload that was sent and not acknowledged
}

// A ledger notes what was acknowledged.
type ledger struct {
	t            *testing.T
	mu           sync.Mutex
	entries      map[string]*entry // by the unique name of the computer
	names        int
	doubtful     int
	acknowledged atomic.Int64
}

// write has all writers write until enough is acknowledged, kills the server
// among their writes and waits for their end.
func (l *ledger) write(s *service, password string) {
	target := l.acknowledged.Load() + between
	var all sync.WaitGroup
	enough := make(chan struct{})
	var once sync.Once
	for range writers {
		all.Go(func() {
			w := writer{l, s.client(admin, password), s.address}
			for w.computer() {
				if l.acknowledged.Load() >= target {
					once.Do(func() { close(enough) })
				}
			}
			once.Do(func() { close(enough) }) // a writer failed too early; the check tells
		})
	}
	<-enough
	s.kill()
	all.Wait()
	if got := l.acknowledged.Load(); got < target {
		l.t.Errorf("a write failed before the kill, at %d of %d:\n%s", got, target, s.log)
	}
}

// A writer makes one change after another on a connection that it keeps.
type writer struct {
	*ledger
	client *mustertest.Client
	base   string
}

// computer creates a computer and changes it twice. It returns false when the
// server is gone.
func (w *writer) computer() bool {
	w.mu.Lock()
	w.names++
	name := fmt.Sprintf("pc-%d", w.names)
	e := &entry{payload: name + "-0"}
	w.entries[name] = e
	w.mu.Unlock()
	path, ok := w.send("POST", "/hardwares.xml", document(name, e.payload), http.StatusCreated)
	if !ok {
		w.doubt()
		return false
	}
	id, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(path, "/hardwares/"), ".xml"), 10, 64)
	if err != nil {
		w.t.Errorf("Location: got %q", path)
	}
	e.id = id
	for i := range 2 {
		e.doubtful = fmt.Sprintf("%s-%d", name, i+1)
		if _, ok := w.send("PUT", path, document(name, e.doubtful), http.StatusOK); !ok {
			w.doubt()
			return false
		}
		e.payload, e.doubtful = e.doubtful, ""
	}
	return true
}

// doubt counts a write of which nobody knows whether it happened.
func (l *ledger) doubt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.doubtful++
}

// send makes a change; ok means that it was acknowledged, whole answer read.
func (w *writer) send(method, path, body string, want int) (location string, ok bool) {
	req, err := http.NewRequest(method, w.base+path, strings.NewReader(body))
	if err != nil {
		w.t.Error(err)
		return "", false
	}
	req.Header.Set("Content-Type", "application/xml")
	resp, err := w.client.HTTP.Do(req)
	if err != nil {
		return "", false
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", false
	}
	if resp.StatusCode != want {
		w.t.Errorf("%s %s: got %d %s, want %d", method, path, resp.StatusCode, text, want)
		return "", false
	}
	w.acknowledged.Add(1)
	return strings.TrimPrefix(resp.Header.Get("Location"), w.base), true
}

// document returns a computer whose parts all tell its payload, so that half a
// write would show.
func document(name, payload string) string {
	return "<hardware><name>" + name + "</name><tag>" + payload + "</tag><notes>" + payload + "</notes>" +
		"<videos type=\"array\"><video><name>" + payload + "</name></video><video><name>" + payload + "</name></video></videos></hardware>"
}

// A stored is a computer as the server shows it.
type stored struct {
	ID     int64    `xml:"id"`
	Name   string   `xml:"name"`
	Tag    string   `xml:"tag"`
	Notes  string   `xml:"notes"`
	Videos []string `xml:"videos>video>name"`
}

// check compares the ledger with what the server has.
func (l *ledger) check(c *mustertest.Client) {
	l.t.Helper()
	seen := map[string]int64{}
	for after, more := int64(0), true; more; {
		var list struct {
			Records []stored `xml:"hardware"`
		}
		l.parse(c, fmt.Sprintf("/hardwares.xml?per_page=1000&after=%d", after), &list)
		for _, rec := range list.Records {
			if seen[rec.Name] != 0 {
				l.t.Errorf("%s is there twice, as %d and %d", rec.Name, seen[rec.Name], rec.ID)
			}
			seen[rec.Name], after = rec.ID, rec.ID
		}
		more = len(list.Records) > 0
	}
	for name, e := range l.entries {
		id := seen[name]
		if e.id != 0 && id != e.id {
			l.t.Errorf("%s was acknowledged as %d and is there as %d", name, e.id, id)
		}
		if id == 0 {
			delete(l.entries, name) // it was in doubt and did not happen
			continue
		}
		var rec stored
		l.parse(c, fmt.Sprintf("/hardwares/%d.xml", id), &rec)
		if rec.Tag != e.payload && (e.doubtful == "" || rec.Tag != e.doubtful) {
			l.t.Errorf("%s: got %q, want the acknowledged %q (or %q, in doubt)", name, rec.Tag, e.payload, e.doubtful)
		}
		if rec.Name != name || rec.Notes != rec.Tag || !slices.Equal(rec.Videos, []string{rec.Tag, rec.Tag}) {
			l.t.Errorf("%s: got %+v, which is not whole", name, rec)
		}
		delete(seen, name)
	}
	if len(seen) > 0 {
		l.t.Errorf("nobody has written %v", seen)
	}
}

func (l *ledger) parse(c *mustertest.Client, path string, into any) {
	l.t.Helper()
	got := c.Get(path)
	if err := xml.Unmarshal([]byte(got.Body), into); err != nil || got.Status != http.StatusOK {
		l.t.Fatalf("%s: got %d, %v, want 200", path, got.Status, err)
	}
}

// Each computer has one audit record of its creation and one of each change,
// whose number ends its tag, and no other computer has any.
const wrongRows = `SELECT count(*) FROM hardwares h WHERE
	(SELECT count(*) FROM audits a WHERE a.record_type = 'hardware' AND a.record_id = h.id AND a.action = 'create') <> 1 OR
	(SELECT count(*) FROM audits a WHERE a.record_type = 'hardware' AND a.record_id = h.id AND a.action = 'update') <>
		CAST(substr(h.tag, length(h.tag)) AS INTEGER)`

const orphans = `SELECT count(*) FROM audits WHERE record_type = 'hardware' AND record_id NOT IN (SELECT id FROM hardwares)`

// checkRows looks into the database itself.
func checkRows(t *testing.T, db mustertest.Database, database string, computers int) {
	t.Helper()
	number := sqliteNumber
	if db.Name == "postgres" {
		number = postgresNumber
	} else if got := sqliteText(t, database, "PRAGMA integrity_check"); got != "ok" {
		t.Errorf("PRAGMA integrity_check: got %s, want ok", got)
	}
	for sql, want := range map[string]int{"SELECT count(*) FROM hardwares": computers, wrongRows: 0, orphans: 0} {
		if got := number(t, database, sql); got != want {
			t.Errorf("%s: got %d, want %d", sql, got, want)
		}
	}
}

func sqliteText(t *testing.T, path, sql string) string {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var lines []string
	err = sqlitex.ExecuteTransient(conn, sql, &sqlitex.ExecOptions{ResultFunc: func(stmt *sqlite.Stmt) error {
		lines = append(lines, stmt.ColumnText(0))
		return nil
	}})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return strings.Join(lines, "\n")
}

func sqliteNumber(t *testing.T, path, sql string) int {
	t.Helper()
	n, err := strconv.Atoi(sqliteText(t, path, sql))
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}

func postgresNumber(t *testing.T, address, sql string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(context.Background(), sql).Scan(&n); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}
