//go:build full

package server_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// Addresses of this machine from which clients of tests come.
const (
	attacker = "127.0.0.2"
	honest   = "127.0.0.3"
)

// Requests of which a part is missing, each of another sort.
const (
	halfHead   = "GET /healthz HTTP/1.1\r\nHost: local"
	halfBody   = "POST /inventory HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf"
	unreadBody = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
	// HTTP/2: the preface, settings, and the header of POST / whose body is to follow.
	halfStream = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\x00\x00\x00\x04\x00\x00\x00\x00\x00" +
		"\x00\x00\x0e\x01\x04\x00\x00\x00\x01" + "\x83\x87\x84\x41\x09localhost"
)

// from opens a connection from an address of this machine.
func from(t *testing.T, s *mustertest.Server, address, protocol string) (*tls.Conn, error) {
	t.Helper()
	dialer := &tls.Dialer{
		NetDialer: &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: patience},
		Config:    &tls.Config{RootCAs: s.Roots, ServerName: "localhost", NextProtos: []string{protocol}},
	}
	conn, err := dialer.DialContext(t.Context(), "tcp", s.Address())
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn.(*tls.Conn), conn.SetDeadline(time.Now().Add(patience))
}

// startSlow starts a server that takes so many connections, and trusts a proxy.
func startSlow(t *testing.T, limit int) *mustertest.Server {
	t.Helper()
	return mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) {
		cfg.Listen, cfg.MaxConnections, cfg.Proxies = "127.0.0.1:0", limit, []string{"127.0.0.1"}
	}})
}

// inCrowd opens connections from an address, many at a time, and sends a text on each.
func inCrowd(t *testing.T, s *mustertest.Server, address, protocol string, n int,
	text func(i int) string) (conns []*tls.Conn) {
	t.Helper()
	conns = make([]*tls.Conn, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			conn, err := from(t, s, address, protocol)
			if err == nil {
				conns[i] = conn
				_, _ = io.WriteString(conn, text(i)) // it may be one too many
			}
		})
	}
	all.Wait()
	return conns
}

func the(text string) func(int) string { return func(int) string { return text } }

// TestSlowCrowd: whoever takes all connections with requests that never end, again and
// again, keeps nobody from being answered who comes from elsewhere, whatever is missing
// of the requests.
func TestSlowCrowd(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, protocol, text string }{
		{"half a head", "http/1.1", halfHead},
		{"half a body", "http/1.1", halfBody},
		{"half a body that nobody reads", "http/1.1", unreadBody},
		{"half a body by HTTP/2", "h2", halfStream},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			const limit = 12
			s := startSlow(t, limit)
			ctx, stop := context.WithCancel(t.Context())
			var attack sync.WaitGroup
			for range limit + 2 {
				attack.Go(func() { besiege(ctx, t, s, test.protocol, test.text) })
			}
			eventually(t, "all connections are in use",
				func() bool { c := s.Connections(); return c.Open == limit && c.Idle == 0 && c.Closed > 0 })
			for i := range 40 {
				conn, err := from(t, s, honest, "http/1.1")
				if err != nil {
					t.Fatalf("request %d: %v", i, err)
				}
				if status, err := ask(conn); status != http.StatusOK {
					t.Errorf("request %d: got %d %v, want 200", i, status, err)
				}
			}
			stop()
			attack.Wait()
			if got := s.Connections(); got.Ended == 0 {
				t.Errorf("got %+v, want some requests ended", got)
			}
		})
	}
}

// besiege sends a part of a request, waits until the connection is closed, and starts again.
func besiege(ctx context.Context, t *testing.T, s *mustertest.Server, protocol, text string) {
	pause := time.NewTicker(10 * time.Millisecond)
	defer pause.Stop()
	for ctx.Err() == nil {
		if conn, err := from(t, s, attacker, protocol); err == nil {
			end := context.AfterFunc(ctx, func() { _ = conn.Close() })
			_, _ = io.WriteString(conn, text) // it may be one too many
			_, _ = io.Copy(io.Discard, conn)
			end()
			_ = conn.Close()
		}
		<-pause.C
	}
}

// TestSlowRequests: an address may have a limited number of slow requests; more are ended,
// with an answer if their headers have come. Behind a trusted proxy the forwarded address
// counts.
func TestSlowRequests(t *testing.T) {
	t.Parallel()
	const most, n = 64, 70
	slowly := func(forwarded func(i int) string) func(int) string {
		return func(i int) string {
			return "POST /app/signin HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n" + forwarded(i) + "\r\na=1"
		}
	}
	for _, test := range []struct {
		name, address string
		forwarded     func(i int) string
		ended         int
	}{
		{"one address", attacker, the(""), n - most},
		{"one that says to be a proxy", attacker, func(i int) string {
			return fmt.Sprintf("X-Forwarded-For: 192.0.2.%d\r\n", i)
		}, n - most},
		{"one address behind a proxy", "127.0.0.1", the("X-Forwarded-For: 192.0.2.1\r\n"), n - most},
		{"many addresses behind a proxy", "127.0.0.1", func(i int) string {
			return fmt.Sprintf("X-Forwarded-For: 192.0.2.%d\r\n", i)
		}, 0},
		{"a proxy", "127.0.0.1", the(""), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := startSlow(t, 1000)
			conns := inCrowd(t, s, test.address, "http/1.1", n, slowly(test.forwarded))
			eventually(t, "all are being received",
				func() bool { return s.Metrics()["muster_http_requests_in_flight"] == n })
			s.Clock.Advance(4 * time.Second)
			s.EndSlow()
			if got := s.Connections().Ended; got != 0 {
				t.Errorf("after 4 s: got %d ended, want none", got)
			}
			s.Clock.Advance(2 * time.Second)
			eventually(t, "as many are ended as are too many",
				func() bool { return s.Connections().Ended == int64(test.ended) })
			s.EndSlow() // which ends no more
			statuses := finish(t, conns)
			if statuses[http.StatusRequestTimeout] != test.ended ||
				statuses[http.StatusUnprocessableEntity] != n-test.ended {
				t.Errorf("got the statuses %v, want 408 for %d and 422 for others", statuses, test.ended)
			}
			if got := s.Metrics()["muster_slow_requests_ended_total"]; got != float64(test.ended) {
				t.Errorf("the metric: got %v, want %d", got, test.ended)
			}
			if got, want := strings.Count(s.Log.String(), "slow requests are ended"), min(1, test.ended); got != want {
				t.Errorf("got %d lines in the log, want %d", got, want)
			}
		})
	}
}

// finish sends the rest of the forms and counts the statuses of the answers.
func finish(t *testing.T, conns []*tls.Conn) map[int]int {
	t.Helper()
	statuses := map[int]int{}
	for _, conn := range conns {
		_, _ = io.WriteString(conn, "&email=") // it may be closed
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("read an answer: %v", err)
		}
		_ = resp.Body.Close()
		statuses[resp.StatusCode]++
	}
	return statuses
}

// TestSlowStreams: with HTTP/2 the requests of one connection are counted and ended one by one.
func TestSlowStreams(t *testing.T) {
	t.Parallel()
	const most, n = 64, 70
	s := startSlow(t, 1000)
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: s.Roots, ServerName: "localhost"}, ForceAttemptHTTP2: true,
		DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(attacker)}}).DialContext,
	}
	t.Cleanup(transport.CloseIdleConnections)
	if resp, err := transport.RoundTrip(request(t, "GET", "https://"+s.Address()+"/healthz", nil)); err != nil ||
		resp.ProtoMajor != 2 {
		t.Fatalf("got %v %v, want HTTP/2", resp, err) // all others share its connection
	}
	statuses := make(chan int, n)
	ends := make([]*io.PipeWriter, n)
	for i := range n {
		body, end := io.Pipe()
		ends[i] = end
		go func() {
			resp, err := transport.RoundTrip(request(t, "POST", "https://"+s.Address()+"/app/signin", body))
			if err != nil {
				statuses <- 0
				return
			}
			_ = resp.Body.Close()
			statuses <- resp.StatusCode
		}()
	}
	eventually(t, "all are being received", func() bool { return s.Metrics()["muster_http_requests_in_flight"] == n })
	s.Clock.Advance(6 * time.Second)
	got := map[int]int{}
	for range n - most {
		got[<-statuses]++
	}
	for _, end := range ends {
		_ = end.Close()
	}
	for range most {
		got[<-statuses]++
	}
	if got[http.StatusRequestTimeout] != n-most || got[http.StatusUnprocessableEntity] != most ||
		s.Connections().Open != 1 {
		t.Errorf("got the statuses %v on %d connections, want 408 for %d and 422 for %d on one", got,
			s.Connections().Open, n-most, most)
	}
}

// request returns a request of a form.
func request(t *testing.T, method, address string, body io.Reader) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return req
}
