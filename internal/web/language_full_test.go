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
	s := start(t, mustertest.SQLite)
	for _, look := range looks {
		if look.dark {
			continue
		}
		b := mustertest.NewBrowser(t, mustertest.BrowserOptions{Base: s.Base, Screen: look.screen})
		signIn(b, server.Administrator)
		b.Open("/app/preferences")
		b.Click("Deutsch")
		b.Click("Save preferences")
		b.Wait(`html[lang="de"] .toast`)
		for _, p := range []struct{ name, path string }{
			{"dashboard", "/app/"}, {"computers", "/app/computers"}, {"computer", "/app/computers/5"}, {"ticket", "/app/tickets/3"},
			{"contract", "/app/contracts/2"}, {"activity", "/app/activity"}, {"settings", "/app/settings"}, {"profile", "/app/profile"},
		} {
			b.Open(p.path)
			b.Shot("de-" + p.name + "-" + look.name)
			b.Axe(t)
			var over int
			if b.Eval("document.documentElement.scrollWidth - document.documentElement.clientWidth", &over); over > 0 {
				t.Errorf("%s on the %s: it is %d pixels wider than the screen", p.path, look.name, over)
			}
		}
	}
}
