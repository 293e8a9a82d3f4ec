//go:build full && browser

package web_test

import (
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// staffPages are the pages that are opened in every look, by the names of their
// pictures.
var staffPages = []struct{ name, path string }{
	{"dashboard", "/app/"},
	{"computers", "/app/computers"},
	{"computers-filtered", "/app/computers?status=Operational&add=site"},
	{"computer", "/app/computers/5"},
	{"computer-edit", "/app/computers/5/edit"},
	{"computer-delete", "/app/computers/5/delete"},
	{"tickets", "/app/tickets"},
	{"ticket", "/app/tickets/3"},
	{"ticket-new", "/app/tickets/new"},
	{"articles", "/app/articles"},
	{"article", "/app/articles/1"},
	{"article-edit", "/app/articles/1/edit"},
	{"software", "/app/software"},
	{"program", "/app/software/3"},
	{"printers", "/app/printers"},
	{"printer", "/app/printers/1"},
	{"assets", "/app/assets"},
	{"asset", "/app/assets/1"},
	{"contracts", "/app/contracts"},
	{"contract", "/app/contracts/2"},
	{"contract-edit", "/app/contracts/2/edit"},
	{"vendors", "/app/vendors"},
	{"vendor", "/app/vendors/1"},
	{"risks", "/app/risks"},
	{"risk", "/app/risks/1"},
	{"activity", "/app/activity"},
	{"change", "/app/activity/20"},
	{"users", "/app/users"},
	{"user", "/app/users/2"},
	{"user-edit", "/app/users/2/edit"},
	{"user-disable", "/app/users/2/disable"},
	{"agents", "/app/agents"},
	{"agent-refused", "/app/agents/refused"},
	{"agent-tokens", "/app/agents/tokens"},
	{"duplicates", "/app/agents/duplicates"},
	{"duplicates-merge", "/app/agents/duplicates/1/2"},
	{"tokens", "/app/tokens"},
	{"settings", "/app/settings"},
	{"about", "/app/about"},
	{"profile", "/app/profile"},
	{"second-factor", "/app/profile/second-factor"},
	{"own-api", "/app/profile/api"},
	{"nothing", "/app/computers?name=nosuchname"},
	{"preferences", "/app/preferences"},
	{"keyspage", "/app/keys"},
	{"search", "/app/search?q=dell"},
}

// TestBrowserLooks opens every page on both screens in both themes: nothing is wrong
// with any, also not for those who cannot see it, nothing moves after it was
// shown, and nothing is wider than the screen.
func TestBrowserLooks(t *testing.T) {
	s := start(t, mustertest.SQLite)
	eachLook(t, allLooks, func(t *testing.T, l look) {
		b := l.visit(t, s, server.Administrator)
		for _, p := range staffPages {
			b.Open(p.path)
			inspect(t, b, p.name)
			if shift := b.LayoutShift(); shift > 0.01 {
				t.Errorf("%s: its parts moved by %.3f after it was shown", p.path, shift)
			}
		}
	})
}

// TestBrowserFirstLoad counts what a browser loads that has nothing of the application
// yet.
func TestBrowserFirstLoad(t *testing.T) {
	s := start(t, mustertest.SQLite)
	for _, path := range []string{"/app/signin", "/app/computers"} {
		b := mustertest.NewBrowser(t, mustertest.BrowserOptions{Base: s.Base})
		if !strings.HasSuffix(path, "signin") {
			signIn(b, server.Administrator)
		}
		b.Open(path)
		const most = 150 << 10
		if got := b.Transferred(); got > most {
			t.Errorf("%s: got %d bytes, want %d at most", path, got, most)
		}
	}
}
