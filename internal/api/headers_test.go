package api_test

import (
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestHeaderLimit: headers of 16 KB are read, much longer ones are not. net/http
// refuses them by itself.
func TestHeaderLimit(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	filler := strings.Repeat("x", 1<<10-len("Filler: \r\n"))
	for kilobytes, want := range map[int]int{15: http.StatusUnauthorized, 24: http.StatusRequestHeaderFieldsTooLarge} {
		w := dial(t, s)
		lines := []string{"GET /api HTTP/1.1", "Host: localhost"}
		for range kilobytes {
			lines = append(lines, "Filler: "+filler)
		}
		w.send(lines...)
		resp, err := http.ReadResponse(w.reader, nil)
		if err != nil {
			t.Fatalf("%d KB: %v", kilobytes, err)
		}
		_ = resp.Body.Close()
		equal(t, "the status", resp.StatusCode, want)
	}
	transport := s.Transport()
	transport.ForceAttemptHTTP2 = true
	if err := roundTrip(transport, s.Base+"/api", strings.Repeat("x", 15<<10)); err != nil {
		t.Errorf("15 KB by HTTP/2: %v", err)
	}
	if err := roundTrip(transport, s.Base+"/api", strings.Repeat("x", 24<<10)); err == nil ||
		!strings.Contains(err.Error(), "larger than peer's advertised limit") {
		t.Errorf("24 KB by HTTP/2: got %v, want the limit, which the server has told", err)
	}
}
