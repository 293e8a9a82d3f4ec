//go:build full && browser

package web_test

import (
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// browse signs somebody in by typing.
func browse(t *testing.T, s *mustertest.Server, o mustertest.BrowserOptions) *mustertest.Browser {
	t.Helper()
	o.Base = s.Base
	b := mustertest.NewBrowser(t, o)
	b.Open("/app/")
	b.Type("Mail address", server.Administrator)
	b.Type("Password", mustertest.AdminPassword)
	b.Click("Sign in")
	b.Wait(".board")
	return b
}

// wantURL checks where a browser is.
func wantURL(t *testing.T, b *mustertest.Browser, path string) {
	t.Helper()
	if got := b.URL(); !strings.HasSuffix(got, path) {
		t.Errorf("address: got %s, want %s", got, path)
	}
}

// TestBrowserKeys works the application by keys alone.
func TestBrowserKeys(t *testing.T) {
	s := start(t, mustertest.SQLite)
	b := browse(t, s, mustertest.BrowserOptions{})
	b.Press("g", "c")
	wantURL(t, b, "/app/computers")
	b.Press("j", "j", "k")
	if got := b.Count("tr.here"); got != 1 {
		t.Errorf("rows that are here: got %d, want 1", got)
	}
	b.Press("]")
	wantURL(t, b, "page=2")
	b.Press("[")
	b.Press("j", "Enter")
	if got := b.URL(); !strings.Contains(got, "/app/computers/") {
		t.Errorf("after Enter: got %s, want a computer", got)
	}
	computer, _, _ := strings.Cut(b.URL(), "?")
	b.Press("g", "c")
	b.Wait(`tr.here a[href^="` + strings.TrimPrefix(computer, s.Base) + `?"]`)
	b.Open("/app/activity")
	b.Press("j", "j", "k")
	b.Wait("li:not(.day).here")
	b.Press("?")
	b.Wait("#keys:popover-open:focus")
	b.Shot("keys-wide")
	b.Axe(t)
	b.Press("Escape")
	b.WaitGone("#keys:popover-open")
	b.Press("c")
	wantURL(t, b, "/app/tickets/new")
	b.Wait("#main input:focus")
	b.Press("g", "d", "?")
	wantURL(t, b, "/app/tickets/new")
	b.Open("/app/preferences")
	b.Check("Off", true)
	b.Click("Save preferences")
	b.WaitText("Your preferences were saved")
	b.Press("g", "c")
	wantURL(t, b, "/app/preferences")
}

// TestBrowserNames says what controls do when they do another thing than before,
// and gives the focus back to what had it.
func TestBrowserNames(t *testing.T) {
	s := start(t, mustertest.SQLite)
	b := browse(t, s, mustertest.BrowserOptions{})
	b.Click("Collapse navigation")
	b.Wait("[data-nav=collapsed]")
	b.Click("Expand navigation")
	b.Wait("[data-nav=open] [aria-label='Collapse navigation']")
	b.Click("Keyboard shortcuts")
	b.Wait("#keys:focus")
	b.Press("Escape")
	b.WaitGone("#keys:popover-open")
	b.Wait("[popovertarget=keys]:focus")
}

// TestBrowserToasts tells what was done, takes it back, and goes.
func TestBrowserToasts(t *testing.T) {
	s := start(t, mustertest.SQLite)
	b := browse(t, s, mustertest.BrowserOptions{Dark: true})
	b.Open("/app/vendors/1/edit")
	b.Type("City", "Leipzig")
	b.Click("Save vendor")
	b.Wait(".toast")
	b.Shot("toast-wide-dark")
	b.Click("Undo")
	b.WaitText("is as it was")
	b.Click("Dismiss")
	b.WaitGone(".toast")
}

// TestBrowserLook opens the frame in both themes and widths.
func TestBrowserLook(t *testing.T) {
	s := start(t, mustertest.SQLite)
	for _, look := range []struct {
		name string
		o    mustertest.BrowserOptions
	}{
		{"wide", mustertest.BrowserOptions{}}, {"wide-dark", mustertest.BrowserOptions{Dark: true}},
		{"phone", mustertest.BrowserOptions{Screen: mustertest.Phone}}, {"phone-dark", mustertest.BrowserOptions{Screen: mustertest.Phone, Dark: true}},
	} {
		b := browse(t, s, look.o)
		for name, path := range map[string]string{"preferences": "/app/preferences", "dashboard": "/app/", "keyspage": "/app/keys", "search": "/app/search?q=dell"} {
			b.Open(path)
			b.Shot(name + "-" + look.name)
			b.Axe(t)
			if got := b.LayoutShift(); got > 0.01 {
				t.Errorf("%s %s: got a layout shift of %f", name, look.name, got)
			}
		}
	}
}
