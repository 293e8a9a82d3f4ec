//go:build full && browser

package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestBrowserPortal helps a requester: articles first, then a ticket, which they follow and answer. Nothing
// else can be reached.
func TestBrowserPortal(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		d := busyDesk(t)
		b := l.visit(t, d.Server, "ask@example.com")
		b.WaitText("How can we help?")
		b.Type("Describe it in a few words", "printers smell")
		b.Press("Enter")
		b.WaitText("1 article may help")
		inspect(t, b, "portal-search")
		b.ClickOn(".also .list a")
		b.Wait(".prose strong")
		b.Click("Not solved? Open a ticket")
		b.Wait("#new")

		b.Type("What is it about?", "The fan is loud")
		b.Select("Which computer?", "lej-nb-1")
		b.Type("What happens, and since when?", "Since *today*.")
		b.Click("Send")
		b.WaitText("was sent")
		b.Wait(".request .msg em")
		b.WaitText("Received")
		b.WaitText("lej-nb-1")
		inspect(t, b, "portal-sent")

		request := b.URL()[len(d.Base):]
		ticket := strings.Replace(request, "requests", "tickets", 1)
		b.Type("Your answer", "By the way")
		expect(t, "reply", d.tech.Post(ticket+"/reply",
			seen(d.tech.Get(ticket), url.Values{"kind": {"note"}, "body": {"Dust again."}})), http.StatusSeeOther)
		expect(t, "reply", d.tech.Post(ticket+"/reply",
			seen(d.tech.Get(ticket), url.Values{
				"kind": {"reply"}, "body": {"Is it **hot**?"}, "state": {"Awaiting Input"},
			})), http.StatusSeeOther)
		b.WaitText("Is it hot?")
		b.WaitText("We need your answer")
		if got := value(b, "#r-body"); got != "By the way" {
			t.Errorf("what is being written when an answer arrives: got %q", got)
		}
		b.Type("Your answer", "Yes, very.")
		inspect(t, b, "portal-ticket")
		b.Click("Send")
		b.WaitText("Your answer was sent")
		b.WaitText("Yes, very.")
		if got := b.Text("#main"); strings.Contains(got, "Dust") {
			t.Errorf("the requester reads a private note: %s", got)
		}
		b.Click("Solved: close the ticket")
		b.WaitText("The ticket is closed")
		b.Click("Your tickets")
		b.WaitText("The fan is loud")

		for _, path := range []string{"/app/tickets", "/app/computers/2", "/app/users", "/app/search?q=lej"} {
			b.Open(path)
			b.WaitText("This page is not for your role")
		}
		b.Open(ticket)
		wantURL(t, b, request)
		b.Open("/app/devices/2")
		b.WaitText("there is no computer")
		inspect(t, b, "portal-elsewhere")
	})
}

// TestBrowserDeskWithoutScripts does with forms and links alone what technicians and
// requesters do most.
func TestBrowserDeskWithoutScripts(t *testing.T) {
	t.Parallel()
	d := busyDesk(t)
	b := scriptless.visit(t, d.Server, "tech@example.com")
	b.In(".nav").Click("Tickets 3")
	b.Click("Unassigned 3")
	b.ClickOn(`a.name[href*="/tickets/1?"]`)
	b.WaitText("It began on Monday.")
	b.Shot("ticket-wide-noscript")
	b.Type("Your answer", "Open a window.")
	b.Click("Send")
	b.WaitText("Answer added. ask@example.com sees it in the portal.")
	b.Check("Note", true)
	b.Type("Your answer", "It is the fuser.")
	b.Click("Add note")
	b.Wait(".msg.note")
	b.In(".panel-side").Select("Priority", "High")
	b.Click("Save Priority")
	b.WaitText("Priority is now High")

	d.change(t, d.admin, "/set", url.Values{"state": {"On Hold"}})
	b.Type("Your answer", "A new fuser is in.")
	b.Select("State after sending", "Resolved")
	b.Click("Send")
	b.WaitText("nothing was saved")
	b.WaitText("set the state to On Hold")
	b.Shot("ticket-meanwhile-wide-noscript")
	b.Click("Send")
	b.WaitText("State is now Resolved")
	b.In(".msg.ours:nth-last-of-type(1)").WaitText("A new fuser is in.") // what was written before the notice

	b = scriptlessPhone.visit(t, d.Server, "ask@example.com")
	b.Type("What is it about?", "The fan is loud")
	b.Click("Send")
	b.WaitText("was sent")
	b.Type("Your answer", "Very loud.")
	b.Click("Send")
	b.WaitText("Your answer was sent")
	b.WaitText("Very loud.")
}
