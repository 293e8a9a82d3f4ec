package front

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"muster/internal/message"
	"muster/internal/store"
)

// An Error is an answer that is an error: a status and what is wrong, one
// message a fault.
type Error struct {
	Status     int
	Faults     []message.Text
	Allow      string        // of 405
	RetryAfter time.Duration // of 409, 429 and 503
	Limit      string        // that the request was over, if it was
	Quiet      bool          // it is counted and logged elsewhere, and needs no log line
	Cause      error         // that it answers, nil for none
}

// Error returns the first fault.
func (e *Error) Error() string { return e.Faults[0].String() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Message returns the first fault.
func (e *Error) Message() message.Text { return e.Faults[0] }

// Fault returns an error with one message.
func Fault(status int, format string, args ...any) *Error {
	return &Error{Status: status, Faults: []message.Text{message.New(format, args...)}}
}

// TooMany returns the error of a request over a limit, which may come again
// after a while.
func TooMany(wait time.Duration, limit, format string, args ...any) *Error {
	e := Fault(http.StatusTooManyRequests, format, args...)
	e.RetryAfter, e.Limit = wait, limit
	return e
}

func internal(r *http.Request) *Error {
	return Fault(http.StatusInternalServerError, "internal error; the log has more about the request %s", Of(r).ID)
}

// retryUnavailable is when a client may try again that found the database away, or too busy.
const retryUnavailable = 5 * time.Second

// translate is the table from errors of the database to answers, beside the
// errors that are answers already. What is not in it nobody foresaw.
func translate(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if errors.Is(err, store.ErrFull) {
		return Fault(http.StatusInsufficientStorage, "%s: nothing was changed, and reading goes on",
			message.Of(store.ErrFull))
	}
	if errors.Is(err, store.ErrUncertain) || errors.Is(err, store.ErrUnavailable) {
		e := Fault(http.StatusServiceUnavailable, "%s", message.Of(err))
		e.RetryAfter, e.Cause = retryUnavailable, err
		return e
	}
	return nil
}

// Fail answers with an error. Errors that are not the client's fault are logged here,
// and nowhere else.
func (f *Front) Fail(w http.ResponseWriter, r *http.Request, err error) {
	e := translate(err)
	gone := errors.Is(r.Context().Err(), context.Canceled) // the client's doing
	switch {
	case e != nil && e.Quiet:
	case e != nil && e.Status == http.StatusInsufficientStorage:
		f.meetFull(e, err)
	case (e == nil || e.Status > http.StatusInternalServerError) && !gone:
		f.Log.Error("request failed", "id", Of(r).ID, "method", r.Method, "path", target(r), "error", err)
	}
	if e == nil {
		e = internal(r)
	}
	f.refuse(w, r, e)
}

// refuse sets the headers of an error and lets the application write it.
func (f *Front) refuse(w http.ResponseWriter, r *http.Request, e *Error) {
	h := w.Header()
	if e.Allow != "" {
		h.Set("Allow", e.Allow)
	}
	if e.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(e.RetryAfter.Seconds()))))
	}
	v := Of(r)
	v.limit, v.quiet = e.Limit, e.Quiet
	v.Begin(Writing)
	v.app.WriteError(w, r, e)
}
