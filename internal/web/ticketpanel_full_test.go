//go:build full && browser

package web_test

import (
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// focus puts the focus on an element.
func focus(b *mustertest.Browser, selector string) {
	b.Eval("document.querySelector('"+selector+"').focus()", nil)
}

// hasValue waits until a field of a page has a value.
func hasValue(t *testing.T, b *mustertest.Browser, selector, want string) {
	t.Helper()
	mustertest.Eventually(t, selector+" has the value "+want, func() bool { return value(b, selector) == want })
}

// deskPage opens the ticket of a desk as a technician.
func deskPage(t *testing.T) (*deskOf, *mustertest.Browser) {
	t.Helper()
	d := busyDesk(t)
	b := mustertest.NewBrowser(t, mustertest.BrowserOptions{Base: d.Base})
	signIn(b, "tech@example.com")
	b.Open(d.path)
	return d, b
}

// TestBrowserChoosing goes through choices by keys: what is passed by is not chosen,
// neither in a ticket nor below a list.
func TestBrowserChoosing(t *testing.T) {
	d, b := deskPage(t)
	focus(b, "#p-state")
	b.Press("ArrowDown", "ArrowDown")
	hasValue(t, b, "#p-state", "Awaiting Input")
	b.Press("Escape")
	hasValue(t, b, "#p-state", "New")
	focus(b, "#p-state")
	b.Press("ArrowDown", "ArrowDown", "Enter")
	b.WaitText("State is now Awaiting Input")
	b.Wait("#p-state:focus")
	b.Press("o", "Tab")
	b.WaitText("State is now On Hold")
	page := d.admin.Get(d.path)
	if got := strings.Count(page.Body, "set the state to"); got != 2 {
		t.Errorf("got %d changes of the state, want 2: %s", got, page.Body)
	}
	expect(t, "the ticket", page, http.StatusOK, "set the state to <b>Awaiting Input</b>", "set the state to <b>On Hold</b>")

	b.Open("/app/tickets?state=New")
	focus(b, "[name=per_page]")
	b.Press("ArrowDown")
	wantURL(t, b, "/app/tickets?state=New")
	b.Press("Enter")
	if got := b.URL(); !strings.Contains(got, "per_page=100") {
		t.Errorf("after Enter: got the address %s, want 100 rows", got)
	}
}
