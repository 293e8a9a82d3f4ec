package tickets

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A composer is where a technician writes an answer or a note.
type composer struct {
	To     string // who reads an answer
	Note   bool   // it is a note
	Body   string
	Fault  string
	Key    string           // of the form: one that is sent twice says it once
	States []records.Option // that the ticket may have afterwards
}

// newComposer returns an empty composer.
func newComposer(c *page.Call, t *inventory.Ticket) composer {
	w := composer{To: lang.PersonName(&t.Requester), Key: c.FormKey(), States: []records.Option{
		{Value: "", Label: c.T("Keep %s", c.Value(t.State)), Chosen: true},
	}}
	for _, state := range inventory.TicketStates {
		if state != t.State && !(t.State == inventory.TicketClosed && state == inventory.TicketResolved) {
			w.States = append(w.States, records.Option{Value: state, Label: c.Value(state)})
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

// Reply adds an answer or a note to a ticket, and changes its state if
// the form says so: both or neither, and once if it is sent twice. If somebody
// changed the ticket meanwhile what was written stays.
func Reply(c *page.Call) (*page.Answer, error) {
	was, err := Ticket(c)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(c.Form.Get("body")) == "" {
		return replyAgain(c, http.StatusUnprocessableEntity, c.T("Write something first."), nil)
	}
	reply, values := desk.Answer{
		Ticket: was.ID, Comment: Comment(c, c.Form.Get("kind") == "note"),
		Once: c.OnceOf(ticketPath(was.ID)+"/reply", FormOf(c.Form, "kind", "body", "state")),
	}, url.Values{}
	if state := c.Form.Get("state"); state != "" && state != was.State {
		values = FormOf(c.Form, "state")
		reply.Change = records.DocumentOf(c, inventory.Tickets.Schema, values)
	}
	clash, err := unlessClash(c, c.Form, values, func(fits func(int64) bool) error {
		reply.If = fits
		return AnswerOnce(c, reply)
	})
	if clash != nil {
		return replyAgain(c, http.StatusConflict, "", clash)
	}
	if err != nil {
		return replyRefused(c, err)
	}
	c.Notify(sent(c, was))
	return backToTicket(c, was.ID, c.Form)
}

// AnswerOnce says something in a ticket, once if the form is sent twice.
func AnswerOnce(c *page.Call, reply desk.Answer) error {
	return c.AfterFirst(func() error { return c.App.Desk.Answer(c.Context(), c.Who(), reply) })
}

// sent says what became of an answer.
func sent(c *page.Call, t *inventory.Ticket) string {
	text := c.T("Answer added. %s sees it in the portal.", lang.PersonName(&t.Requester))
	if c.Form.Get("kind") == "note" {
		text = c.T("Note added.")
	}
	if state := c.Form.Get("state"); state != "" && state != t.State {
		text += " " + c.T("State is now %s", c.Value(state))
	}
	return text
}

// replyRefused shows what is wrong with an answer, beside it.
func replyRefused(c *page.Call, err error) (*page.Answer, error) {
	if invalid, ok := errors.AsType[*kind.Invalid](err); ok {
		return replyAgain(c, http.StatusUnprocessableEntity, c.Faults(invalid), nil)
	}
	return nil, err
}

// replyAgain shows the ticket with what was written.
func replyAgain(c *page.Call, status int, fault string, clash *changedNotice) (*page.Answer, error) {
	return ticketAnswer(c, status, c.Form, func(p *ticketPage) {
		p.Notice = clash
		p.Composer.again(c.Form, fault)
	})
}

// Comment returns what the form says, as a comment.
func Comment(c *page.Call, private bool) desk.Document {
	values := FormOf(c.Form, "body")
	if private {
		values.Set("is-private", "true")
	}
	return records.DocumentOf(c, inventory.Comments.Schema, values)
}
