//go:build full && browser

package web_test

import (
	"testing"

	"muster/internal/mustertest"
)

// TestBrowserOwnKind looks at the pages of a kind that is only declared, and makes,
// changes and deletes a record.
func TestBrowserOwnKind(t *testing.T) {
	t.Parallel()
	eachLook(t, allLooks, func(t *testing.T, l look) {
		s, v := startRovers(t, mustertest.SQLite)
		b := l.visit(t, s, "tech@example.com")
		b.Open("/app/moon-rovers")
		inspect(t, b, "usual-empty")
		for _, name := range []string{"Ada", "Bob", "Eve with a name of several words"} {
			addRover(t, v, name)
		}
		for name, path := range map[string]string{
			"list": "", "filtered": "?status=Parked&add=site", "record": "/1", "edit": "/1/edit", "new": "/new",
			"delete": "/1/delete",
		} {
			b.Open("/app/moon-rovers" + path)
			inspect(t, b, "usual-"+name)
		}
		b.Open("/app/search?q=ada")
		inspect(t, b, "usual-search")
		begins(b, "moon-rovers")
		saves(b)
		b.WaitText("Name can't be blank")
		b.Type("Name required", "Zoe")
		saves(b)
		b.WaitText("Zoe was added")
		b.In(".record").Click("Edit")
		b.Type("Site", "Sea of calm")
		saves(b)
		b.WaitText("Zoe was saved")
		deletes(t, b, "Zoe")
	})
}
