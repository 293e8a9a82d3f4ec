package page

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/store"
)

// requestTime is how long a request may be worked on.
const requestTime = 30 * time.Second

// An Access says who may use a route.
type Access uint8

const (
	Open      Access = iota // everybody, without signing in
	Choosing                // everybody who is signed in, also before they have chosen a password of their own
	Enrolling               // everybody who is signed in, also before they have set up a required second factor
	Everyone                // everybody who is signed in
	Staff                   // technicians and administrators
	Admins                  // administrators
)

// Allows reports whether a user may use a route.
func (a Access) Allows(u *inventory.User) bool {
	switch a {
	case Open, Choosing, Enrolling, Everyone:
		return true
	case Staff:
		return u.Role == inventory.Technician || u.Role == inventory.Administrator
	}
	return u.Role == inventory.Administrator
}

// A Handler answers a request with a page or an error.
type Handler func(*Call) (*Answer, error)

// Verbs are what a path can do.
type Verbs = front.Verbs[Handler]

// Routes returns all paths of the application, below Root.
func (w *App) Routes() []front.Route { return w.Router.Routes() }

// newRouter returns what leads requests to their handlers.
func (w *App) newRouter() *front.Router[Handler] {
	all := &front.Router[Handler]{Root: Root, Otherwise: w.redirectToForm,
		Refuse: func(out http.ResponseWriter, r *http.Request, err error) {
			front.Discard(out, r)
			w.fail(out, r, err)
		}}
	all.Missing(func(out http.ResponseWriter, r *http.Request) { all.Refuse(out, r, w.Missing(r)) })
	return all
}

// Route serves a path to those who have access to it.
func (w *App) Route(pattern string, to Access, can Verbs) {
	var roles []string
	for _, role := range []string{inventory.Administrator, inventory.Technician, inventory.Requester} {
		if to != Open && to.Allows(&inventory.User{Role: role}) {
			roles = append(roles, role)
		}
	}
	w.Router.Handle(pattern, roles, can, func(out http.ResponseWriter, r *http.Request, handle Handler) {
		w.answer(out, r, to, handle)
	})
}

// passwords are the inputs of forms of which hashes are made.
var passwords = []string{"password", "old", "new", proofPassword}

// gateFor returns the gate that a request passes. A form with a password has one of
// its own, as wide as the number of hashes computed at once, so that requests waiting
// for a hash take no place from pages.
func (w *App) gateFor(c *Call) *front.Gate {
	if slices.ContainsFunc(passwords, c.Form.Has) {
		return w.proofs
	}
	return w.gate
}

// redirectToForm returns a handler that redirects from a path that only takes forms to
// the page with the form, for browsers that reload the answer to a form. It returns false
// when the path belongs to no page.
func (w *App) redirectToForm(pattern string) (handle Handler, ok bool) {
	for up := 1; ; up++ {
		at := strings.LastIndexByte(pattern, '/')
		if at <= 0 {
			return nil, false
		}
		if pattern = pattern[:at]; !w.Router.Has(pattern) {
			continue
		}
		return func(c *Call) (*Answer, error) {
			parts := strings.Split(c.URL.Path, "/")
			return c.GoTo(strings.Join(parts[:len(parts)-up], "/"))
		}, true
	}
}

// answer authorises a request, receives its form, runs the handler and sends the answer
// or error that it returns.
func (w *App) answer(out http.ResponseWriter, r *http.Request, to Access, handle Handler) {
	c := w.newCall(out, r)
	a, err := c.authorize(to)
	if a == nil && err == nil {
		front.Of(r).Begin(front.Receiving)
		if err = c.receive(); err == nil {
			a, err = w.work(c, w.gateFor(c), handle)
		}
	}
	front.Of(r).Begin(front.Writing)
	if err == nil {
		err = c.send(a)
	}
	if err != nil {
		w.fail(out, r, err)
	}
}

// errRole is the answer to a user without the role that a page requires, before the desk
// is asked. People read newWrongPage and whoMay instead of its text, which is only there
// for an error page that cannot be rendered.
var errRole = front.Fault(http.StatusForbidden, "this page is not for the role of the user")

// authorize lets somebody in whose session and role allow it; others are sent to
// sign in, or refused.
func (c *Call) authorize(to Access) (*Answer, error) {
	err := c.recognise()
	switch {
	case err != nil || to == Open:
		return nil, err
	case c.User == nil || c.Choosing && to != Choosing || c.Enrolling && to != Enrolling:
		front.Discard(c.Writer, c.Request)
		return c.toSignIn(), nil
	}
	if wait := c.App.requests.Take(c.User.Email); wait > 0 {
		return nil, front.TooMany(wait, limitRequests, "too many requests of this user")
	}
	if !to.Allows(c.User) {
		front.Discard(c.Writer, c.Request)
		return nil, errRole
	}
	return nil, nil
}

// work passes a gate and runs a handler.
func (w *App) work(c *Call, gate *front.Gate, handle Handler) (*Answer, error) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), requestTime)
	defer cancel()
	v := front.Of(c.Request)
	v.Begin(front.Waiting)
	if err := gate.Enter(ctx); err != nil {
		return nil, err
	}
	defer gate.Leave()
	v.Begin(front.Answering)
	c.ctx = store.WithUsage(ctx, &v.Database)
	a, err := c.handle(handle)
	if err != nil {
		return nil, err
	}
	return a, c.render(a)
}

// Who returns on whose behalf the desk acts for the request.
func (c *Call) Who() desk.Caller {
	return desk.Caller{
		User: c.User, Origin: "web", Session: c.Session, PlainHTTP: front.Of(c.Request).Scheme != "https",
	}
}
