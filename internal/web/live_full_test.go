//go:build full && browser

package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserLiveAgain: a page gets live updates also after the server has refused it
// because there were too many.
func TestBrowserLiveAgain(t *testing.T) {
	t.Parallel()
	d := busyDesk(t)
	var others []*mustertest.Events
	for range 8 {
		others = append(others, d.tech.Follow(d.path+"/events"))
	}
	b := wide.visit(t, d.Server, "tech@example.com")
	b.Expect("status 429")
	b.Open(d.path)
	b.Eval(`new Promise((refused) => {
		const one = new EventSource(document.querySelector('.ticket').dataset.live); // after that of the page
		one.onerror = () => { one.close(); refused(0); };
	})`, nil)
	others[0].Close()
	d.change(t, d.admin, "/reply", url.Values{"kind": {"note"}, "body": {"I was here."}})
	b.WaitText("I was here.")
}

// TestBrowserQueueHint announces new tickets by a link, which screen readers read out.
func TestBrowserQueueHint(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		d := busyDesk(t)
		b := l.visit(t, d.Server, "tech@example.com")
		b.Open("/app/tickets?state=New")
		b.Eval("window.news = document.querySelector('.head [role=status]'), 0", nil)
		d.Clock.Advance(2e9)
		d.admin.Post("/app/tickets/new", url.Values{"name": {"The fan hums"}, "requester": {server.Administrator}})
		b.Wait(".head [role=status] > a")
		var same bool
		if b.Eval("document.querySelector('.head [role=status]') === window.news", &same); !same {
			t.Error("the announcement was not there before them")
		}
		b.Axe(t)
		mustertest.Eventually(t, "the number of open tickets follows", func() (same bool) {
			b.Eval(`document.querySelector('.nav a[href="/app/tickets"] .n').textContent === '4'`, &same)
			return same
		})
		b.Click("1 new or changed")
		b.WaitText("The fan hums")
	})
}

// TestBrowserRequestArrival: changes of a ticket do not disturb a requester who writes,
// and only answers are announced.
func TestBrowserRequestArrival(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		d := busyDesk(t)
		request := strings.Replace(d.path, "tickets", "requests", 1)
		b := l.visit(t, d.Server, "ask@example.com")
		b.Open(request)
		b.Type("Your answer", "Half a sent")
		b.Open(request)
		if got := value(b, "#r-body"); got != "Half a sent" {
			t.Errorf("a draft after leaving the page: got %q", got)
		}
		announced := func() (text string) {
			b.Eval("document.querySelector('[data-said]').textContent", &text)
			return text
		}
		focus(b, "#r-send")
		d.change(t, d.admin, "/set", url.Values{"state": {"On Hold"}})
		b.WaitText("Waiting")
		b.Wait("#r-send:focus")
		if got := announced(); got != "" {
			t.Errorf("after a change: got %q announced, want nothing", got)
		}
		d.change(t, d.admin, "/reply", url.Values{"kind": {"reply"}, "body": {"Tomorrow."}})
		b.WaitText("Tomorrow.")
		b.Wait("#r-send:focus")
		mustertest.Eventually(t, "the announcement", func() bool { return announced() == "There is a new answer." })
		b.Click("Send")
		b.WaitText("Your answer was sent")
		if got := value(b, "#r-body"); got != "" {
			t.Errorf("the draft after it was sent: got %q", got)
		}
		expect(t, "what was sent", d.ask.Get(request), http.StatusOK, "Half a sent")
	})
}
