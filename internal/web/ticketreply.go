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
	Key    string   // of the form: one that is sent twice says it once
	States []option // that the ticket may have afterwards
}

// newComposer returns an empty composer.
func (c *call) newComposer(t *inventory.Ticket) composer {
	w := composer{To: personName(&t.Requester), Key: c.formKey(), States: []option{{"", c.t("Keep %s", c.value(t.State)), true}}}
	for _, state := range inventory.TicketStates {
		if state != t.State && !(t.State == inventory.TicketClosed && state == inventory.TicketResolved) {
			w.States = append(w.States, option{Value: state, Label: c.value(state)})
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
// the form says so: both or neither, and once if it is sent twice. If somebody
// changed the ticket meanwhile what was written stays.
func (c *call) replyToTicket() (*answer, error) {
	was, err := c.ticket()
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(c.form.Get("body")) == "" {
		return c.replyAgain(http.StatusUnprocessableEntity, c.t("Write something first."), nil)
	}
	reply, values := desk.Answer{
		Ticket: was.ID, Comment: c.comment(c.form.Get("kind") == "note"),
		Once: c.onceOf(ticketPath(was.ID)+"/reply", formOf(c.form, "kind", "body", "state")),
	}, url.Values{}
	if state := c.form.Get("state"); state != "" && state != was.State {
		values = formOf(c.form, "state")
		reply.Change = c.documentOf(inventory.Tickets.Schema, values)
	}
	clash, err := c.unlessClash(c.form, values, func(fits func(int64) bool) error {
		reply.If = fits
		return c.answerOnce(reply)
	})
	if clash != nil {
		return c.replyAgain(http.StatusConflict, "", clash)
	}
	if err != nil {
		return c.replyRefused(err)
	}
	c.say(c.sent(was))
	return c.backToTicket(was.ID, c.form)
}

// answerOnce says something in a ticket, once if the form is sent twice.
func (c *call) answerOnce(reply desk.Answer) error {
	return c.afterFirst(func() error { return c.web.Desk.Answer(c.Context(), c.who(), reply) })
}

// sent says what became of an answer.
func (c *call) sent(t *inventory.Ticket) string {
	text := c.t("Answer added. %s sees it in the portal.", personName(&t.Requester))
	if c.form.Get("kind") == "note" {
		text = c.t("Note added.")
	}
	if state := c.form.Get("state"); state != "" && state != t.State {
		text += " " + c.t("State is now %s", c.value(state))
	}
	return text
}

// replyRefused shows what is wrong with an answer, beside it.
func (c *call) replyRefused(err error) (*answer, error) {
	if invalid, ok := errors.AsType[*kind.Invalid](err); ok {
		return c.replyAgain(http.StatusUnprocessableEntity, c.faults(invalid), nil)
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

// comment returns what the form says, as a comment.
func (c *call) comment(private bool) desk.Document {
	values := formOf(c.form, "body")
	if private {
		values.Set("is-private", "true")
	}
	return c.documentOf(inventory.Comments.Schema, values)
}
