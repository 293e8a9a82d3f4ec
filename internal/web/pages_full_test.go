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
// both themes, for barriers in one of the two; and in all four looks when all cases are
// tried.
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
	for i, p := range pages {
		if shift := shiftOf(b, h.has.Replace(p.path)); shift > mostShift {
			t.Errorf("%s: its parts moved by %.3f after it was shown", p.name, shift)
		}
		if onPhone := i%2 == 1; draws.All || onPhone == b.Screen.Touch { // each page in one of two looks
			b.Axe(t)
		}
		fits(t, b, p.name)
	}
}

// mostShift is how much of a page may move after it was shown.
const mostShift = 0.01

// shiftOf opens a page and returns how much its parts moved: again where they did, since a busy machine may show a
// table before its last rows have come, while what a page moves by itself moves each time.
func shiftOf(b *mustertest.Browser, path string) (shift float64) {
	for range 10 {
		b.Open(path)
		if shift = b.LayoutShift(); shift <= mostShift {
			break
		}
	}
	return shift
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
