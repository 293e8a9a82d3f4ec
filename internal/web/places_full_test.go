//go:build full && browser

package web_test

import (
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// orphans are the headings of the open menu of filters whose first entry is in
// another column: it may begin in this one, with nothing in it.
const orphans = `[...document.querySelectorAll('#add-filter h2')].filter((h) => {
	const [a, b] = [h, h.nextElementSibling.querySelector('li a')].map((e) => [...e.getClientRects()].at(-1));
	return Math.abs(a.left - b.left) > 20;
}).map((h) => h.textContent).join(', ')`

// TestBrowserFilterMenu leaves no heading of a menu of filters alone at the end of
// a column, and nothing of the menu beside it.
func TestBrowserFilterMenu(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	eachLook(t, looks, func(t *testing.T, l look) {
		b := l.visit(t, s, server.Administrator)
		for _, list := range []string{"computers", "tickets?state=New", "articles", "software", "contracts", "risks"} {
			b.Open("/app/" + list)
			b.ClickOn("[popovertarget=add-filter]")
			b.Wait("#add-filter")
			var alone string
			if b.Eval(orphans, &alone); alone != "" {
				t.Errorf("%s: got %s alone", list, alone)
			}
			var beside int
			if b.Eval("document.querySelector('#add-filter').scrollWidth - document.querySelector('#add-filter').clientWidth", &beside); beside > 0 {
				t.Errorf("%s: the menu is %d pixels wider than it shows", list, beside)
			}
		}
		b.Shot("filter-menu-" + l.name)
	})
}

// TestBrowserPortalButtons keeps the button that asks for help apart from what is
// above it.
func TestBrowserPortalButtons(t *testing.T) {
	t.Parallel()
	d := busyDesk(t)
	b := phone.visit(t, d.Server, "ask@example.com")
	for _, path := range []string{"/app/help/1", "/app/devices/1"} {
		b.Open(path)
		b.Wait("main .btn.block")
		var gap float64
		b.Eval(`(({ top }, { bottom }) => top - bottom)(...[document.querySelector('main .btn.block')].flatMap((e) => [e, e.previousElementSibling]).map((e) => e.getBoundingClientRect()))`, &gap)
		if gap < 12 {
			t.Errorf("%s: got %.0f pixels above the button, want 12 at least", path, gap)
		}
	}
}
