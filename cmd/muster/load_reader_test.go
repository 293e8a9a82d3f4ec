//go:build full && volume

package main_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/icholy/digest"
)

// writeTime is how long an answer may take on its way, in seconds.
const writeTime = 60

// loadSlowReaders: who does not read an answer is cut off. The server's log
// says when: the end of a connection is seen only by those who read.
func loadSlowReaders(t *testing.T, g *figures) {
	s := newFolder(t).serve("--demo")
	var all sync.WaitGroup
	all.Go(func() {
		const target = "/hardwares.xml?per_page=250&sort_by=id"
		ignoreAnswers(t, s, target)
		g.atMost(t, "an answer that is not read, HTTP/1.1: given up after", s.longest(t, target), writeTime+5, "s")
	})
	all.Go(func() {
		const target = "/hardwares.xml?per_page=250&sort_by=name"
		resp := ignoreAnswer(t, s, target)
		g.atMost(t, "an answer that is not read, HTTP/2: given up after", s.longest(t, target), writeTime+5, "s")
		if _, err := io.Copy(io.Discard, resp.Body); err == nil {
			t.Error("an answer that was not read over HTTP/2: got all of it, want a part")
		}
	})
	all.Wait()
}

// ignoreAnswers asks for more than the system keeps for one who does not read.
func ignoreAnswers(t *testing.T, s *service, target string) {
	c := s.callers(t, 1, s.password)[0]
	for range 60 {
		request, err := c.request("GET", target, "")
		if err == nil {
			_, err = io.WriteString(c.conn, request)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// ignoreAnswer asks by HTTP/2 for an answer that is longer than the client
// allows it to be at first.
func ignoreAnswer(t *testing.T, s *service, target string) *http.Response {
	c := s.client(admin, s.password)
	transport := c.HTTP.Transport.(*digest.Transport).Transport.(*http.Transport)
	transport.ForceAttemptHTTP2 = true
	transport.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: 1 << 10}
	resp, err := c.HTTP.Get(c.Base + target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// longest returns how many seconds the longest request for a target took, once
// one took really long.
func (s *service) longest(t *testing.T, target string) float64 {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(2 * patience); time.Now().Before(deadline); <-tick.C {
		for line := range strings.Lines(s.log.String()) {
			var entry struct {
				Path string
				MS   float64
			}
			if json.Unmarshal([]byte(line), &entry) == nil && entry.Path == target && entry.MS > 1000*writeTime/2 {
				return entry.MS / 1000
			}
		}
	}
	t.Errorf("%s: the server waits for a reader after %v", target, 2*patience)
	return 0
}
