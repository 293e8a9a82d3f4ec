package api_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// A slowLine is what the log says of a slow request.
type slowLine struct {
	Msg, Level, ID, Method, Route, User string
	Status                              int
	Total                               float64 `json:"ms"`
	Waiting                             float64 `json:"waiting_ms"`
	Authentication                      float64 `json:"authentication_ms"`
	Receiving                           float64 `json:"receiving_ms"`
	DatabaseWait                        float64 `json:"database_wait_ms"`
	Database                            float64 `json:"database_ms"`
	Rendering                           float64 `json:"rendering_ms"`
	Writing                             float64 `json:"writing_ms"`
}

// sum adds up the stages.
func (l *slowLine) sum() float64 {
	return l.Waiting + l.Authentication + l.Receiving + l.DatabaseWait + l.Database + l.Rendering + l.Writing
}

// slowLines returns the lines about slow requests by the request's id.
func slowLines(t *testing.T, s *mustertest.Server) map[string]*slowLine {
	t.Helper()
	lines := map[string]*slowLine{}
	for text := range strings.Lines(s.Log.String()) {
		line := new(slowLine)
		if err := json.Unmarshal([]byte(text), line); err != nil {
			t.Fatalf("the log's line %q: %v", text, err)
		}
		if line.Msg == "slow request" {
			lines[line.ID] = line
		}
	}
	return lines
}

// slowServer starts a server that takes every request for slow.
func slowServer(t *testing.T, db mustertest.Database) *mustertest.Server {
	return start(t, db, func(cfg *server.Config) { cfg.SlowRequest = time.Nanosecond })
}

func TestSlowRequest(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := slowServer(t, db)
		c := s.Admin()
		made := c.Do("POST", "/hardwares", hardware("<name>hidden-body</name>"))
		listed := c.Get("/hardwares?q=hidden-query")
		health := s.Anonymous().Get("/healthz")
		refused := s.Client("nobody@example.com", "hidden password").Get("/api")
		lines := slowLines(t, s)
		for _, test := range []struct {
			r                   *mustertest.Response
			method, route, user string
			database            bool
		}{
			{made, "POST", "/hardwares", server.Administrator, true},
			{listed, "GET", "/hardwares", server.Administrator, true},
			{health, "GET", "/healthz", "", false},
			{refused, "GET", "", "", false},
		} {
			line := lines[test.r.Header.Get("X-Request-Id")]
			if line == nil {
				t.Errorf("%s %s: no line in the log", test.method, test.route)
				continue
			}
			if line.Level != "WARN" || line.Method != test.method || line.Route != test.route ||
				line.User != test.user || line.Status != test.r.Status {
				t.Errorf("got %+v, want WARN and %+v", line, test)
			}
			if (line.Database > 0) != test.database || line.Total <= 0 || line.sum() > line.Total+0.01 ||
				line.sum() < line.Total*0.9-0.1 {
				t.Errorf("%s %s: got %+v with the sum %v, want stages of the whole, a database: %t", test.method,
					test.route, line, line.sum(), test.database)
			}
		}
		for text := range strings.Lines(s.Log.String()) {
			if strings.Contains(text, `"slow request"`) && strings.Contains(text, "hidden") {
				t.Errorf("got %s, want nothing of bodies, queries and passwords", text)
			}
		}
	})
}

// TestSlowDatabase: the time that a change waits for its turn is logged as such.
func TestSlowDatabase(t *testing.T) {
	t.Parallel()
	s := slowServer(t, mustertest.SQLite)
	ctx, c := context.Background(), s.Admin()
	address := create(t, c, "<name>a</name>")
	answer := make(chan *mustertest.Response, 1)
	err := s.Store().Update(ctx, func(tx *store.Tx) error { // which locks the file
		if err := tx.SetMeta(ctx, "test", []byte("held")); err != nil {
			return err
		}
		sent := time.Now()
		go func() { answer <- c.Do("PUT", address, hardware("<name>b</name>")) }()
		mustertest.Eventually(t, "the change waits",
			func() bool { return s.Metrics()[`muster_database_waiting{mode="update"}`] == 1 })
		most := 5*time.Since(sent) + 200*time.Millisecond // of all that the change will have taken
		mustertest.Eventually(t, "it has waited long", func() bool { return time.Since(sent) > most })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r := <-answer
	equal(t, "the change's status", r.Status, 200)
	line := slowLines(t, s)[r.Header.Get("X-Request-Id")]
	if line == nil || line.DatabaseWait < line.Total/2 {
		t.Errorf("got %+v, want most of the time spent waiting for the database", line)
	}
}

// TestSlowBodyStage: the time that a client takes to send is logged as such.
func TestSlowBodyStage(t *testing.T) {
	t.Parallel()
	s := slowServer(t, mustertest.SQLite)
	body := hardware("<name>a</name>")
	w := dial(t, s)
	w.send("POST /hardwares HTTP/1.1", "Host: localhost", "Content-Length: "+strconv.Itoa(len(body)),
		"Authorization: "+admin.header("POST", "/hardwares", nonce(t, s), 1))
	sent := time.Now()
	mustertest.Eventually(t, "the request is there",
		func() bool { return s.Metrics()["muster_http_requests_in_flight"] == 1 })
	s.Admin().Get("/hardwares")                       // whose authentication takes as long
	most := 5*time.Since(sent) + 200*time.Millisecond // of all that the request will have taken
	mustertest.Eventually(t, "it has been awaited long", func() bool { return time.Since(sent) > most })
	w.write(body)
	r := w.answer()
	equal(t, "status", r.Status, 201)
	line := slowLines(t, s)[r.Header.Get("X-Request-Id")]
	if line == nil || line.Receiving < line.Total/2 {
		t.Errorf("got %+v, want most of the time spent receiving", line)
	}
}

// TestQuickRequest is not logged as slow, nor is any when nobody asks for it.
func TestQuickRequest(t *testing.T) {
	t.Parallel()
	for _, limit := range []time.Duration{0, time.Hour} {
		s := start(t, mustertest.SQLite, func(cfg *server.Config) { cfg.SlowRequest = limit })
		s.AddUser("anna@example.com", inventory.Technician, false).Get("/hardwares")
		if lines := slowLines(t, s); len(lines) > 0 {
			t.Errorf("with the limit %v: got %v, want no line", limit, lines)
		}
	}
}
