//go:build full && browser

package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// busyDesk is a desk with tickets, computers and an article to work with.
func busyDesk(t *testing.T) *deskOf {
	t.Helper()
	d := openDesk(t, mustertest.SQLite)
	for _, c := range []url.Values{
		{"name": {"lej-nb-1"}, "asset-id": {"A-1"}, "owner": {"ask@example.com"}, "status": {"Operational"}, "model": {
			"Latitude 7440",
		}}, {"name": {"lej-nb-2"}, "asset-id": {"A-2"}},
	} {
		expect(t, "computer", d.admin.Post("/app/computers/new", c), http.StatusSeeOther)
	}
	expect(t, "article", d.admin.Post("/app/articles/new", url.Values{
		"name": {"What to do when printers smell"}, "state": {"Published"}, "description": {"Open a **window**."},
	}), http.StatusSeeOther)
	for _, name := range []string{"No sound in meetings", "A second screen for the warehouse"} {
		expect(t, "ticket", d.admin.Post("/app/tickets/new",
			url.Values{"name": {name}, "requester": {"ask@example.com"}, "priority": {"Medium"}}), http.StatusSeeOther)
	}
	return d
}

// change changes a ticket as somebody else who looks at it now.
func (d *deskOf) change(t *testing.T, v *mustertest.Visitor, path string, form url.Values) {
	t.Helper()
	expect(t, path, v.Post(d.path+path, seen(v.Get(d.path), form)), http.StatusSeeOther)
}

// value returns what a field of a page has.
func value(b *mustertest.Browser, selector string) (is string) {
	b.Eval("document.querySelector('"+selector+"').value", &is)
	return is
}

// TestBrowserQueue works a queue by keys alone: into a ticket and through the queue
// there, with an answer, a note and a taking.
func TestBrowserQueue(t *testing.T) {
	t.Parallel()
	eachLook(t, keyLooks, func(t *testing.T, l look) {
		d := busyDesk(t)
		b := l.visit(t, d.Server, "tech@example.com")
		b.Press("g t")
		b.Click("Unassigned 3")
		b.Press("j", "j", "j", "k")
		if got := b.Text("tr.here .lead"); got != "No sound in meetings" {
			t.Errorf("the row that is here: got %q", got)
		}
		b.Press("j", "Enter")
		b.WaitText("3 of 3")
		b.Press("k")
		b.WaitText("2 of 3")
		b.Press("k")
		b.WaitText("It began on Monday.")
		b.Press("r")
		b.Wait("#answer:focus")
		b.Wait(".composer .btn.primary .for-reply")
		b.Type("Your answer", "Open a window.")
		b.Press("Control+Enter")
		b.WaitText("Answer added. ask@example.com sees it in the portal.")
		b.Press("n")
		b.WaitText("Only technicians see this")
		b.Type("Your answer", "It is the fuser.")
		b.Press("Control+Enter")
		b.WaitText("Note added")
		b.Press("a")
		b.WaitText("Given to tech@example.com")
		inspect(t, b, "ticket-by-keys")
	})
}

// TestBrowserTicketWork works the desk as a technician: through a queue into a
// ticket, then by answers, notes and changes there, while others do the same.
func TestBrowserTicketWork(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		d := busyDesk(t)
		b := l.visit(t, d.Server, "tech@example.com")
		goTo(b, "/app/tickets")
		b.Click("Unassigned 3")
		b.ClickOn(`a.name[href*="/tickets/1?"]`)
		b.Click("Next ticket")
		b.WaitText("2 of 3")
		b.Click("Previous ticket")
		b.WaitText("It began on Monday.")
		answer(t, d, b)
		changeInPlace(t, d, b)
		link(t, d, b)
		beInterrupted(t, d, b)
		inspect(t, b, "ticket-answered")
	})
}

// answer writes a reply and a note; the page shows them differently.
func answer(t *testing.T, d *deskOf, b *mustertest.Browser) {
	t.Helper()
	b.Type("Your answer", "Open a window, **then** leave.")
	b.Click("Send")
	b.WaitText("Answer added. ask@example.com sees it in the portal.")
	b.Wait(".msg.ours strong")
	b.Check("Note", true)
	b.WaitText("Only technicians see this")
	b.WaitGone(".composer .for-reply")
	b.Type("Your answer", "It is the fuser.")
	inspect(t, b, "ticket-note")
	b.Click("Add note")
	b.Wait(".msg.note")
	b.WaitText("Note added")
	if got := b.Text(".msg.note header"); !strings.Contains(got, "Private note") {
		t.Errorf("a note: got the head %q", got)
	}
	if got := value(b, "#answer"); got != "" {
		t.Errorf("the draft after it was sent: got %q", got)
	}
	expect(t, "what the requester sees", d.ask.Get(strings.Replace(d.path, "tickets", "requests", 1)), http.StatusOK,
		"Open a window", "!the fuser")
	b.Type("Your answer", "Half a sent")
	b.Open(strings.TrimPrefix(b.URL(), d.Base))
	if got := value(b, "#answer"); got != "Half a sent" {
		t.Errorf("a draft after leaving the page: got %q", got)
	}
	b.Type("Your answer", "")
}

// changeInPlace changes state, assignee, priority and due date without leaving
// the page.
func changeInPlace(t *testing.T, d *deskOf, b *mustertest.Browser) {
	t.Helper()
	b.Eval("window.stays = true", nil)
	b.Click("Assign to me")
	b.WaitText("Given to tech@example.com")
	b.WaitText("took the ticket")
	panel := b.In(".panel-side")
	panel.Select("Priority", "High")
	panel.Select("State", "On Hold")
	b.WaitText("State is now On Hold")
	b.Wait("#p-state:focus")
	b.WaitText("set the priority to High")
	panel.Type("Due", "2026-02-02T17:00")
	b.Press("Tab") // into the next part of the field, or the next field
	b.ClickOn("#p-category")
	b.WaitText("Due date is now")
	b.WaitText("Due in 2 days")
	panel.Type("Category", "Printing")
	b.Press("Enter")
	b.WaitText("Category is now Printing")
	b.Click("Undo")
	b.WaitText("was changed back")
	b.Eval("document.activeElement.blur()", nil)
	panel.Type("Tag", "thrown away")
	b.Press("Escape")
	panel.Select("Assignee", "Nobody")
	b.WaitText("Assignee cleared")
	var stays bool
	if b.Eval("window.stays === true", &stays); !stays {
		t.Error("a change has left the page")
	}
	expect(t, "what was saved", d.admin.Get(d.path), http.StatusOK, `<option value="On Hold" selected`,
		`<option value="High" selected`, `value="2026-02-02T17:00"`, "!thrown away", "!value=\"Printing\"")
	inspect(t, b, "ticket-changed")
}

// link links a computer by its name and one that is offered, and an article.
func link(t *testing.T, d *deskOf, b *mustertest.Browser) {
	t.Helper()
	b.Open(d.path) // with the version after all changes
	b.Click("Link Computers")
	b.Type("Name or asset id of a computer", "lej-nb-9")
	b.Expect("status 422")
	b.Press("Enter")
	b.WaitText("Nothing is called lej-nb-9.")
	inspect(t, b, "ticket-link")
	b.Click("lej-nb-1") // what was folded out is still so
	b.Wait(`[aria-label="Unlink lej-nb-1"]`)
	b.Type("Name or asset id of a computer", "lej-nb-2")
	b.Wait("#suggested, [list=suggested]")
	b.Press("Enter")
	b.Wait(`[aria-label="Unlink lej-nb-2"]`)
	b.Click("Unlink lej-nb-2")
	b.WaitText("lej-nb-2 unlinked") // before, Undo is that of the link
	b.WaitGone(`[aria-label="Unlink lej-nb-2"]`)
	b.Click("Undo")
	b.Wait(`[aria-label="Unlink lej-nb-2"]`)
	for range 3 { // the panel may be made new under the pointer once more
		if b.Click("Insert What to do when printers smell"); value(b, "#answer") != "" {
			break
		}
	}
	if got := value(b, "#answer"); !strings.Contains(got, d.Base+"/app/help/1)") {
		t.Errorf("an inserted article: got %q", got)
	}
	b.Type("Your answer", "")
	b.Click("Dismiss") // the toast covers the end of the panel
	b.Click("Link What to do when printers smell to this ticket")
	b.Wait(`[aria-label="Unlink What to do when printers smell"]`)
	b.WaitText("What to do when printers smell linked")
}

// beInterrupted works while others do: what they say and change arrives by
// itself, and what they have changed is not overwritten.
func beInterrupted(t *testing.T, d *deskOf, b *mustertest.Browser) {
	t.Helper()
	request := strings.Replace(d.path, "tickets", "requests", 1)
	b.Type("Your answer", "I am still writing")
	b.Type("Category", "Mine")
	expect(t, "answer of the requester",
		d.ask.Post(request+"/reply", seen(d.ask.Get(request), url.Values{"body": {"It smells of <i>roses</i> now."}})),
		http.StatusSeeOther)
	b.WaitText("It smells of <i>roses</i> now.")
	d.change(t, d.admin, "/set", url.Values{"category": {"Theirs"}})
	b.WaitText("set the category to Theirs")
	b.Wait("#p-category:focus")
	if got := value(b, "#p-category"); got != "Mine" {
		t.Errorf("what somebody types while the page changes: got %q", got)
	}
	b.Expect("status 409")
	b.Press("Tab")
	b.WaitText("This ticket was changed while you had it open, so nothing was saved.")
	inspect(t, b, "ticket-meanwhile")
	if got := value(b, "#p-category"); got != "Theirs" {
		t.Errorf("the field after the notice: got %q", got)
	}
	expect(t, "what is saved", d.admin.Get(d.path), http.StatusOK, `value="Theirs"`, `!value="Mine"`)
	if got := value(b, "#answer"); got != "I am still writing" {
		t.Errorf("what somebody writes while the page changes: got %q", got)
	}
	b.In(".composer").Select("State after sending", "Resolved")
	d.change(t, d.admin, "/reply", url.Values{"kind": {"note"}, "body": {"I was here."}})
	b.WaitText("I was here.")
	b.Click("Send")
	b.WaitText("State is now Resolved")
	b.WaitText("I am still writing")
}

// TestBrowserNewTicket opens a ticket for somebody by typing.
func TestBrowserNewTicket(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		d := busyDesk(t)
		b := l.visit(t, d.Server, "tech@example.com")
		b.In(".top").Click("New")
		b.In("#new").Click("Ticket")
		b.Wait("#i-name:focus")
		b.Type("Requester", "ask@example.com")
		b.Press("Tab")
		b.Check("lej-nb-1", true)
		b.Select("Assignee", "tech@example.com")
		b.Click("More fields")
		b.Type("Tag", "loud")
		b.Click("Open ticket")
		b.WaitText("Subject can't be blank")
		b.Wait("#i-name:focus")
		inspect(t, b, "ticket-new-fault")
		b.Type("Subject required", "The fan hums")
		b.Click("Open ticket")
		b.WaitText("The fan hums was added")
		b.Wait(`[aria-label="Unlink lej-nb-1"]`)
		if got := value(b, "#p-tag"); got != "loud" {
			t.Errorf("a field that was folded away: got %q", got)
		}
	})
}
