package web

import (
	"errors"
	"net/http"

	"muster/internal/desk"
	"muster/internal/kind"
)

// An oncePage shows a secret that is kept nowhere, this one time, and what can be
// done with it.
type oncePage struct {
	Title   string
	About   string
	Secrets []string // one below another
	Lines   []onceLine
	Notes   []string
	Back    string // the path that follows
}

// A onceLine is something to copy, with where it goes.
type onceLine struct {
	ID    string // in the page
	Where string
	Text  string
}

// showOnce answers with a secret. It is the answer to the form itself, since
// nobody could be sent to it.
func (c *call) showOnce(here string, p oncePage) (*answer, error) {
	return c.show("once", page{Title: p.Title, Here: here, Scripts: []string{"once.js"}, Data: p})
}

// A confirmPage asks whether something shall be done that cannot be undone.
type confirmPage struct {
	Title  string
	Texts  []string
	Fault  string
	Action string // the path that does it
	Fields []pair // that are sent along
	Do     string // on the button
	Keep   string // on the link that goes back
	Back   string
}

// confirm asks before something is done.
func (c *call) confirm(here string, p confirmPage) (*answer, error) {
	status := http.StatusOK
	if p.Fault != "" {
		status = http.StatusConflict
	}
	if p.Keep == "" {
		p.Keep = c.t("Cancel")
	}
	return &answer{status: status, template: "confirm", page: page{Title: p.Title, Here: here, Data: p}}, nil
}

// refusal returns what people are told when something was refused for which they
// can do something else: a mistake in what they gave, or a rule of the desk.
func (c *call) refusal(err error) (text string, refused bool) {
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return c.faults(e), true
	}
	if e, ok := errors.AsType[*desk.Error](err); ok && e.Code != desk.NotFound {
		return c.fault(e.Text), true
	}
	return "", false
}
