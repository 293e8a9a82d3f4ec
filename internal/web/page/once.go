package page

import (
	"errors"
	"net/http"

	"muster/internal/desk"
	"muster/internal/kind"
)

// An OncePage shows a secret that is kept nowhere, this one time, and what can be
// done with it.
type OncePage struct {
	Title   string
	About   string
	Secrets []string // one below another
	Lines   []OnceLine
	Notes   []string
	Back    string // the path that follows
}

// An OnceLine is something to copy, with where it goes.
type OnceLine struct {
	ID    string // in the page
	Where string
	Text  string
}

// ShowOnce answers with a secret. It is the answer to the form itself, since
// nobody could be sent to it.
func (c *Call) ShowOnce(here string, p OncePage) (*Answer, error) {
	return c.Show("once", Page{Title: p.Title, Here: here, Scripts: []string{"once.js"}, Data: p})
}

// A ConfirmPage asks whether something shall be done that cannot be undone.
type ConfirmPage struct {
	Title  string
	Texts  []string
	Fault  string
	Action string // the path that does it
	Fields []Pair // that are sent along
	Do     string // on the button
	Keep   string // on the link that goes back
	Back   string
}

// Confirm asks before something is done.
func (c *Call) Confirm(here string, p ConfirmPage) (*Answer, error) {
	status := http.StatusOK
	if p.Fault != "" {
		status = http.StatusConflict
	}
	if p.Keep == "" {
		p.Keep = c.T("Cancel")
	}
	return &Answer{Status: status, Template: "confirm", Page: Page{Title: p.Title, Here: here, Data: p}}, nil
}

// Refusal returns the message for an error that the person can do something about: a
// mistake in the input, or a rule of the desk. Refused is false for other errors.
func (c *Call) Refusal(err error) (text string, refused bool) {
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return c.Faults(e), true
	}
	if e, ok := errors.AsType[*desk.Error](err); ok && e.Code != desk.NotFound {
		return c.Fault(e.Text), true
	}
	return "", false
}
