//go:build full

package intake_test

import (
	"net/http"
	"testing"

	"muster/internal/mustertest"
)

// TestDatabaseAway: without the database, agents get an error in their own format; once it is back, reports are taken.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	cable, database := mustertest.NewCable(t, mustertest.Postgres.New(t))
	s := mustertest.Start(t, mustertest.Options{Database: database})
	a := newAgent(t, s)
	a.post(deflated(small(1))).expect(t, "a report", http.StatusOK, taken)
	cable.Pull()
	for what, body := range map[string][]byte{
		"the same": deflated(small(1)), "another": deflated(small(2)), "one in JSON": plain(sample(t, "laptop.json")),
	} {
		got := a.post(body)
		got.refuses(t, what, http.StatusServiceUnavailable, "the database is not available")
		if after := got.header.Get("Retry-After"); after != "5" {
			t.Errorf("%s: got Retry-After %q, want 5", what, after)
		}
	}
	a.post(deflated(ask("a"))).expect(t, "a question", http.StatusOK, send)
	if got := reports(s)["unavailable"]; got != 3 {
		t.Errorf("got %v reports in the metrics that found the database away, want 3", got)
	}
	cable.Plug()
	a.post(deflated(small(2))).expect(t, "when it is back", http.StatusOK, taken)
}
