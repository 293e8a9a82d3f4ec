//go:build full && browser

package web_test

import (
	"net/http"
	"net/url"
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
	b := wide.visit(t, d.Server, "tech@example.com")
	b.Open(d.path)
	return d, b
}

// TestBrowserChoosing goes through choices by keys: what is passed by is not chosen,
// neither in a ticket nor below a list.
func TestBrowserChoosing(t *testing.T) {
	t.Parallel()
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
	expect(t, "the ticket", page, http.StatusOK, "set the state to <b>Awaiting Input</b>",
		"set the state to <b>On Hold</b>")

	b.Open("/app/tickets?state=On+Hold")
	focus(b, "[name=per_page]")
	b.Press("ArrowDown")
	hasValue(t, b, "[name=per_page]", "100")
	wantURL(t, b, "/app/tickets?state=On+Hold")
	b.Press("Enter")
	mustertest.Eventually(t, "the list has more rows",
		func() bool { return strings.HasSuffix(b.URL(), "&per_page=100") })
}

// TestBrowserNotSaved leaves a field as it was when the server could not save it, and
// the page too.
func TestBrowserNotSaved(t *testing.T) {
	t.Parallel()
	d, b := deskPage(t)
	panel := b.In(".panel-side")
	panel.Select("Priority", "High")
	b.WaitText("Priority is now High")
	d.change(t, d.admin, "/set", url.Values{"priority": {"Critical"}})
	b.Click("Undo")
	b.WaitText("was changed since, so that nothing was undone")
	hasValue(t, b, "#p-priority", "Critical")

	b.Eval("window.fetch = () => Promise.reject(new TypeError('offline')), 0", nil)
	panel.Select("Priority", "Low")
	b.WaitText("The server could not be reached. Nothing was saved.")
	hasValue(t, b, "#p-priority", "Critical")
	panel.Type("Category", "Printing")
	b.Press("Tab")
	hasValue(t, b, "#p-category", "")

	b.Eval(`window.fetch = () => Promise.resolve(new Response('<main><h1>Too much at once</h1><p>Try again in 3 seconds.</p></main>', { status: 429 })), 0`, nil)
	panel.Type("Category", "Printing")
	b.Press("Enter")
	b.WaitText("Too much at once. Try again in 3 seconds.")
	hasValue(t, b, "#p-category", "")
	b.Wait("#answer")
}

// TestBrowserTicketFocus keeps the focus where somebody works by keys, while what they
// do replaces it.
func TestBrowserTicketFocus(t *testing.T) {
	t.Parallel()
	_, b := deskPage(t)
	focus(b, "#take")
	b.Press("Enter")
	b.WaitText("took the ticket")
	b.Wait("#p-assignee:focus")

	focus(b, "#link-hardwares-s")
	b.Press("Enter")
	focus(b, "#offer-hardwares-1")
	b.Press("Enter")
	b.Wait("#unlink-hardwares-1")
	b.Wait("#l-hardwares:focus")
	b.Type("Name or asset id of a computer", "lej-nb-2")
	b.Press("Enter")
	b.Wait("#unlink-hardwares-2")
	b.Wait("#l-hardwares:focus")
	focus(b, "#unlink-hardwares-1")
	b.Press("Enter")
	b.WaitGone("#unlink-hardwares-1")
	b.Wait("#unlink-hardwares-2:focus")
	b.Press("Enter")
	b.WaitGone("#unlink-hardwares-2")
	b.Wait("#link-hardwares-s:focus")

	focus(b, "#article-1")
	b.Press("Enter")
	b.Wait("#article-1[value=remove]")
	b.Wait("#article-1:focus")
	b.Axe(t)
}
