package api

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/markup"
	"muster/internal/store"
)

// An httpError is an answer that is an error: a status and what is wrong, one
// message a fault.
type httpError struct {
	status     int
	faults     []string
	allow      string        // of 405
	retryAfter time.Duration // of 409, 429 and 503
	limit      string        // that the request was over, if it was
}

// Error returns the first fault.
func (e *httpError) Error() string { return e.faults[0] }

func fault(status int, format string, args ...any) error {
	return &httpError{status: status, faults: []string{fmt.Sprintf(format, args...)}}
}

func notFound(r *http.Request) error {
	sent, _, _ := strings.Cut(r.RequestURI, "?")
	return fault(http.StatusNotFound, "there is nothing at %s", sent)
}

func internal(r *http.Request) string {
	return "internal error; the log has more about the request " + visitOf(r).id
}

// When a client may try again: one that found the database away, and one whose
// first request is still running.
const (
	retryUnavailable = 5 * time.Second
	retryRunning     = time.Second
)

// translate is the table from errors to answers. What is not in it is not the
// client's mistake.
func translate(err error) *httpError {
	if e, ok := errors.AsType[*httpError](err); ok {
		return e
	}
	if e, ok := errors.AsType[*desk.Error](err); ok {
		out := &httpError{status: statusOf(e.Code), faults: []string{e.Text}}
		if e.Code == desk.Running {
			out.retryAfter = retryRunning
		}
		return out
	}
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return &httpError{status: http.StatusUnprocessableEntity, faults: e.Faults}
	}
	if e, ok := errors.AsType[*kind.BadQuery](err); ok {
		return &httpError{status: http.StatusBadRequest, faults: []string{e.Text}}
	}
	if e, ok := errors.AsType[*markup.SyntaxError](err); ok {
		return &httpError{status: http.StatusBadRequest, faults: []string{"the document is not well-formed XML: " + e.Error()}}
	}
	if e, ok := errors.AsType[*markup.CharsetError](err); ok {
		return &httpError{status: http.StatusUnsupportedMediaType, faults: []string{e.Error()}}
	}
	if errors.Is(err, store.ErrFull) {
		return &httpError{status: http.StatusInsufficientStorage, faults: []string{store.ErrFull.Error() + ": nothing was changed, and reading goes on"}}
	}
	if errors.Is(err, store.ErrUncertain) {
		return &httpError{status: http.StatusServiceUnavailable, faults: []string{store.ErrUncertain.Error()}, retryAfter: retryUnavailable}
	}
	if errors.Is(err, store.ErrUnavailable) {
		return &httpError{status: http.StatusServiceUnavailable, faults: []string{store.ErrUnavailable.Error()}, retryAfter: retryUnavailable}
	}
	return nil
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

// fail answers with an error. Those that are no mistake of the client are
// logged here, and nowhere else.
func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, store.ErrUsed) { // by another node: this one would have known
		visitOf(r).refused = err.Error()
		err = a.challenge(w, r, true)
	}
	e := translate(err)
	gone := errors.Is(r.Context().Err(), context.Canceled) // the client's doing
	visitOf(r).busy = e == errBusy
	switch {
	case e == errBusy: // of which the gate tells
	case e != nil && e.status == http.StatusInsufficientStorage:
		a.meetFull(e, err)
	case (e == nil || e.status > http.StatusInternalServerError) && !gone:
		a.Log.Error("request failed", "id", visitOf(r).id, "method", r.Method, "path", r.URL.Path, "error", err)
	}
	if e == nil {
		e = &httpError{status: http.StatusInternalServerError, faults: []string{internal(r)}}
	}
	a.answerError(w, r, e)
}

// answerError writes the answer of an error.
func (a *API) answerError(w http.ResponseWriter, r *http.Request, e *httpError) {
	h := w.Header()
	if e.allow != "" {
		h.Set("Allow", e.allow)
	}
	if e.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(e.retryAfter.Seconds()))))
	}
	v := visitOf(r)
	v.limit = e.limit
	v.watch.enter(writing)
	write(w, v.form, e.status, kind.AppendErrors(nil, v.form.format, e.faults))
}
