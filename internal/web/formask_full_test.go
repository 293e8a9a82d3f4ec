//go:build full && browser

package web_test

import (
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserFormAsks links what was found for the text that is there alone, and shows
// no other page in place of a preview when nobody is signed in any more.
func TestBrowserFormAsks(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		add(t, s, "/hardwares", "<hardware><name>zzz-plotter-1</name></hardware>")
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/contracts/new")
		box := b.In("[data-pick][data-name=hardwares]")
		box.ClickOn("input[type=search]")
		b.Press("z", "z", "z")
		box.Wait(".found button")
		b.Eval("window.fetch = () => new Promise(() => {}), 0", nil) // the answer to the next letter is late
		b.Press("x", "Enter")
		if got := box.Count(".picked input"); got != 0 {
			t.Errorf("Enter after another letter: got %d records linked, want none", got)
		}

		b.Open("/app/articles/new")
		b.Type("Description", "Use **dry** paper")
		b.In(".preview").Wait("strong")
		if got := b.Count(".preview[aria-live]"); got != 0 {
			t.Error("the preview is read out whenever it changes")
		}
		b.Eval("fetch('/app/signout', { method: 'POST', redirect: 'manual' }).then(() => 0)", nil)
		b.Expect("/app/preview net::ERR_FAILED") // it is led elsewhere
		b.Type("Description", "Use *wet* paper")
		b.In(".preview").WaitText("The preview is not available right now.")
	})
}
