//go:build full && browser

package web_test

import (
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// wantURL checks where a browser is.
func wantURL(t *testing.T, b *mustertest.Browser, path string) {
	t.Helper()
	if got := b.URL(); !strings.HasSuffix(got, path) {
		t.Errorf("address: got %s, want %s", got, path)
	}
}

// TestBrowserKeys works the application by keys alone.
func TestBrowserKeys(t *testing.T) {
	t.Parallel()
	eachLook(t, keyLooks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Press("g c")
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
		b.Press("g c")
		b.Wait(`tr.here a[href^="` + strings.TrimPrefix(computer, s.Base) + `?"]`)
		b.Open("/app/activity")
		b.Press("j", "j", "k")
		b.Wait("li:not(.day).here")
		b.Press("?")
		b.Wait("#keys:popover-open:focus")
		inspect(t, b.In("#keys"), "keys")
		b.Press("Escape")
		b.WaitGone("#keys:popover-open")
		b.Press("c")
		wantURL(t, b, "/app/tickets/new")
		b.Wait("#main input:focus")
		b.Press("g d", "?")
		wantURL(t, b, "/app/tickets/new")
		b.Expect("dialog (beforeunload)")
		b.Open("/app/preferences")
		b.Check("Off", true)
		b.Click("Save preferences")
		b.WaitText("Your preferences were saved")
		b.Press("g c")
		wantURL(t, b, "/app/preferences")
	})
}

// TestBrowserNames says what controls do when they do another thing than before,
// and gives the focus back to what had it.
func TestBrowserNames(t *testing.T) {
	t.Parallel()
	eachLook(t, keyLooks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Click("Collapse navigation")
		b.Wait("[data-nav=collapsed]")
		b.Click("Expand navigation")
		b.Wait("[data-nav=open] [aria-label='Collapse navigation']")
		b.Click("Keyboard shortcuts")
		b.Wait("#keys:focus")
		b.Press("Escape")
		b.WaitGone("#keys:popover-open")
		b.Wait("[popovertarget=keys]:focus")
	})
}

// TestBrowserToasts: a toast says what was done, undoes it, and disappears.
func TestBrowserToasts(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		b := l.visit(t, start(t, mustertest.SQLite), server.Administrator)
		b.Open("/app/vendors/1/edit")
		b.Type("City", "Leipzig")
		b.Click("Save vendor")
		b.Wait(".toast")
		inspect(t, b, "toast")
		b.Click("Undo")
		b.WaitText("was changed back")
		b.Click("Dismiss")
		b.WaitGone(".toast")
	})
}

// TestBrowserAround goes through the application: by its navigation, by numbers of
// the dashboard to what they count, and by the search of everything; and it
// chooses the other theme, which stays.
func TestBrowserAround(t *testing.T) {
	t.Parallel()
	everyLook(t, looks, func(t *testing.T, l look) {
		b := l.visit(t, start(t, mustertest.SQLite), server.Administrator)
		for _, path := range []string{"/app/contracts", "/app/risks", "/app/agents", "/app/"} {
			goTo(b, path)
			wantURL(t, b, path)
		}
		for _, number := range []string{".strip a:first-child", "[aria-labelledby=c-status] .legend li:first-child a",
			"[aria-labelledby=c-sites] li:first-child a"} {
			b.Open("/app/")
			var want string
			b.Eval("document.querySelector('"+number+"').dataset.total", &want)
			b.ClickOn(number)
			if got := strings.ReplaceAll(total(b), ",", ""); got != want {
				t.Errorf("%s: got a list of %s, want %s", number, got, want)
			}
		}
		search(t, b, "BOS-LT-0003")
		b.Click("Switch between light and dark")
		b.Open("/app/")
		var dark bool
		if b.Eval("document.documentElement.dataset.theme === 'dark'", &dark); dark == l.dark {
			t.Errorf("the other theme: got dark %v", dark)
		}
	})
}

// search finds a record by its name: at a desk among results that come at once, on
// a phone on the page of the search.
func search(t *testing.T, b *mustertest.Browser, name string) {
	t.Helper()
	if b.Screen.Touch {
		b.In(".tabbar").Click("Search")
		b.Type("Search for", name)
		b.Press("Enter")
		b.In("#main").Wait(".rows")
		inspect(t, b, "search-found")
		b.In("#main").Click(name)
	} else {
		b.Type("Search everything", name)
		b.Wait("#instant [role=option]")
		inspect(t, b, "search-found")
		b.In("#instant").Click(name)
	}
	b.In("h1").WaitText(name)
}
