//go:build full && browser

package web_test

import (
	"strings"
	"testing"

	"muster/internal/draws"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserLooks opens every page on both screens in both themes: nothing is wrong
// with any, also not for those who cannot see it, nothing moves after it was
// shown, and nothing is wider than the screen. It looks at them on both screens and in
// both themes, and in all four looks when all cases are tried.
func TestBrowserLooks(t *testing.T) {
	t.Parallel()
	h, in := openPageHouse(t), looks
	if draws.All {
		in = allLooks
	}
	everyLook(t, in, func(t *testing.T, l look) {
		b := l.browser(t, h.Server)
		h.lookAt(t, b, openPages)
		signIn(b, server.Administrator)
		h.lookAt(t, b, staffPages)
		h.lookAt(t, l.visit(t, h.Server, asker), requesterPages)
	})
}

// lookAt opens pages and finds nothing wrong with them.
func (h *pageHouse) lookAt(t *testing.T, b *mustertest.Browser, pages []seenPage) {
	t.Helper()
	for _, p := range pages {
		b.Open(h.has.Replace(p.path))
		lookOnce(t, b, p.name)
	}
}

// lookOnce finds nothing wrong with a page that has just come.
func lookOnce(t *testing.T, b *mustertest.Browser, name string) {
	t.Helper()
	// What a busy machine shows before a table's last rows have come moves by some hundredths; what a script adds moves by more.
	if shift := b.LayoutShift(); shift > 0.05 { // before a picture, for which the window becomes as large as the page
		t.Errorf("%s: its parts moved by %.3f after it was shown", name, shift)
	}
	inspect(t, b, name)
}

// TestBrowserFirstLoad counts what a browser loads that has nothing of the application
// yet.
func TestBrowserFirstLoad(t *testing.T) {
	t.Parallel()
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
