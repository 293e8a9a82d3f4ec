package server_test

import (
	"bufio"
	"crypto/tls"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// patience is how long anything may take.
const patience = time.Minute

// connect opens a connection and returns it once the server knows of it.
func connect(t *testing.T, s *mustertest.Server) (*tls.Conn, error) {
	t.Helper()
	conn, err := tls.Dial("tcp", s.Address(), &tls.Config{RootCAs: s.Roots, ServerName: "localhost"})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return conn, nil
}

// ask makes a request on a connection, and returns the status.
func ask(conn *tls.Conn) (int, error) {
	if _, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		return 0, err
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

// eventually waits until a condition is true.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); !condition(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not so after %v", what, patience)
		}
	}
}

// TestConnectionLimit: an idle connection makes room for a new one, a busy one
// does not.
func TestConnectionLimit(t *testing.T) {
	t.Parallel()
	const limit = 3
	begun := time.Now()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.MaxConnections = limit }})
	var conns []*tls.Conn
	next := func() {
		t.Helper()
		conn, err := connect(t, s)
		if err != nil {
			t.Fatal(err)
		}
		if status, err := ask(conn); err != nil || status != http.StatusOK {
			t.Fatalf("connection %d: got %d %v, want 200", len(conns)+1, status, err)
		}
		conns = append(conns, conn)
		eventually(t, "the connection is idle", func() bool { c := s.Connections(); return c.Idle == c.Open })
	}
	for range limit {
		next()
	}
	if status, err := ask(conns[0]); err != nil || status != http.StatusOK { // now the second has been idle longest
		t.Errorf("the first connection: got %d %v, want 200", status, err)
	}
	next()
	if _, err := conns[1].Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the longest idle connection: got %v, want its end", err)
	}
	conns = append(conns[:1], conns[2:]...)
	for i, conn := range conns {
		if _, err := io.WriteString(conn,
			"POST /none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"); err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
	}
	eventually(t, "all are busy",
		func() bool { return s.Connections() == server.Connections{Open: limit, Idle: 0, Closed: 1} })
	if _, err := connect(t, s); err == nil {
		t.Error("a connection while all are busy: got one, want an end")
	}
	if got := s.Connections(); got.Open != limit || got.Closed != 2 {
		t.Errorf("got %+v, want %d open and 2 closed", got, limit)
	}
	_ = conns[0].Close()
	eventually(t, "there is room again", func() bool { _, err := connect(t, s); return err == nil })
	most := 1 + int(time.Since(begun)/(10*time.Second))
	if warnings := strings.Count(s.Log.String(), "all connections are in use"); warnings < 1 || warnings > most {
		t.Errorf("got %d warnings, want one in ten seconds\n%s", warnings, s.Log)
	}
}
