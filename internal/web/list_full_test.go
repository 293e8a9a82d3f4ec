//go:build full && browser

package web_test

import (
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserListKeys opens the filters of a list by a key, and turns its pages,
// unless the person has switched keys off. What is open has them for itself.
func TestBrowserListKeys(t *testing.T) {
	t.Parallel()
	eachLook(t, keyLooks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/computers?per_page=25")
		b.Press("f")
		b.Wait("#add-filter:popover-open")
		b.Press("Tab")
		b.Wait("#add-filter a:focus")
		b.Press("Escape")
		b.WaitGone("#add-filter:popover-open")
		b.Open("/app/computers?site=Boston")
		b.Click("Save view")
		b.Wait("#save-view input:focus")
		b.Press("c", "x")
		hasValue(t, b, "#save-view input:not([type=hidden])", "cx")
		wantURL(t, b, "/app/computers?site=Boston")
		b.Open("/app/computers?per_page=25")
		b.Click("Filter")
		b.Wait("#add-filter:popover-open")
		b.Press("c") // which opens a new ticket where nothing is open
		b.Wait("#add-filter:popover-open")
		b.Press("Escape")
		b.WaitGone("#add-filter:popover-open")
		b.Press("]")
		wantURL(t, b, "/app/computers?per_page=25&page=2")
		b.Open("/app/preferences")
		b.Check("Off", true)
		b.Click("Save preferences")
		b.WaitText("Your preferences were saved")
		b.Open("/app/computers?per_page=25")
		b.Press("f", "]")
		wantURL(t, b, "/app/computers?per_page=25")
		if got := b.Count("#add-filter:popover-open"); got != 0 {
			t.Errorf("filters with keys switched off: got %d open, want none", got)
		}
	})
}
