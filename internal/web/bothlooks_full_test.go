//go:build full && browser

package web_test

import (
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// bothLooks carries out a flow at a desk in light colours and at a phone in dark
// ones.
func bothLooks(t *testing.T, flow func(t *testing.T, o mustertest.BrowserOptions)) {
	for _, look := range looks {
		if look.screen.Touch == look.dark {
			t.Run(look.name, func(t *testing.T) {
				flow(t, mustertest.BrowserOptions{Screen: look.screen, Dark: look.dark, ReducedMotion: true})
			})
		}
	}
}

// pathOf returns where a browser is, without the server and the query.
func pathOf(s *mustertest.Server, b *mustertest.Browser) string {
	path, _, _ := strings.Cut(strings.TrimPrefix(b.URL(), s.Base), "?")
	return path
}

// begins opens the form of a new record from the list of a section.
func begins(b *mustertest.Browser, section string) {
	b.Open("/app/" + section)
	b.ClickOn(".head .btn.primary")
	b.Wait("form.form .bottom")
}

// saves sends the form of a record.
func saves(b *mustertest.Browser) { b.In(".bottom").ClickOn(".btn.primary") }

// deletes deletes the record whose page is shown, after the page that tells what
// becomes of it.
func deletes(t *testing.T, b *mustertest.Browser, name string) {
	t.Helper()
	b.In(".record").Click("More")
	b.In("#more").Click("Delete …")
	b.WaitText("This cannot be undone")
	b.Axe(t)
	b.ClickOn(".ask .btn.danger")
	b.WaitText(name + " was deleted")
}
