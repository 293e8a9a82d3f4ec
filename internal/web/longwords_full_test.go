//go:build full && browser && deep

package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserLongWords opens all pages of a server whose texts are one long word
// each, such as a path or an address that was pasted: none is wider than the screen.
func TestBrowserLongWords(t *testing.T) {
	t.Parallel()
	h := openHostile(t, strings.Repeat("verylong", 14))
	eachLook(t, looks, func(t *testing.T, l look) {
		for _, visitor := range []struct {
			email string
			sees  *mustertest.Visitor
		}{{server.Administrator, h.admin}, {"user1@example.com", h.asks}} {
			b := l.visit(t, h.Server, visitor.email)
			for _, target := range h.targets() {
				got := visitor.sees.Get(target)
				if got.Status != http.StatusOK || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") ||
					!strings.Contains(got.Body, "<body") {
					continue
				}
				b.Open(target)
				var over string
				if b.Eval(beyondScreen, &over); over != "" {
					t.Errorf("%s: beyond the screen are %s", target, over)
				}
			}
		}
	})
}

// beyondScreen is what reaches beyond a screen that scrolls sideways, or nothing.
const beyondScreen = `document.documentElement.scrollWidth > document.documentElement.clientWidth
	? [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
		.map(e => e.localName + [...e.classList].map(c => '.' + c).join('')).join(' ') || 'something'
	: ''`

// targets returns the addresses of all pages, in an order.
func (h *hostileHouse) targets() (all []string) {
	for _, route := range h.WebRoutes() {
		all = append(all, pseudoTargets(route)...)
	}
	for _, targets := range h.addresses() {
		all = append(all, targets...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
