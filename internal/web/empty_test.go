package web_test

import (
	"net/http"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestNothingYet says on a new server what to do first, also where a list begins
// with a filter.
func TestNothingYet(t *testing.T) {
	t.Parallel()
	v := mustertest.Start(t, mustertest.Options{}).SignIn(server.Administrator)
	queue := v.Get("/app/tickets").Header.Get("Location")
	for _, path := range []string{queue, "/app/tickets?q=nothing"} {
		expect(t, path, v.Get(path), http.StatusOK, "No tickets yet", `href="/app/tickets/new">New ticket`,
			"!Nothing matches")
	}
	expect(t, "risks", v.Get("/app/risks?status=Ignored"), http.StatusOK, "No risks", "!Nothing matches")
}
