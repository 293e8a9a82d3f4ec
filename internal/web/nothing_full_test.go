//go:build full && browser

package web_test

import (
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserNothingYet opens all lists of a new server: each says what to do
// first, and leads there.
func TestBrowserNothingYet(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	eachLook(t, looks, func(t *testing.T, l look) {
		b := l.visit(t, s, server.Administrator)
		b.Axe(t)
		for _, one := range []struct{ path, title, step, to string }{
			{"tickets", "No tickets yet", "New ticket", "tickets/new"},
			{"articles", "No articles yet", "New article", "articles/new"},
			{"computers", "No computers yet", "Add computer", "computers/new"},
			{"software", "No software yet", "Computers", "computers"},
			{"printers", "No printers yet", "Add printer", "printers/new"},
			{"assets", "No other assets yet", "Add asset", "assets/new"},
			{"contracts", "No contracts yet", "Add contract", "contracts/new"},
			{"vendors", "No vendors yet", "Add vendor", "vendors/new"},
			{"risks", "No risks", "Add risk", "risks/new"},
			{"agents", "No computer has reported yet", "Connect agents", "agents/tokens"},
		} {
			b.Open("/app/" + one.path)
			b.In(".empty").WaitText(one.title)
			b.Axe(t)
			b.In(".empty").Click(one.step)
			wantURL(t, b, "/app/"+one.to)
		}
	})
}
