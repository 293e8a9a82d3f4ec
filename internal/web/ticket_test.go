package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// A deskOf is a server with a technician and a requester, whose ticket it has.
type deskOf struct {
	*mustertest.Server
	admin, tech, ask *mustertest.Visitor
	path             string // of the ticket
}

// openDesk starts a server and opens a ticket in it.
func openDesk(t *testing.T, db mustertest.Database) *deskOf {
	t.Helper()
	s := mustertest.Start(t, mustertest.Options{On: db})
	s.AddUser("tech@example.com", inventory.Technician, false)
	s.AddUser("ask@example.com", inventory.Requester, false)
	d := &deskOf{Server: s, admin: s.SignIn(server.Administrator), tech: s.SignIn("tech@example.com"),
		ask: s.SignIn("ask@example.com")}
	got := d.admin.Post("/app/tickets/new", url.Values{
		"name": {"The printer smells"}, "description": {"It began on Monday."}, "requester": {"ask@example.com"},
		"priority": {"Low"},
	})
	if d.path = got.Header.Get("Location"); got.Status != http.StatusSeeOther {
		t.Fatalf("new ticket: got %d: %s", got.Status, got.Body)
	}
	return d
}

// seen returns what each form of a ticket's page sends along.
func seen(page *mustertest.Response, more url.Values) url.Values {
	values := url.Values{}
	for _, name := range []string{"version", "seen", "said", "list", "n"} {
		if found := regexp.MustCompile(`name="` + name +
			`" value="([^"]*)"`).FindStringSubmatch(page.Body); found != nil {
			values.Set(name, html.UnescapeString(found[1]))
		}
	}
	for name, given := range more {
		values[name] = given
	}
	return values
}

// expect checks the status of an answer and what is in it.
func expect(t *testing.T, what string, got *mustertest.Response, status int, parts ...string) {
	t.Helper()
	if got.Status != status {
		t.Errorf("%s: got %d, want %d: %s", what, got.Status, status, got.Body)
	}
	for _, part := range parts {
		wanted, part := !strings.HasPrefix(part, "!"), strings.TrimPrefix(part, "!")
		if strings.Contains(got.Body, part) != wanted {
			t.Errorf("%s: got the page below, want %q in it: %v\n%s", what, part, wanted, got.Body)
		}
	}
}

// TestTicketConversation answers a ticket in public and in private, and changes
// what it is with and without an answer.
func TestTicketConversation(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		page := d.tech.Get(d.path)
		expect(t, "ticket", page, http.StatusOK, "The printer smells", "It began on Monday.", `class="msg"`,
			"Assign to me", "!Private note")
		expect(t, "nothing", d.tech.Post(d.path+"/reply", seen(page, url.Values{"kind": {"reply"}, "body": {" "}})),
			http.StatusUnprocessableEntity, "Write something first")
		expect(t, "reply", d.tech.Post(d.path+"/reply",
			seen(page, url.Values{"kind": {"reply"}, "body": {"Open a window."}})), http.StatusSeeOther)
		expect(t, "page after the reply", d.tech.Get(d.path), http.StatusOK,
			"Answer added. ask@example.com sees it in the portal.", "Open a window.", `class="msg ours"`)
		expect(t, "note", d.tech.Post(d.path+"/reply",
			seen(page, url.Values{"kind": {"note"}, "body": {"It is the fuser."}})), http.StatusSeeOther)
		page = d.tech.Get(d.path)
		expect(t, "page after the note", page, http.StatusOK, "Note added", "It is the fuser.", `class="msg note"`,
			"Private note")

		expect(t, "take", d.tech.Post(d.path+"/set", seen(page, url.Values{"assignee": {"tech@example.com"}})),
			http.StatusSeeOther)
		page = d.tech.Get(d.path)
		expect(t, "page after the taking", page, http.StatusOK, "Given to", "took the ticket", "!Assign to me")
		expect(t, "due", d.tech.Post(d.path+"/set", seen(page, url.Values{"due-at": {"2026-01-30T08:00"}})),
			http.StatusSeeOther)
		page = d.tech.Get(d.path)
		expect(t, "page after the due date", page, http.StatusOK, "1 day overdue", `value="2026-01-30T08:00"`,
			"30 Jan 2026, 08:00")
		expect(t, "wrong state", d.tech.Post(d.path+"/set", seen(page, url.Values{"state": {"Forgotten"}})),
			http.StatusUnprocessableEntity, "State")
		expect(t, "no field", d.tech.Post(d.path+"/set", seen(page, url.Values{"number": {"7"}})),
			http.StatusUnprocessableEntity, "names nothing")

		expect(t, "resolve", d.tech.Post(d.path+"/reply",
			seen(page, url.Values{"kind": {"reply"}, "body": {"A new fuser is in."}, "state": {"Resolved"}})),
			http.StatusSeeOther)
		expect(t, "page after the resolving", d.tech.Get(d.path), http.StatusOK, "A new fuser is in.",
			"State is now Resolved", "!overdue")
	})
}

// TestLongConversation shows the newest part of what was said in a ticket, and what came before that in further parts,
// each with what was changed meanwhile.
func TestLongConversation(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		api := strings.TrimPrefix(d.path, "/app")
		say := func(first, last int) {
			t.Helper()
			for n := first; n <= last; n++ {
				d.Clock.Advance(time.Minute)
				doc := fmt.Sprintf("<comment><body>No %d.</body><is-private>%t</is-private></comment>", n, n == 7)
				if got := d.Admin().Do("POST", api+"/comments", doc); got.Status != http.StatusCreated {
					t.Fatalf("say: got %d: %s", got.Status, got.Body)
				}
			}
		}
		set := func(field, value string) {
			t.Helper()
			d.Clock.Advance(time.Minute)
			expect(t, field, d.tech.Post(d.path+"/set", seen(d.tech.Get(d.path), url.Values{field: {value}})),
				http.StatusSeeOther)
		}
		say(1, 5)
		set("tag", "paper-jam")
		say(6, inventory.NewestComments+10)
		set("tag", "fuser")
		newest := d.tech.Get(d.path)
		expect(t, "the newest part", newest, http.StatusOK, "It began on Monday.", "10 earlier comments", "No 11.", "No 260.",
			"<b>fuser</b>", "!No 10.", "!paper-jam", "!Show the latest")
		before := regexp.MustCompile(`\?before=\d+`).FindString(newest.Body)
		older := d.tech.Get(d.path + before)
		expect(t, "the part before", older, http.StatusOK, "It began on Monday.", "No 1.", "No 7.", "No 10.", "<b>paper-jam</b>",
			"Show the latest", "!earlier comments", "!No 11.", "!<b>fuser</b>")
		expect(t, "an answer from there", d.tech.Post(d.path+"/reply",
			seen(older, url.Values{"kind": {"reply"}, "body": {"A new fuser is in."}})), http.StatusSeeOther)
		expect(t, "before none", d.tech.Get(d.path+"?before=x"), http.StatusOK, "A new fuser is in.")

		request := strings.Replace(d.path, "/tickets/", "/requests/", 1)
		own := d.ask.Get(request)
		expect(t, "for the requester", own, http.StatusOK, "10 earlier comments", "No 12.", "!No 11.")
		expect(t, "for the requester, before", d.ask.Get(request+regexp.MustCompile(`\?before=\d+`).FindString(own.Body)),
			http.StatusOK, "No 1.", "No 11.", "!No 7.", "!No 12.", "Show the latest")
	})
}

// TestTicketUndo takes back what was just changed.
func TestTicketUndo(t *testing.T) {
	t.Parallel()
	d := openDesk(t, mustertest.SQLite)
	undo := func(page *mustertest.Response) string {
		t.Helper()
		found := regexp.MustCompile(`class="toast">.*?action="([^"]+)"`).FindStringSubmatch(page.Body)
		if found == nil {
			t.Fatalf("got no undo in %s", page.Body)
		}
		return html.UnescapeString(found[1])
	}
	d.admin.Post("/app/computers/new", url.Values{"name": {"lej-1"}})
	d.admin.Post("/app/articles/new", url.Values{"name": {"Printers"}, "state": {"Published"}})
	for _, test := range []struct {
		path, now, before string
		form              url.Values
	}{
		{"/set", `<option value="Critical" selected`, `<option value="Low" selected`, url.Values{
			"priority": {"Critical"},
		}},
		{"/set", `value="Hardware"`, `id="p-category" name="category" value=""`, url.Values{"category": {"Hardware"}}},
		{"/article", `aria-label="Unlink Printers"`, "!Unlink Printers", url.Values{"article": {"1"}}},
		{"/link", `aria-label="Unlink lej-1"`, "!Unlink lej-1", url.Values{"field": {"hardwares"}, "name": {"LEJ-1"}}},
	} {
		page := d.tech.Get(d.path)
		expect(t, test.path, d.tech.Post(d.path+test.path, seen(page, test.form)), http.StatusSeeOther)
		page = d.tech.Get(d.path)
		expect(t, "changed", page, http.StatusOK, test.now)
		expect(t, "undo", d.tech.Post(undo(page), url.Values{}), http.StatusSeeOther)
		expect(t, "undone", d.tech.Get(d.path), http.StatusOK, test.before)
	}
}

// TestTicketUndoMeanwhile takes a link back after somebody changed something else,
// and only shows the news when they changed the same.
func TestTicketUndoMeanwhile(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		for _, name := range []string{"lej-1", "lej-2"} {
			d.admin.Post("/app/computers/new", url.Values{"name": {name}})
		}
		queue := url.Values{"n": {"1"}, "list": {"state=New&tag=" + strings.Repeat("x", 5000)}}
		link := func(v *mustertest.Visitor, name string) {
			t.Helper()
			form := seen(v.Get(d.path),
				url.Values{"field": {"hardwares"}, "name": {name}, "n": queue["n"], "list": queue["list"]})
			expect(t, "link "+name, v.Post(d.path+"/link", form), http.StatusSeeOther)
		}
		undo := func() string {
			t.Helper()
			found := regexp.MustCompile(`class="toast">.*?action="([^"]+)"`).FindStringSubmatch(d.tech.Get(d.path).Body)
			if found == nil {
				t.Fatal("there is nothing to undo")
			}
			return html.UnescapeString(found[1])
		}
		d.admin.Post(d.path+"/set", seen(d.admin.Get(d.path), url.Values{"priority": {"High"}}))
		link(d.tech, "lej-1")
		back := undo()
		d.admin.Post(d.path+"/set", seen(d.admin.Get(d.path), url.Values{"category": {"Printing"}}))
		undone := d.tech.Post(back, url.Values{"to": {strings.TrimPrefix(d.path, "/app") + "?" + queue.Encode()}})
		expect(t, "undo after another change", undone, http.StatusSeeOther)
		if want := d.path + "?" + queue.Encode(); undone.Header.Get("Location") != want {
			t.Errorf("undo: got to %s, want %s", undone.Header.Get("Location"), want)
		}
		expect(t, "undone", d.tech.Get(d.path), http.StatusOK, "!Unlink lej-1", `value="Printing"`)

		link(d.tech, "lej-1")
		back = undo()
		link(d.admin, "lej-2")
		refused := d.tech.Post(back, url.Values{})
		expect(t, "undo after the same change", refused, http.StatusConflict, "nothing was saved", "Unlink lej-1",
			"Unlink lej-2")
		_, notice, _ := strings.Cut(refused.Body, `data-part="notice"`)
		notice, _, _ = strings.Cut(notice, `data-part="conversation"`)
		if !strings.Contains(notice, "linked <b>lej-2</b>") || strings.Contains(notice, "lej-1") ||
			strings.Contains(notice, "High") {
			t.Errorf("what is new: got %s", notice)
		}
	})
}

// TestTicketChangedMeanwhile overwrites nothing that somebody else has changed,
// shows who changed what, and keeps what was written.
func TestTicketChangedMeanwhile(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		old := d.tech.Get(d.path)
		expect(t, "other's change", d.admin.Post(d.path+"/set", seen(old, url.Values{"state": {"On Hold"}})),
			http.StatusSeeOther)
		expect(t, "another field", d.tech.Post(d.path+"/set", seen(old, url.Values{"priority": {"High"}})),
			http.StatusSeeOther)
		expect(t, "the same field", d.tech.Post(d.path+"/set", seen(old, url.Values{"state": {"Closed"}})),
			http.StatusConflict,
			"nothing was saved", server.Administrator, "set the state to <b>On Hold</b>",
			`<option value="On Hold" selected`)

		old = d.tech.Get(d.path)
		d.admin.Post(d.path+"/reply", seen(old, url.Values{"kind": {"note"}, "body": {"Wait for the supplier."}}))
		d.admin.Post(d.path+"/reply", seen(old, url.Values{"kind": {"reply"}, "body": {"The supplier comes."}}))
		late := d.tech.Post(d.path+"/reply",
			seen(old, url.Values{"kind": {"note"}, "body": {"Done <b>by me</b>."}, "state": {"Resolved"}}))
		expect(t, "answer to what has changed", late, http.StatusConflict, "nothing was saved", "wrote an answer",
			"wrote a private note",
			"Done &lt;b&gt;by me&lt;/b&gt;.</textarea>", `value="note" checked`, `<option value="Resolved" selected`,
			"!Note added")
		expect(t, "ticket after that", d.tech.Get(d.path), http.StatusOK, `<option value="On Hold" selected`, "!by me")
		expect(t, "once more", d.tech.Post(d.path+"/reply",
			seen(late, url.Values{"kind": {"note"}, "body": {"Done by me."}, "state": {"Resolved"}})),
			http.StatusSeeOther)
		expect(t, "ticket at last", d.tech.Get(d.path), http.StatusOK, "Done by me.",
			`<option value="Resolved" selected`)
	})
}

// TestTicketLinks links computers and articles with a ticket.
func TestTicketLinks(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		for _, name := range []string{"lej-1", "lej-2", "twin", "twin"} {
			d.admin.Post("/app/computers/new",
				url.Values{"name": {name}, "status": {"In Repair"}, "owner": {
					map[string]string{"lej-2": "ask@example.com"}[name],
				}})
		}
		d.admin.Post("/app/articles/new", url.Values{
			"name": {"What to do when printers smell"}, "state": {"Published"}, "description": {"Open a window."},
		})
		d.admin.Post("/app/articles/new", url.Values{"name": {"Telephones"}, "state": {"Published"}})
		page := d.tech.Get(d.path)
		expect(t, "ticket", page, http.StatusOK, `value="2">`, "lej-2", "Suggested articles",
			"What to do when printers smell", "!Telephones", "/app/help/1)")
		expect(t, "unknown", d.tech.Post(d.path+"/link",
			seen(page, url.Values{"field": {"hardwares"}, "name": {"lej-9"}})), http.StatusUnprocessableEntity,
			"Nothing is called lej-9")
		expect(t, "unclear", d.tech.Post(d.path+"/link",
			seen(page, url.Values{"field": {"hardwares"}, "name": {"twin"}})), http.StatusUnprocessableEntity,
			"There are several called twin")
		expect(t, "by name", d.tech.Post(d.path+"/link",
			seen(page, url.Values{"field": {"hardwares"}, "name": {"lej-1"}})), http.StatusSeeOther)
		// from a page of before the other link
		expect(t, "offered", d.tech.Post(d.path+"/link", seen(page, url.Values{"field": {"hardwares"}, "id": {"2"}})),
			http.StatusSeeOther)
		page = d.tech.Get(d.path)
		expect(t, "linked", page, http.StatusOK, "Unlink lej-1", "Unlink lej-2", "In Repair", "linked <b>lej-1</b>",
			"lej-2 linked")
		expect(t, "unlink", d.tech.Post(d.path+"/link",
			seen(page, url.Values{"field": {"hardwares"}, "remove": {"1"}})), http.StatusSeeOther)
		expect(t, "unlinked", d.tech.Get(d.path), http.StatusOK, "!Unlink lej-1", "Unlink lej-2", "lej-1 unlinked")

		expect(t, "article", d.tech.Post(d.path+"/article", seen(page, url.Values{"article": {"1"}})),
			http.StatusSeeOther)
		expect(t, "with the article", d.tech.Get(d.path), http.StatusOK, `<h2>Articles <span class="n">1</span>`,
			"!Suggested articles", "smell linked</span>", "article?article=1&amp;do=remove")
		d.tech.Post(d.path+"/article", seen(page, url.Values{"article": {"1"}}))
		expect(t, "the article once more", d.tech.Get(d.path), http.StatusOK, "smell linked</span>", "!do=remove")
		expect(t, "without the article",
			d.tech.Post(d.path+"/article", seen(page, url.Values{"article": {"1"}, "do": {"remove"}})),
			http.StatusSeeOther)
		expect(t, "as before", d.tech.Get(d.path), http.StatusOK, "<h2>Articles</h2>", "Suggested articles")
		back := d.tech.Post("/app/undo"+strings.TrimPrefix(d.path, "/app")+"/article?article=1",
			url.Values{"to": {strings.TrimPrefix(d.path, "/app") + "?n=1"}})
		if back.Header.Get("Location") != d.path+"?n=1" {
			t.Errorf("undo: got %d to %q", back.Status, back.Header.Get("Location"))
		}
		expect(t, "the article again", d.tech.Get(d.path), http.StatusOK, "!Suggested articles", "Unlink What to do")

	})
}
