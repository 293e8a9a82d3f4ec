package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestQueues shows each person their queues, and leads through them.
func TestQueues(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		for _, name := range []string{"Second", "Third", "Fourth"} {
			d.admin.Post("/app/tickets/new", url.Values{"name": {name}, "requester": {"ask@example.com"}, "assignee": {
				"tech@example.com",
			}, "due-at": {"2026-01-30T08:00"}})
		}
		const open = "state=New&state=Assigned&state=Awaiting+Input&state=On+Hold"
		if got := d.tech.Get("/app/tickets"); got.Status != http.StatusSeeOther ||
			got.Header.Get("Location") != "/app/tickets?assignee=me&"+open {
			t.Errorf("the technician begins with %s", got.Header.Get("Location"))
		}
		if got := d.admin.Get("/app/tickets"); got.Status != http.StatusSeeOther ||
			got.Header.Get("Location") != "/app/tickets?"+open {
			t.Errorf("the administrator begins with %s", got.Header.Get("Location"))
		}
		mine := d.tech.Get("/app/tickets?assignee=me&" + open + "&sort_by=id")
		expect(t, "mine", mine, http.StatusOK, "Second", "Fourth", "!The printer smells", "1 day overdue", "is-bad",
			"Subject", "!My department")
		expect(t, "unassigned", d.tech.Get("/app/tickets?assignee=&"+open), http.StatusOK, "The printer smells",
			"!Second")
		expect(t, "overdue", d.tech.Get("/app/tickets?due_at_to=now&"+open), http.StatusOK, "Second",
			"!The printer smells", "due_at_to=2026-01-31T09%3A30%3A00Z")
		d.admin.Post("/app/users/2/edit", url.Values{"department": {"Desk & Co"}})
		expect(t, "of a department", d.tech.Get("/app/tickets?"+open), http.StatusOK, "My department&#39;s",
			"department=Desk&#43;%26&#43;Co")

		first := regexp.MustCompile(`href="([^"]*)">Second<`).FindStringSubmatch(mine.Body)
		if first == nil {
			t.Fatalf("got no link in %s", mine.Body)
		}
		page := d.tech.Get(strings.ReplaceAll(first[1], "&amp;", "&"))
		expect(t, "first of the queue", page, http.StatusOK, "1 of 3", "Mine", `rel="next"`, `!rel="prev"`)
		next := regexp.MustCompile(`href="([^"]*)" rel="next"`).FindStringSubmatch(page.Body)
		page = d.tech.Get(strings.ReplaceAll(next[1], "&amp;", "&"))
		expect(t, "next of the queue", page, http.StatusOK, "Third", "2 of 3", `rel="next"`, `rel="prev"`)
		done := d.tech.Post("/app/tickets/3/reply",
			seen(page, url.Values{"kind": {"reply"}, "body": {"Done."}, "state": {"Resolved"}}))
		expect(t, "done", done, http.StatusSeeOther)
		page = d.tech.Get(done.Header.Get("Location"))
		expect(t, "a ticket that left the queue", page, http.StatusOK, "Third", "2 of 2")
		next = regexp.MustCompile(`href="([^"]*)" rel="next"`).FindStringSubmatch(page.Body)
		expect(t, "what came into its place", d.tech.Get(strings.ReplaceAll(next[1], "&amp;", "&")), http.StatusOK,
			"Fourth", "2 of 2")
		expect(t, "a list that is none", d.tech.Get("/app/tickets/3?n=2&list=nonsense%3D1"), http.StatusOK,
			"Third", "!2 of")
	})
}

// TestQueueOfSavedView names beside a ticket the view that it was opened from, also
// one that somebody has saved.
func TestQueueOfSavedView(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		for name, query := range map[string]string{
			"Smells & fumes": "priority=Low", "Newest first": "state=New&sort_by=id&sort_order=DESC",
		} {
			expect(t, name, d.tech.Post("/app/tickets/views", url.Values{"name": {name}, "query": {query}}),
				http.StatusSeeOther)
		}
		for query, want := range map[string]string{
			"priority=Low":                             "Smells &amp; fumes",
			"priority=Low&per_page=25":                 "Smells &amp; fumes",
			"state=New&sort_by=id&sort_order=DESC":     "Newest first",
			"state=New":                                "New",
			"state=New&sort_by=name":                   "New",
			"priority=Low&state=New":                   "List",
			"priority=Low&sort_by=name&sort_order=ASC": "List",
		} {
			got := d.tech.Get(d.path + "?n=1&list=" + url.QueryEscape(query))
			expect(t, query, got, http.StatusOK, ">"+want+"</a>")
		}
		expect(t, "another's view", d.admin.Get(d.path+"?n=1&list=priority%3DLow"), http.StatusOK, ">List</a>",
			"!Smells")
	})
}

// TestLiveQueue notifies the page of a queue of how many of its tickets are new.
func TestLiveQueue(t *testing.T) {
	t.Parallel()
	d := openDesk(t, mustertest.SQLite)
	events := d.tech.Follow("/app/tickets/events?list=" + url.QueryEscape("state=New"))
	if _, data := events.Next(); !strings.Contains(data, `"new":0`) {
		t.Errorf("at first: got %s", data)
	}
	d.Clock.Advance(2e9)
	d.admin.Post("/app/tickets/new",
		url.Values{"name": {"Elsewhere"}, "requester": {server.Administrator}, "state": {"On Hold"}})
	d.admin.Post("/app/tickets/new", url.Values{"name": {"Here"}, "requester": {server.Administrator}})
	if _, data := events.Next(); !strings.Contains(data, `"new":1`) || !strings.Contains(data, "1 new or changed") {
		t.Errorf("after another: got %s", data)
	}

	page := d.tech.Get("/app/tickets?state=New")
	since := regexp.MustCompile(`role="status" data-since="([0-9]+)" data-seen="([0-9.,]*)"`).FindStringSubmatch(page.Body)
	if since == nil {
		t.Fatalf("the page does not say when it was read: %s", page.Body)
	}
	d.Clock.Advance(2e9)
	d.admin.Post("/app/tickets/new",
		url.Values{"name": {"Before it is looked at"}, "requester": {server.Administrator}})
	d.Clock.Advance(2e9)
	events = d.tech.Follow("/app/tickets/events?since=" + since[1] + "&seen=" + since[2] + "&list=" +
		url.QueryEscape("state=New"))
	if _, data := events.Next(); !strings.Contains(data, `"new":1`) {
		t.Errorf("what came before the page was looked at: got %s", data)
	}
}

// TestLiveQueueSecond notifies of changes in the second in which a queue was read, but
// after the reading: a new ticket, and one that had changed in that second before.
func TestLiveQueueSecond(t *testing.T) {
	t.Parallel()
	d := openDesk(t, mustertest.SQLite)
	list := "&list=" + url.QueryEscape("state=New")
	opens := func(name string) {
		expect(t, name, d.admin.Post("/app/tickets/new",
			url.Values{"name": {name}, "requester": {server.Administrator}}), http.StatusSeeOther)
	}
	opens("Before")
	page := d.tech.Get("/app/tickets?state=New")
	since := regexp.MustCompile(`data-since="([0-9]+)" data-seen="([0-9.,]*)"`).FindStringSubmatch(page.Body)
	if since == nil {
		t.Fatalf("the page does not say when it was read: %s", page.Body)
	}
	events := func() string {
		_, data := d.tech.Follow("/app/tickets/events?since=" + since[1] + "&seen=" + since[2] + list).Next()
		return data
	}
	if got := events(); !strings.Contains(got, `"new":0`) {
		t.Errorf("what the page has: got %s", got)
	}
	opens("After")
	if got := events(); !strings.Contains(got, `"new":1`) {
		t.Errorf("one more in the same second: got %s", got)
	}
	expect(t, "change", d.admin.Post(d.path+"/set", seen(d.admin.Get(d.path), url.Values{"priority": {"High"}})),
		http.StatusSeeOther)
	if got := events(); !strings.Contains(got, `"new":2`) {
		t.Errorf("one that changes once more: got %s", got)
	}
}

// TestQueueColumns shows who has a ticket, where that is not the person anyway.
func TestQueueColumns(t *testing.T) {
	t.Parallel()
	d := openDesk(t, mustertest.SQLite)
	expect(t, "all open", d.tech.Get("/app/tickets?state=New"), http.StatusOK, ">Assignee</a>", "p4")
	expect(t, "take", d.tech.Post(d.path+"/set",
		seen(d.tech.Get(d.path), url.Values{"assignee": {"tech@example.com"}})), http.StatusSeeOther)
	expect(t, "mine", d.tech.Get("/app/tickets?assignee=me"), http.StatusOK, "The printer smells", "!>Assignee</a>",
		"p3")
	d.tech.SetCookie("__Host-columns-tickets", "name.assignee")
	expect(t, "mine, as chosen", d.tech.Get("/app/tickets?assignee=me"), http.StatusOK, ">Assignee</a>")
}
