package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A composer is where a technician writes an answer or a note.
type composer struct {
	To     string // who reads an answer
	Note   bool   // it is a note
	Body   string
	Fault  string
	States []option // that the ticket may have afterwards
}

// newComposer returns an empty composer.
func (c *call) newComposer(t *inventory.Ticket) composer {
	w := composer{To: personName(&t.Requester), States: []option{{"", c.t("Keep %s", c.t(t.State)), true}}}
	for _, state := range inventory.TicketStates {
		if state != t.State && !(t.State == inventory.TicketClosed && state == inventory.TicketResolved) {
			w.States = append(w.States, option{Value: state, Label: c.t(state)})
		}
	}
	return w
}

// again returns the composer with what was written, so that nothing is lost.
func (w *composer) again(form url.Values, fault string) {
	w.Body, w.Note, w.Fault = form.Get("body"), form.Get("kind") == "note", fault
	for i := range w.States {
		w.States[i].Chosen = w.States[i].Value == form.Get("state")
	}
}

// replyToTicket adds an answer or a note to a ticket, and changes its state if
// the form says so. The state comes first: if somebody changed the ticket
// meanwhile nothing is sent, and what was written stays.
func (c *call) replyToTicket() (*answer, error) {
	was, err := c.ticket()
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(c.form.Get("body")) == "" {
		return c.replyAgain(http.StatusUnprocessableEntity, c.t("Write something first."), nil)
	}
	if state := c.form.Get("state"); state != "" && state != was.State {
		_, clash, err := c.update(was, c.form, formOf(c.form, "state"))
		if clash != nil {
			return c.replyAgain(http.StatusConflict, "", clash)
		}
		if err != nil {
			return c.replyRefused(err)
		}
	}
	if err := c.comment(was.ID, c.form.Get("body"), c.form.Get("kind") == "note"); err != nil {
		return c.replyRefused(err)
	}
	c.say(c.sent(was))
	return c.backToTicket(was.ID, c.form)
}

// sent says what became of an answer.
func (c *call) sent(t *inventory.Ticket) string {
	text := c.t("Reply sent to %s", personName(&t.Requester))
	if c.form.Get("kind") == "note" {
		text = c.t("Note added")
	}
	if state := c.form.Get("state"); state != "" && state != t.State {
		text += ". " + c.t("State is now %s", c.t(state))
	}
	return text
}

// replyRefused shows what is wrong with an answer, beside it.
func (c *call) replyRefused(err error) (*answer, error) {
	if invalid, ok := errors.AsType[*kind.Invalid](err); ok {
		return c.replyAgain(http.StatusUnprocessableEntity, strings.Join(invalid.Faults, " "), nil)
	}
	return nil, err
}

// replyAgain shows the ticket with what was written.
func (c *call) replyAgain(status int, fault string, clash *changedNotice) (*answer, error) {
	return c.ticketAnswer(status, c.form, func(p *ticketPage) {
		p.Notice = clash
		p.Composer.again(c.form, fault)
	})
}

// comment adds a comment to a ticket.
func (c *call) comment(ticket int64, body string, private bool) error {
	values := url.Values{"body": {body}}
	if private {
		values.Set("is-private", "true")
	}
	_, _, err := c.web.Desk.Create(c.Context(), c.who(), desk.New{
		Kind: inventory.Comments.Schema, Document: c.documentOf(inventory.Comments.Schema, values), Under: commentsOf(ticket),
	})
	return err
}

// commentsOf returns the place of the comments of a ticket.
func commentsOf(ticket int64) *desk.Place {
	for _, r := range desk.Relations(inventory.Tickets.Schema) {
		if r.Kind == inventory.Comments.Schema {
			return &desk.Place{Relation: r, ID: ticket}
		}
	}
	panic("tickets have no comments")
}
