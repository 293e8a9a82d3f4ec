//go:build full && volume

package main_test

import (
	"crypto/tls"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"
)

// resetBatch is how many streams are given up one right after the other.
const resetBatch = 1000

// loadReset: a client of HTTP/2 who begins requests and gives them up at once
// costs the server no more than one who waits for the answers.
func loadReset(t *testing.T, g *figures) {
	s := newFolder(t).serve()
	const n = 20_000
	c := s.callers(t, 1, "")[0]
	begin := processorTime(t, s)
	for range n {
		if err := c.greet(); err != nil {
			t.Fatal(err)
		}
	}
	patient := processorTime(t, s) - begin
	closed := 0
	begin = processorTime(t, s)
	for range n / resetBatch {
		s.connect(t, 1, "h2", func(_ int, conn *tls.Conn) error {
			if !resets(conn) {
				closed++
			}
			return nil
		})
	}
	hasty := processorTime(t, s) - begin
	each := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(n) }
	g.note("an anonymous request: processor time", each(patient), "µs")
	g.note("a stream that is given up at once: processor time", each(hasty), "µs")
	g.atMost(t, "a stream that is given up at once, of an anonymous request", float64(hasty)/float64(patient),
		2, "times")
	g.note("connections that the server closed for it, of "+strconv.Itoa(n/resetBatch), float64(closed), "")
}

// resets begins requests and gives them up, and reports whether the server was
// still there at the end.
func resets(conn *tls.Conn) bool {
	var all strings.Builder
	all.WriteString(preface + frame(frameSettings, 0, 0, ""))
	for i := range uint32(resetBatch) {
		all.WriteString(frame(frameHeaders, endOfHeader, 2*i+1, anonymous) + frame(frameReset, 0, 2*i+1,
			"\x00\x00\x00\x08"))
	}
	all.WriteString(frame(framePing, 0, 0, "12345678"))
	if _, err := io.WriteString(conn, all.String()); err != nil {
		return false
	}
	return awaitFrame(conn, framePing) == nil
}
