package portal

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
	"muster/internal/web/tickets"
)

// A requestPage is a ticket as its requester sees it.
type requestPage struct {
	ID, Version, Last int64
	Own               int64 // the person's own last comment
	Path              string
	Number, Name      string
	State             page.Cell
	OpenedAt          *page.Moment
	Helper            string // who works on it, "" for nobody yet
	Entries           []tickets.Entry
	Resolution        string
	Computers         []portalItem
	Body, Fault       string
	Key               string // of the form: one that is sent twice says it once
	Notice            string
	Write, Done       bool
	Closed            bool
}

// ShowRequest shows a ticket to its requester.
func ShowRequest(c *page.Call) (*page.Answer, error) { return requestAnswer(c, http.StatusOK, nil) }

func requestAnswer(c *page.Call, status int, change func(*requestPage)) (*page.Answer, error) {
	t, err := tickets.Ticket(c)
	if err != nil {
		return nil, err
	}
	talk, err := tickets.NewTalk(c, t, requestPath(t.ID), true) // public also for staff who look
	if err != nil {
		return nil, err
	}
	p := &requestPage{
		ID: t.ID, Version: t.Version, Last: tickets.LastSaid(t), Own: tickets.LastSaidBy(t, c.User.ID),
		Path: requestPath(t.ID), Number: "#" + strconv.FormatInt(t.Number.V, 10), Name: t.Name, State: friendly(c, t),
		OpenedAt: c.Moment(t.CreatedAt),
		Entries:  talk.Entries(c, nil), Resolution: t.Resolution, Key: c.FormKey(),
		Write: !c.User.ReadOnly.V, Done: t.Done(), Closed: t.State == inventory.TicketClosed,
	}
	if t.Assignee.ID != 0 {
		p.Helper = lang.PersonName(&t.Assignee)
	}
	for _, l := range t.Computers {
		p.Computers = append(p.Computers, portalItem{Name: l.Name, Href: "/devices/" + strconv.FormatInt(l.ID.V, 10)})
	}
	if change != nil {
		change(p)
	}
	return portalAnswer(c, status, "request", p.Number+" "+p.Name, p, "request.js")
}

// ReplyToRequest adds a comment of the requester, and closes or reopens the ticket if
// they want that: both or neither, and once if the form is sent twice. It changes
// nothing when the ticket has news that they have not seen.
func ReplyToRequest(c *page.Call) (*page.Answer, error) {
	t, err := tickets.Ticket(c)
	if err != nil {
		return nil, err
	}
	body, state := strings.TrimSpace(c.Form.Get("body")),
		map[string]string{"close": inventory.TicketClosed, "reopen": inventory.TicketNew}[c.Form.Get("do")]
	if body == "" && state == "" {
		return requestAgain(c, http.StatusUnprocessableEntity, c.T("Write something first."), "")
	}
	if body != "" || state != t.State { // else it is so already
		err = answerRequest(c, t.ID, body != "", state)
	}
	if page.IsRefusal(err, desk.Changed) {
		return requestAgain(c, http.StatusConflict, "",
			c.T("Something new came in, so nothing was sent. Read it first; what you wrote is below."))
	}
	if err != nil {
		return requestRefused(c, err)
	}
	c.Notify(map[string]string{"": c.T("Your answer was sent"), inventory.TicketClosed: c.T("The ticket is closed"),
		inventory.TicketNew: c.T("The ticket is open again")}[state])
	return c.GoTo(requestPath(t.ID))
}

// answerRequest says something in a ticket or sets its state, "" for what it is,
// or both.
func answerRequest(c *page.Call, id int64, says bool, state string) error {
	var change desk.Document
	if state != "" {
		change = records.DocumentOf(c, inventory.Tickets.Schema, url.Values{"state": {state}})
	}
	version := page.Number(c.Form, "version")
	fits := func(now int64) bool { return now == version }
	if says {
		once := c.OnceOf(requestPath(id)+"/reply", tickets.FormOf(c.Form, "body", "do"))
		return tickets.AnswerOnce(c,
			desk.Answer{Ticket: id, Comment: tickets.Comment(c, false), Change: change, If: fits, Once: once})
	}
	_, err := c.App.Desk.Update(c.Context(), c.Who(), desk.Target{Kind: inventory.Tickets.Schema, ID: id, If: fits},
		change)
	return err
}

// requestRefused shows what is wrong with an answer, beside it.
func requestRefused(c *page.Call, err error) (*page.Answer, error) {
	if fault := faultOf(c, err); fault != "" {
		return requestAgain(c, http.StatusUnprocessableEntity, fault, "")
	}
	return nil, err
}

// requestAgain shows the ticket with what was written.
func requestAgain(c *page.Call, status int, fault, notice string) (*page.Answer, error) {
	return requestAnswer(c, status, func(p *requestPage) {
		p.Body, p.Fault, p.Notice = c.Form.Get("body"),
			fault, notice
	})
}

// faultOf returns what is wrong with what somebody wrote, "" if it is not that.
func faultOf(c *page.Call, err error) string {
	if invalid, ok := errors.AsType[*kind.Invalid](err); ok {
		return c.Faults(invalid)
	}
	return ""
}
