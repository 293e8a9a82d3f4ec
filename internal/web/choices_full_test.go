//go:build full && browser

package web_test

import (
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserFindValue ticks a value that the menu of a filter does not offer at
// first beside one that it does, with scripts and without.
func TestBrowserFindValue(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	many(t, s)
	const frequent, another, rare = `#asked [value="p1@example.com"]`, `#asked [value="p2@example.com"]`,
		`#asked [value="rare@elsewhere.example"]`
	eachLook(t, append([]look{scriptless}, looks...), func(t *testing.T, l look) {
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/computers?add=owner")
		b.In("#asked").WaitText("The 100 most frequent values.")
		b.ClickOn(frequent)
		b.In("#asked").Type("Find in Owner", "zwick")
		if l.scriptless {
			b.In("#asked").Click("Find")
		}
		b.Wait(rare)
		b.Wait(frequent + ":checked")
		b.WaitGone(another)
		b.In("#asked").WaitText("1 value matches.")
		b.Axe(t)
		b.ClickOn(rare)
		if !l.scriptless {
			b.In("#asked").WaitText("Show 3")
		}
		if got := filters(b); !strings.Contains(got, "owner=rare%40elsewhere.example") ||
			!strings.Contains(got, "owner=p1%40example.com") || !strings.HasPrefix(total(b), "3") {
			t.Errorf("both owners: got %s at %s", total(b), got)
		}
		if !l.scriptless && strings.Contains(b.URL(), "find=") {
			t.Errorf("what was looked for: got %s, want it not in the address", b.URL())
		}
	})
}
