//go:build full && volume

package main_test

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// headerTime is how long the header of a request may take, in seconds.
const headerTime = 5

// loadSlowHeaders: who sends half a header is cut off in time; with HTTP/2 when
// it is that of the first request, else the connection counts as an idle one.
func loadSlowHeaders(t *testing.T, g *figures) {
	s := newFolder(t).serve()
	const n = 3000
	var conns []*tls.Conn
	for _, c := range s.callers(t, n, "") {
		conns = append(conns, c.conn)
	}
	last := stalled(t, conns, "GET /api.xml HTTP/1.1\r\nHost: local")
	g.atMost(t, "half-sent headers, HTTP/1.1: the last one closed after", last, headerTime+1, "s")

	half := preface + frame(frameSettings, 0, 0, "") + frame(frameHeaders, endOfHeader, 1, anonymous)[:12]
	var all sync.WaitGroup
	ends := make([]float64, n)
	s.connect(t, n, "h2", func(i int, conn *tls.Conn) error {
		begin := time.Now() // of the time for the first request
		_, err := io.WriteString(conn, half)
		all.Go(func() { ends[i] = closedAfter(t, conn, begin) })
		return err
	})
	all.Wait()
	g.atMost(t, "half-sent headers, HTTP/2: the last one closed after", slices.Max(ends), headerTime+1, "s")
}

// stalled sends a part of a request on each connection, and returns after how
// many seconds the last one was closed.
func stalled(t *testing.T, conns []*tls.Conn, part string) float64 {
	begin := time.Now()
	ends := make([]float64, len(conns))
	var all sync.WaitGroup
	for i, conn := range conns {
		all.Go(func() {
			if _, err := io.WriteString(conn, part); err != nil {
				t.Errorf("send half a header: %v", err)
			}
			ends[i] = closedAfter(t, conn, begin)
		})
	}
	all.Wait()
	return slices.Max(ends)
}

// closedAfter returns after how many seconds the server closes a connection.
func closedAfter(t *testing.T, conn *tls.Conn, begin time.Time) float64 {
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	_, err := io.Copy(io.Discard, conn)
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		t.Errorf("a connection with half a header is open after %v", patience)
	}
	return secondsSince(begin)
}

// loadSlowBodies: a document that comes too slowly is refused in words.
func loadSlowBodies(t *testing.T, g *figures) {
	s := newFolder(t).serve()
	var all sync.WaitGroup
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2"} {
		all.Go(func() {
			status, text, took := slowBody(t, s, protocol == "HTTP/2")
			if status != http.StatusRequestTimeout || !strings.Contains(text, "the document came too slowly") {
				t.Errorf("%s: got %d %s, want 408 and why", protocol, status, text)
			}
			g.atMost(t, "a slow document, "+protocol+": refused after", took, 15, "s")
		})
	}
	all.Wait()
}

// slowBody sends a document byte by byte and returns the answer.
func slowBody(t *testing.T, s *service, two bool) (status int, text string, seconds float64) {
	reader, writer := io.Pipe()
	defer reader.Close()
	go func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for range tick.C {
			if _, err := io.WriteString(writer, " "); err != nil {
				return // enough
			}
		}
	}()
	req, err := http.NewRequest("POST", s.address+"/hardwares.xml", reader)
	if err != nil {
		t.Error(err)
		return 0, "", 0
	}
	anyone := s.client("", "")
	req.Header.Set("Authorization", authorization(t, s, anyone.Get("/hardwares.xml"), "POST", "/hardwares.xml"))
	transport := anyone.HTTP.Transport.(*http.Transport).Clone()
	transport.ForceAttemptHTTP2 = two
	defer transport.CloseIdleConnections()
	begin := time.Now()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Errorf("a slow document: %v", err)
		return 0, "", 0
	}
	defer resp.Body.Close()
	if (resp.ProtoMajor == 2) != two {
		t.Errorf("got %s", resp.Proto)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Errorf("a slow document: read the answer: %v", err)
	}
	return resp.StatusCode, string(body), secondsSince(begin)
}
