//go:build full && volume

package main_test

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// dialFrom opens a connection from an address of this machine.
func (s *service) dialFrom(t *testing.T, cfg *tls.Config, address string) (*caller, error) {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: patience}
	conn, err := tls.DialWithDialer(dialer, "tcp", strings.TrimPrefix(s.address, "https://"), cfg)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &caller{conn: conn, in: bufio.NewReader(conn)}, nil
}

// loadCrowd: slow requests of one address take all connections, and those of another
// are answered.
func loadCrowd(t *testing.T, g *figures) {
	for _, test := range []struct{ name, text string }{
		{"heads", "GET /healthz HTTP/1.1\r\nHost: local"},
		{"bodies", "POST /inventory HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf"},
	} {
		s := newFolder(t).serve("--listen", "127.0.0.1:0", "--max-connections", "300")
		cfg := s.trust(t, "http/1.1")
		inParallel(16, 310, func(int) {
			if slow, err := s.dialFrom(t, cfg, "127.0.0.2"); err == nil { // it may be one too many
				_, _ = io.WriteString(slow.conn, test.text)
			}
		})
		answered := 0
		for range 40 {
			c, err := s.dialFrom(t, cfg, "127.0.0.3")
			if err != nil {
				t.Errorf("an honest connection: %v", err)
				continue
			}
			if resp, err := c.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"); err == nil &&
				resp.StatusCode == http.StatusOK {
				answered++
			}
		}
		g.atLeast(t, "310 slow "+test.name+" of one address, 300 connections: answered of 40 of another",
			float64(answered), 40, "")
	}
}

// loadSignIns: people who are signed in get their pages while many others sign in.
func loadSignIns(t *testing.T, g *figures) {
	s := newFolder(t).serve("--listen", "127.0.0.1:0", "--demo", "--rate-limit", "0")
	cfg := s.trust(t, "http/1.1")
	person, err := s.dialFrom(t, cfg, "127.0.0.3")
	if err != nil {
		t.Fatal(err)
	}
	password := strings.TrimSpace(s.f.must("user", "passwd", admin)) // the printed one opens a single page
	resp, err := person.send(signIn(admin, password))
	if err != nil || resp.StatusCode != http.StatusSeeOther {
		t.Fatalf("sign in: got %v %v, want 303", resp, err)
	}
	var cookies []string
	for _, c := range resp.Cookies() {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	page := "GET /app/computers HTTP/1.1\r\nHost: localhost\r\nCookie: " + strings.Join(cookies, "; ") + "\r\n\r\n"
	median := func() float64 {
		t.Helper()
		times := make([]float64, 200)
		for i := range times {
			begin := time.Now()
			if resp, err := person.send(page); err != nil || resp.StatusCode != http.StatusOK {
				t.Fatalf("a page: got %v %v, want 200", resp, err)
			}
			times[i] = secondsSince(begin) * 1000
		}
		slices.Sort(times)
		return times[len(times)/2]
	}
	median() // so that all is warm
	before := median()
	var stop atomic.Bool
	var tried atomic.Int64
	var all sync.WaitGroup
	for i := range 100 {
		c, err := s.dialFrom(t, cfg, fmt.Sprintf("127.0.1.%d", i+1))
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			for n := 0; !stop.Load(); n++ {
				if _, err := c.send(signIn(fmt.Sprintf("user%d-%d@example.com", i, n),
					"a wrong password")); err != nil {
					t.Errorf("a sign-in: %v", err)
					return
				}
				tried.Add(1)
			}
		})
	}
	for tried.Load() < 20 && !t.Failed() { // they are under way
		if _, err := person.send(page); err != nil {
			t.Error(err)
		}
	}
	during := median()
	stop.Store(true)
	all.Wait()
	g.note("a page, by the median of 200", before, "ms")
	g.atMost(t, "the same while 100 addresses sign in at once", during/before, 2, "times as long")
}

// signIn returns the form of a sign-in as it is sent.
func signIn(email, password string) string {
	form := url.Values{"email": {email}, "password": {password}}.Encode()
	return fmt.Sprintf("POST /app/signin HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", len(form), form)
}
