//go:build full && browser

package web_test

import (
	"net/url"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserQueueHint tells of new tickets by a link, which screen readers say.
func TestBrowserQueueHint(t *testing.T) {
	d := busyDesk(t)
	b := mustertest.NewBrowser(t, mustertest.BrowserOptions{Base: d.Base})
	signIn(b, "tech@example.com")
	b.Open("/app/tickets?state=New")
	b.Eval("window.news = document.querySelector('.head [role=status]'), 0", nil)
	d.Clock.Advance(2e9)
	d.admin.Post("/app/tickets/new", url.Values{"name": {"The fan hums"}, "requester": {server.Administrator}})
	b.Wait(".head [role=status] > a")
	var same bool
	if b.Eval("document.querySelector('.head [role=status]') === window.news", &same); !same {
		t.Error("what tells of news was not there before them")
	}
	b.Axe(t)
	b.Click("1 new or changed")
	b.WaitText("The fan hums")
}
