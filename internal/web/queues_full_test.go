//go:build full && browser

package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// TestBrowserQueues goes through the queues of a technician, saves one of their
// own, and is notified of what arrives.
func TestBrowserQueues(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		d := openDesk(t, mustertest.SQLite)
		expect(t, "department", d.admin.Post("/app/users/2/edit", url.Values{"department": {"Desk"}}),
			http.StatusSeeOther)
		for name, form := range map[string]url.Values{
			"Mine alone": {"assignee": {"tech@example.com"}}, "Of the desk": {"department": {"Desk"}},
			"Too late": {"due-at": {"2026-01-30T08:00"}},
		} {
			form.Set("name", name)
			form.Set("requester", "ask@example.com")
			expect(t, name, d.admin.Post("/app/tickets/new", form), http.StatusSeeOther)
		}
		b := l.visit(t, d.Server, "tech@example.com")
		if l.screen.Touch {
			b.In(".tabbar").Click("Tickets")
		} else {
			b.In(".nav").Click("Tickets 4")
		}
		for _, queue := range []struct{ tab, has, lacks string }{
			{"Mine 1", "Mine alone", "Too late"}, {"Unassigned 3", "The printer smells", "Mine alone"},
			{"My department's 1", "Of the desk", "Mine alone"},
			{"Overdue 1", "Too late", "Of the desk"}, {"All open 4", "Mine alone", "nothing"},
		} {
			b.In(".tabs").Click(queue.tab)
			b.Wait(`.tabs a[aria-current]`)
			b.In("tbody").WaitText(queue.has)
			if got := b.Text("tbody"); strings.Contains(got, queue.lacks) {
				t.Errorf("%s: got %s in it", queue.tab, queue.lacks)
			}
		}
		b.Axe(t)
		saveQueue(b)
		arrive(t, d, b)
	})
}

// saveQueue narrows a queue, saves it and comes back to it by its tab.
func saveQueue(b *mustertest.Browser) {
	addFilter(b, "Priority", "Low")
	b.In(".tabs").Click("Save view")
	b.Type("Name of the view", "Quiet ones")
	b.In("#save-view").Click("Save view")
	b.WaitText("The view Quiet ones was saved")
	b.In(".tabs").Click("All open 4")
	b.In("tbody").WaitText("Too late")
	b.In(".tabs").Click("Quiet ones 1")
	b.Wait("tbody tr:only-child")
	b.In("tbody").WaitText("The printer smells")
}

// arrive opens tickets in a queue that somebody looks at, until the page announces
// them, and shows them by the hint.
func arrive(t *testing.T, d *deskOf, b *mustertest.Browser) {
	t.Helper()
	b.Open("/app/tickets?state=New")
	mustertest.Eventually(t, "the hint comes", func() bool { // the page may not listen yet at the first
		d.Clock.Advance(2 * time.Second)
		form := url.Values{"name": {"Just arrived"}, "requester": {"ask@example.com"}}
		expect(t, "a new ticket", d.admin.Post("/app/tickets/new", form), http.StatusSeeOther)
		return b.Count(".news") > 0
	})
	b.WaitText("new or changed")
	b.Axe(t)
	b.ClickOn(".news")
	b.In("tbody").WaitText("Just arrived")
	b.WaitGone(".news")
}
