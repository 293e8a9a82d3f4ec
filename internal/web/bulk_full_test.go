//go:build full && browser

package web_test

import (
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserBulk changes the site of computers that are ticked, by Enter in
// the field, and takes it back by the toast.
func TestBrowserBulk(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/computers?site=Boston")
		before := b.Text("h1 .n")
		b.Check("Select BOS-LT-0003", true)
		b.Check("Select BOS-LT-0006", true)
		inspect(t, b, "bulk")
		b.In(".bulk").Click("Site")
		b.In("#to-site").Type("Site", "Lon")
		b.Wait(`#to-site:has(option[value="London"])`)
		inspect(t, b.In("#to-site"), "bulk-site")
		b.In("#to-site").Type("Site", "Lyon")
		b.Press("Enter")
		b.WaitText("2 records")
		b.Click("Undo")
		b.WaitText("changed back")
		b.Open("/app/computers?site=Boston")
		if got := b.Text("h1 .n"); got != before {
			t.Errorf("after the undo: got %s computers, want %s", got, before)
		}
	})
}

// TestBrowserBulkForgotten: a page that follows the progress of a forgotten change says
// that nothing is known of it any more, and stops asking.
func TestBrowserBulkForgotten(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/computers?site=Boston")
		b.Check("Select BOS-LT-0003", true)
		b.In(".bulk").Click("Owner")
		b.In("#to-owner").Type("Owner", "nobody@example.com")
		b.Press("Enter")
		b.WaitText("1 record could not be changed")
		b.Shot("bulk-failed")
		b.Axe(t)
		b.Expect("404")
		b.Eval(`document.querySelector('main .stack').setAttribute('data-running', ''), history.replaceState(null, '', location.pathname + '?job=none'),
			import(document.querySelector('script[src*="bulk.js"]').src + '?again'), 0`, nil)
		b.WaitText("nothing is known of this change any more")
	})
}
