package api

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/digest"
	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/limit"
	"muster/internal/store"
)

// Limits of a request.
const (
	requestTime = 30 * time.Second
	maxTarget   = 6 << 10 // digest repeats it in a header, and headers are limited to 16 KB
)

// A visit is what the API knows of a request besides: the form of the answer,
// and who makes it once that is known.
type visit struct {
	*front.Info
	user         *inventory.User
	triple       *store.Triple // that proved who makes a change
	byPassword   bool          // so it is the user's password that did
	token        *desk.Token   // or this
	form         form
	unacceptable error // no form that the client takes is served
	readOnly     bool  // the address is one for reading only
}

// caller returns on whose behalf the desk acts for the request.
func (v *visit) caller() desk.Caller {
	return desk.Caller{User: v.user, Origin: "api", Triple: v.triple, Token: v.token, ByPassword: v.byPassword,
		PlainHTTP: v.Scheme != "https"}
}

// visitOf returns what is known of a request. The form of the answer is that of
// the address as it came: it is first asked for before a path loses its extension.
func visitOf(r *http.Request) *visit {
	outer := front.Of(r)
	v, known := outer.Own.(*visit)
	if !known {
		v = &visit{Info: outer, readOnly: strings.HasSuffix(r.URL.Path, kind.JSON.Extension())}
		v.form, v.unacceptable = negotiate(r)
		outer.Own = v
	}
	return v
}

// Serve is the order of the API's own doors.
func (a *API) Serve(w http.ResponseWriter, r *http.Request) {
	v := visitOf(r)
	if err := a.gate.Full(); err != nil {
		front.Discard(w, r)
		a.fail(w, r, err)
		return
	}
	v.Begin(front.Authenticating)
	err := a.Hosts.Check(r)
	if err == nil {
		a.Hosts.Secure(w.Header(), r)
		err = a.authenticate(w, r)
	}
	if err == nil {
		err = a.checkLimits(r)
	}
	if err != nil {
		a.fail(w, r, err)
		return
	}
	a.serve(w, r)
}

// authenticate finds out who makes the request.
func (a *API) authenticate(w http.ResponseWriter, r *http.Request) error {
	if secret, ok := bearer(r.Header); ok {
		return a.authenticateToken(w, r, secret)
	}
	res := a.Digest.Authenticate(r)
	visitOf(r).Login = res.Outcome.String()
	try := a.try(r, res.Name)
	var reason limit.Reason
	var wait time.Duration
	switch res.Outcome {
	case digest.Verified, digest.Stale: // else an old nonce would reveal whether the password is right
		reason, wait = a.Guesses.Blocked(try)
	case digest.Failed:
		reason, wait = a.Guesses.Take(try)
	}
	if reason != limit.None {
		return tooMany(reason, wait)
	}
	if res.Outcome == digest.Verified {
		a.Digest.Inform(w.Header(), res)
		user, err := a.Access.User(r.Context(), res.Name)
		visitOf(r).prove(r, user, res)
		if err == nil {
			a.Access.Addresses().Note(r.Context(), user.ID, try.Address)
		}
		if _, gone := errors.AsType[*desk.Error](err); !gone {
			return err
		}
	}
	if res.Outcome != digest.Missing { // as every first request is
		visitOf(r).Refused = res.Reason
	}
	if res.Outcome == digest.Failed {
		if a.Access.Disabled(res.Name) { // only the log says so, not the answer
			visitOf(r).Refused = "disabled user"
		}
	}
	front.Discard(w, r)
	return a.challenge(w, r, res.Outcome == digest.Stale)
}

// try returns what is counted of a login that fails.
func (a *API) try(r *http.Request, name string) limit.Try {
	address := front.Address(r)
	return limit.Try{
		User: name, Address: address, Known: func() bool { return a.Access.Addresses().Knows(r.Context(), name, address) },
	}
}

// tooMany is the answer to a login that is not looked at.
func tooMany(reason limit.Reason, wait time.Duration) error {
	switch reason {
	case limit.OfAddress:
		return front.TooMany(wait, limitAddress, "too many failed logins from this address")
	case limit.OfUser:
		return front.TooMany(wait, limitLogins, "too many failed logins of this user")
	}
	return front.TooMany(wait, limitLogins, "too many failed logins of this user from this address")
}

// prove notes who makes the request, and for a change what proved it.
func (v *visit) prove(r *http.Request, user *inventory.User, res digest.Result) {
	v.user, v.byPassword = user, true
	if user != nil {
		v.User = user.Email
	}
	if !reads(r.Method) {
		key := res.Key()
		v.triple = &store.Triple{Key: key[:], Expires: res.Expires}
	}
}

// challenge asks for credentials: stale ones were right, and clients try again
// by themselves.
func (a *API) challenge(w http.ResponseWriter, r *http.Request, stale bool) error {
	w.Header().Del("Authentication-Info")
	a.Digest.Challenge(w.Header(), r.UserAgent(), stale)
	how := "HTTP digest authentication"
	if !a.Access.TakesMD5() {
		how += " with SHA-256, or a token: MD5 is switched off here"
	}
	return front.Fault(http.StatusUnauthorized,
		"authentication failed: give the user name and password of a Muster user by %s", how)
}

// checkLimits applies the limits to known users, and keeps other sites' pages from
// using a browser's credentials. It returns an error for a request that is refused.
func (a *API) checkLimits(r *http.Request) error {
	if wait := a.requests.Take(visitOf(r).user.Email); wait > 0 {
		return front.TooMany(wait, limitRequests, "too many requests of this user")
	}
	if len(r.RequestURI) > maxTarget {
		return front.Fault(http.StatusRequestURITooLong, "the address is longer than %d bytes", maxTarget)
	}
	if err := a.origins.Check(r); err != nil {
		return front.Fault(http.StatusForbidden, "a page of another site may not change records")
	}
	if token := visitOf(r).token; token != nil && !reads(r.Method) {
		return token.MayChange()
	}
	return nil
}

// Limits that refuse a request, as reports name them.
const (
	limitAddress  = "logins_of_address"
	limitLogins   = "logins_of_user"
	limitRequests = "requests_of_user"
	limitAll      = "requests_of_all"
)

// Limits are the names of all limits in reports.
var Limits = []string{limitAddress, limitLogins, limitRequests, limitAll}
