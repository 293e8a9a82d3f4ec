//go:build full

package api_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"muster/internal/mustertest"
	"muster/internal/server"
)

func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	cable, database := mustertest.NewCable(t, mustertest.Postgres.New(t))
	s := mustertest.Start(t, mustertest.Options{Database: database})
	c := s.Admin()
	address := create(t, c, "<name>a</name>")
	const failures = `muster_database_errors_total{sort="unavailable"}`
	for range 2 {
		before := s.Metrics()[failures]
		cable.Pull()
		s.Clock.Advance(2 * time.Hour) // the login is to be noted, which fails too
		for _, call := range []struct{ method, target, body string }{
			{"GET", "/hardwares.xml", ""}, {"GET", "/hardwares?after=0", ""}, {"GET", address, ""},
			{"POST", "/hardwares", hardware("<name>b</name>")}, {"PUT", address, hardware("<name>b</name>")},
			{"DELETE", address, ""},
		} {
			begin := time.Now()
			r := c.Do(call.method, call.target, call.body)
			refused(t, call.method+" "+call.target, r, http.StatusServiceUnavailable, "the database is not available")
			equal(t, call.method+" "+call.target+": Retry-After", r.Header.Get("Retry-After"), "5")
			if took := time.Since(begin); took > 40*time.Second {
				t.Errorf("%s %s: got the answer after %v, want it at once", call.method, call.target, took)
			}
		}
		if got := s.Metrics()[failures] - before; got < 6 {
			t.Errorf("%s: got %v more, want one a request at least", failures, got)
		}
		// What needs no database goes on.
		equal(t, "/readyz", s.Anonymous().Get("/readyz").Status, http.StatusServiceUnavailable)
		equal(t, "/healthz", s.Anonymous().Get("/healthz").Status, http.StatusOK)
		equal(t, "/api", c.Get("/api").Status, http.StatusOK)
		equal(t, "no credentials", s.Anonymous().Get("/hardwares").Status, http.StatusUnauthorized)
		refused(t, "a bad query", c.Get("/hardwares?x=1"), http.StatusBadRequest, "unknown parameter x")

		cable.Plug()
		equal(t, "GET when it is back", value(t, c.Get(address).Body, "name"), "a")
		eventually(t, "/readyz is back", func() bool { return s.Anonymous().Get("/readyz").Status == http.StatusOK })
	}
	equal(t, "a change when it is back", c.Do("DELETE", address, "").Status, http.StatusOK)
}

// TestSlowBody: one who promises a body and does not send it keeps no
// connection for long.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	w := dial(t, s)
	begin := time.Now()
	w.send("POST /hardwares HTTP/1.1", "Host: localhost", "Content-Length: 100000")
	w.write("<hardware>")
	if err := w.SetReadDeadline(begin.Add(50 * time.Second)); err != nil {
		t.Fatal(err)
	}
	refused(t, "POST", w.answer(), http.StatusUnauthorized, "authentication failed")
	if _, err := w.reader.ReadByte(); err != io.EOF {
		t.Errorf("after the answer: got %v, want the end of the connection", err)
	}
	if took := time.Since(begin); took > 40*time.Second {
		t.Errorf("got the answer and the end after %v, want it after about 5 s", took)
	}
}

// TestTooLong: what the database had not enough time for names that cause, and is counted apart from a database
// that is away.
func TestTooLong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ limit, want string }{
		"a statement": {"&statement_timeout=3000", "s and was ended, so nothing was changed: try again later, or do less at once"},
		"a lock":      {"&lock_timeout=2000", "s for another change of the same records and was ended"},
	} {
		database := mustertest.Postgres.New(t)
		s := mustertest.Start(t, mustertest.Options{Database: database + c.limit})
		admin := s.Admin()
		address := create(t, admin, "<name>a</name>")
		visitor := s.SignIn(server.Administrator)
		release := lockTable(t, database, "hardwares")
		before := s.Metrics()
		r := admin.Do("PUT", address, hardware("<name>b</name>"))
		refused(t, name, r, http.StatusServiceUnavailable, c.want)
		equal(t, name+": Retry-After", r.Header.Get("Retry-After"), "5")
		page := visitor.Get("/app/computers/1")
		equal(t, name+": the page", page.Status, http.StatusServiceUnavailable)
		for _, want := range []string{"That took too long", c.want} {
			if !strings.Contains(page.Body, want) {
				t.Errorf("%s: the page has no %q", name, want)
			}
		}
		counted := func(sort string) float64 {
			metric := `muster_database_errors_total{sort="` + sort + `"}`
			return s.Metrics()[metric] - before[metric]
		}
		if late, away := counted("too_long"), counted("unavailable"); late < 2 || away != 0 {
			t.Errorf("%s: got %v counted as too long and %v as unavailable, want 2 and none", name, late, away)
		}
		equal(t, name+": /readyz", s.Anonymous().Get("/readyz").Status, http.StatusOK)
		release()
		equal(t, name+": afterwards", admin.Do("PUT", address, hardware("<name>b</name>")).Status, http.StatusOK)
		s.Quit()
	}
}

// lockTable locks a table of a PostgreSQL database, as a long change would.
func lockTable(t *testing.T, database, table string) (release func()) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "BEGIN; LOCK TABLE "+table); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
