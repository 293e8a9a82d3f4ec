package api

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/front"
	"muster/internal/kind"
	"muster/internal/markup"
	"muster/internal/message"
	"muster/internal/store"
)

func notFound(r *http.Request) error {
	sent, _, _ := strings.Cut(r.RequestURI, "?")
	return front.Fault(http.StatusNotFound, "there is nothing at %s", sent)
}

// retryRunning is when a client may try again whose first request is still
// running.
const retryRunning = time.Second

// translate is the table from clients' mistakes to answers. What is not in it
// is left as it is. The words come with the error: those about rights are in
// internal/desk/rights.go.
func translate(err error) error {
	if e, ok := errors.AsType[*desk.Error](err); ok {
		out := &front.Error{Status: statusOf(e.Code), Faults: []message.Text{e.Text}}
		if e.Code == desk.Running {
			out.RetryAfter = retryRunning
		}
		return out
	}
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return &front.Error{Status: http.StatusUnprocessableEntity, Faults: e.Faults}
	}
	if e, ok := errors.AsType[*kind.BadQuery](err); ok {
		return &front.Error{Status: http.StatusBadRequest, Faults: []message.Text{e.Text}}
	}
	if e, ok := errors.AsType[*markup.SyntaxError](err); ok {
		return front.Fault(http.StatusBadRequest, "the document is not well-formed XML: %v", e)
	}
	if e, ok := errors.AsType[*markup.CharsetError](err); ok {
		return front.Fault(http.StatusUnsupportedMediaType, "%v", e)
	}
	return err
}

// statusOf returns the status of a refusal by the desk.
func statusOf(code desk.Code) int {
	switch code {
	case desk.NotFound:
		return http.StatusNotFound
	case desk.Conflict, desk.Running:
		return http.StatusConflict
	case desk.Changed:
		return http.StatusPreconditionFailed
	}
	return http.StatusForbidden
}

// fail answers with an error.
func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, store.ErrUsed) { // by another node: this one would have known
		visitOf(r).Refused = err.Error()
		err = a.challenge(w, r, true)
	}
	if e, ok := errors.AsType[*desk.StepUp](err); ok {
		err = a.stepUp(r, e)
	}
	a.Front.Fail(w, r, translate(err))
}

// stepUp is the answer to a change for which a user must prove again that it is they,
// with the page that asks for it where the API cannot.
func (a *API) stepUp(r *http.Request, e *desk.StepUp) error {
	if e.Need != desk.NeedPage {
		return front.Fault(http.StatusForbidden, "%v", e)
	}
	page := "/users/new"
	if e.UserID != 0 {
		page = fmt.Sprintf("/users/%d/edit", e.UserID)
	}
	return front.Fault(http.StatusForbidden, "%v: %s", e, a.Hosts.Base(r)+a.Pages+page)
}

// WriteError writes the document of an error.
func (a *API) WriteError(w http.ResponseWriter, r *http.Request, e *front.Error) {
	form := visitOf(r).form
	body := kind.AppendErrors(nil, form.format, message.Strings(e.Faults))
	begin(w, form, e.Status, len(body))
	_, _ = w.Write(body) // the client may be gone
}
