package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A requestPage is a ticket as who asks sees it.
type requestPage struct {
	ID, Version, Last int64
	Own               int64 // the person's own last comment
	Path              string
	Number, Name      string
	State             cell
	OpenedAt          *moment
	Helper            string // who works on it, "" for nobody yet
	Entries           []entry
	Resolution        string
	Computers         []portalItem
	Body, Fault       string
	Key               string // of the form: one that is sent twice says it once
	Notice            string
	Write, Done       bool
	Closed            bool
}

// showRequest shows a ticket to who asks.
func (c *call) showRequest() (*answer, error) { return c.requestAnswer(http.StatusOK, nil) }

func (c *call) requestAnswer(status int, change func(*requestPage)) (*answer, error) {
	t, err := c.ticket()
	if err != nil {
		return nil, err
	}
	t.Comments = slices.DeleteFunc(t.Comments, func(said inventory.TicketComment) bool { return said.IsPrivate.V }) // also for staff who look
	p := &requestPage{
		ID: t.ID, Version: t.Version, Last: lastSaid(t), Own: lastSaidBy(t, c.user.ID), Path: requestPath(t.ID), Number: "#" + strconv.FormatInt(t.Number.V, 10), Name: t.Name, State: c.friendly(t), OpenedAt: c.moment(t.CreatedAt),
		Entries: c.conversation(t, nil), Resolution: t.Resolution, Key: c.formKey(), Write: !c.user.ReadOnly.V, Done: t.Done(), Closed: t.State == inventory.TicketClosed,
	}
	if t.Assignee.ID != 0 {
		p.Helper = personName(&t.Assignee)
	}
	for _, l := range t.Computers {
		p.Computers = append(p.Computers, portalItem{Name: l.Name, Href: "/devices/" + strconv.FormatInt(l.ID.V, 10)})
	}
	if change != nil {
		change(p)
	}
	return c.portalAnswer(status, "request", p.Number+" "+p.Name, p, "request.js")
}

// replyToRequest adds what who asks has to say, and closes or reopens the ticket
// if they want that: both or neither, once if the form is sent twice, and nothing
// when there is something that they have not seen.
func (c *call) replyToRequest() (*answer, error) {
	t, err := c.ticket()
	if err != nil {
		return nil, err
	}
	body, state := strings.TrimSpace(c.form.Get("body")), map[string]string{"close": inventory.TicketClosed, "reopen": inventory.TicketNew}[c.form.Get("do")]
	if body == "" && state == "" {
		return c.requestAgain(http.StatusUnprocessableEntity, c.t("Write something first."), "")
	}
	if body != "" || state != t.State { // else it is so already
		err = c.answerRequest(t.ID, body != "", state)
	}
	if isRefusal(err, desk.Changed) {
		return c.requestAgain(http.StatusConflict, "", c.t("There is something new in this ticket, so nothing was sent. Read it first; what you have written is below."))
	}
	if err != nil {
		return c.requestRefused(err)
	}
	c.say(map[string]string{"": c.t("Your answer was sent"), inventory.TicketClosed: c.t("The ticket is closed"), inventory.TicketNew: c.t("The ticket is open again")}[state])
	return c.goTo(requestPath(t.ID))
}

// answerRequest says something in a ticket or sets its state, "" for what it is,
// or both.
func (c *call) answerRequest(id int64, says bool, state string) error {
	var change desk.Document
	if state != "" {
		change = c.documentOf(inventory.Tickets.Schema, url.Values{"state": {state}})
	}
	version := number(c.form, "version")
	fits := func(now int64) bool { return now == version }
	if says {
		once := c.onceOf(requestPath(id)+"/reply", formOf(c.form, "body", "do"))
		return c.answerOnce(desk.Answer{Ticket: id, Comment: c.comment(false), Change: change, If: fits, Once: once})
	}
	_, err := c.web.Desk.Update(c.Context(), c.who(), desk.Target{Kind: inventory.Tickets.Schema, ID: id, If: fits}, change)
	return err
}

// requestRefused shows what is wrong with an answer, beside it.
func (c *call) requestRefused(err error) (*answer, error) {
	if fault := c.faultOf(err); fault != "" {
		return c.requestAgain(http.StatusUnprocessableEntity, fault, "")
	}
	return nil, err
}

// requestAgain shows the ticket with what was written.
func (c *call) requestAgain(status int, fault, notice string) (*answer, error) {
	return c.requestAnswer(status, func(p *requestPage) { p.Body, p.Fault, p.Notice = c.form.Get("body"), fault, notice })
}

// faultOf returns what is wrong with what somebody wrote, "" if it is not that.
func (c *call) faultOf(err error) string {
	if invalid, ok := errors.AsType[*kind.Invalid](err); ok {
		return c.faults(invalid)
	}
	return ""
}
