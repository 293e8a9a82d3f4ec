//go:build full && volume

package main_test

import (
	"bufio"
	"crypto/tls"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// memoryBound is the memory that the server may use with 10,000 idle
// connections, in MB.
const memoryBound = 512

// loadIdle: 10,000 connections that are idle fit into memory, also while others
// are answered; and one more has room.
func loadIdle(t *testing.T, g *figures) {
	for _, protocol := range []string{"http/1.1", "h2"} {
		t.Run(protocol, func(t *testing.T) {
			s := newFolder(t).serve("--demo", "--rate-limit", "0")
			c := s.callers(t, 1, s.password)[0]
			s.connect(t, 9_999, protocol, func(_ int, conn *tls.Conn) error { return sayHello(conn, protocol) })
			memory := func() float64 { return processFigure(t, s, "VmRSS") / 1024 }
			g.atMost(t, "10,000 idle connections, "+protocol+": memory", memory(), memoryBound, "MB")
			busy(t, c, 10*time.Second)
			g.atMost(t, "10,000 idle connections, "+protocol+": memory after others' requests", memory(), memoryBound,
				"MB")
			s.callers(t, 1, s.password)
			if log := s.log.String(); !strings.Contains(log, `"idle ones closed so far":1,"new ones closed so far":0`) {
				t.Errorf("one connection more: the log does not say that an idle one made room:\n%s",
					log[max(0, len(log)-2000):])
			}
		})
	}
}

// busy makes requests for a time, all of which must be answered.
func busy(t *testing.T, c *caller, span time.Duration) {
	t.Helper()
	begin := time.Now()
	for i := 0; time.Since(begin) < span; i++ {
		method, target, body := mixed(i)
		resp, err := c.do(method, target, body)
		if err != nil {
			t.Fatalf("%s %s: %v", method, target, err)
		}
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("%s %s: got %s, want 200", method, target, resp.Status)
		}
	}
}

// sayHello makes a first request and reads the answer.
func sayHello(conn *tls.Conn, protocol string) error {
	if protocol == "h2" {
		hello := preface + frame(frameSettings, 0, 0, "") + frame(frameHeaders, endOfHeader, 1, anonymous)
		if _, err := io.WriteString(conn, hello); err != nil {
			return err
		}
		return awaitFrame(conn, frameHeaders)
	}
	return (&caller{conn: conn, in: bufio.NewReader(conn)}).greet()
}
