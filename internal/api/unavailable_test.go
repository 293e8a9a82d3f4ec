//go:build full

package api_test

import (
	"io"
	"net/http"
	"testing"
	"time"

	"muster/internal/mustertest"
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
