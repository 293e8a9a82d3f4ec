//go:build full && browser

package web_test

import (
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserGerman chooses German, and looks at pages whose words are longer than the
// English ones: nothing is wider than the screen, nor wrong for those who hear it.
func TestBrowserGerman(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	eachLook(t, looks, func(t *testing.T, l look) {
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/preferences")
		b.Click("Deutsch")
		b.Click("Save preferences")
		b.Wait(`html[lang="de"] .toast`)
		for _, p := range []struct{ name, path string }{
			{"dashboard", "/app/"}, {"computers", "/app/computers"}, {"computer", "/app/computers/5"},
			{"ticket", "/app/tickets/3"},
			{"contract", "/app/contracts/2"}, {"activity", "/app/activity"}, {"settings", "/app/settings"},
			{"profile", "/app/profile"},
		} {
			b.Open(p.path)
			inspect(t, b, "de-"+p.name)
		}
	})
}
