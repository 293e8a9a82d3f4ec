package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/door"
	"muster/internal/inventory"
	"muster/internal/store"
)

// requestTime is how long a request may be worked on.
const requestTime = 30 * time.Second

// An access says who may come to a route.
type access uint8

const (
	open      access = iota // everybody, without signing in
	choosing                // who is signed in, also before they have chosen a password of their own
	enrolling               // who is signed in, also before they have the second factor that they must have
	everyone                // who is signed in
	staff                   // technicians and administrators
	admins                  // administrators
)

// admits reports whether a user may come to a route.
func (a access) admits(u *inventory.User) bool {
	switch a {
	case open, choosing, enrolling, everyone:
		return true
	case staff:
		return u.Role == inventory.Technician || u.Role == inventory.Administrator
	}
	return u.Role == inventory.Administrator
}

// A handler answers a request with a page or an error.
type handler func(*call) (*answer, error)

// verbs are what a path can do.
type verbs = door.Verbs[handler]

// Routes returns all paths of the application, below Root.
func (w *Web) Routes() []door.Route { return w.router.Routes() }

// newRouter returns what leads requests to their handlers.
func (w *Web) newRouter() *door.Router[handler] {
	all := &door.Router[handler]{Root: Root, Otherwise: w.above, Refuse: func(out http.ResponseWriter, r *http.Request, err error) {
		door.Discard(out, r)
		w.fail(out, r, err)
	}}
	all.Missing(func(out http.ResponseWriter, r *http.Request) { all.Refuse(out, r, w.missing(r)) })
	return all
}

// route serves a path to those who may come to it.
func (w *Web) route(pattern string, to access, can verbs) {
	var roles []string
	for _, role := range []string{inventory.Administrator, inventory.Technician, inventory.Requester} {
		if to != open && to.admits(&inventory.User{Role: role}) {
			roles = append(roles, role)
		}
	}
	w.router.Handle(pattern, roles, can, func(out http.ResponseWriter, r *http.Request, handle handler) {
		w.answer(out, r, to, handle)
	})
}

// passwords are the inputs of forms of which hashes are made.
var passwords = []string{"password", "old", "new", proofPassword}

// gateFor returns the gate that a request passes. A form with a password has one of
// its own, as wide as hashes are made at once: who waits for a hash holds no place of
// a page.
func (w *Web) gateFor(c *call) *door.Gate {
	if slices.ContainsFunc(passwords, c.form.Has) {
		return w.proofs
	}
	return w.gate
}

// above leads from a path that takes forms alone to the page that has the form:
// whoever loads the answer to a form again comes there. It is not ok when the path
// belongs to no page.
func (w *Web) above(pattern string) (handle handler, ok bool) {
	for up := 1; ; up++ {
		at := strings.LastIndexByte(pattern, '/')
		if at <= 0 {
			return nil, false
		}
		if pattern = pattern[:at]; !w.router.Has(pattern) {
			continue
		}
		return func(c *call) (*answer, error) {
			parts := strings.Split(c.URL.Path, "/")
			return c.goTo(strings.Join(parts[:len(parts)-up], "/"))
		}, true
	}
}

// answer finds out who asks, receives a form, runs a handler and sends what it
// returns.
func (w *Web) answer(out http.ResponseWriter, r *http.Request, to access, handle handler) {
	c := w.newCall(out, r)
	a, err := c.admit(to)
	if a == nil && err == nil {
		door.Of(r).Enter(door.Receiving)
		if err = c.receive(); err == nil {
			a, err = w.work(c, w.gateFor(c), handle)
		}
	}
	door.Of(r).Enter(door.Writing)
	if err == nil {
		err = c.send(a)
	}
	if err != nil {
		w.fail(out, r, err)
	}
}

// errRole is the answer to who has not the role that a page asks for.
var errRole = door.Fault(http.StatusForbidden, "this page is not for the role of the user")

// admit lets somebody in whose session and role allow it; others are sent to
// sign in, or refused.
func (c *call) admit(to access) (*answer, error) {
	err := c.recognise()
	switch {
	case err != nil || to == open:
		return nil, err
	case c.user == nil || c.choosing && to != choosing || c.enrolling && to != enrolling:
		door.Discard(c.w, c.Request)
		return c.toSignIn(), nil
	}
	if wait := c.web.requests.Take(c.user.Email); wait > 0 {
		return nil, door.TooMany(wait, limitRequests, "too many requests of this user")
	}
	if !to.admits(c.user) {
		door.Discard(c.w, c.Request)
		return nil, errRole
	}
	return nil, nil
}

// work passes a gate and runs a handler.
func (w *Web) work(c *call, gate *door.Gate, handle handler) (*answer, error) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), requestTime)
	defer cancel()
	v := door.Of(c.Request)
	v.Enter(door.Waiting)
	if err := gate.Enter(ctx); err != nil {
		return nil, err
	}
	defer gate.Leave()
	v.Enter(door.Answering)
	c.ctx = store.WithUsage(ctx, &v.Database)
	a, err := c.handle(handle)
	if err != nil {
		return nil, err
	}
	return a, c.render(a)
}

// who returns on whose behalf the desk acts for the request.
func (c *call) who() desk.Caller {
	return desk.Caller{User: c.user, Origin: "web", Session: c.session, Exposed: door.Of(c.Request).Scheme != "https"}
}

// routes are all paths of the application.
func (w *Web) routes() {
	w.route("/static/{hash}/{name}", open, verbs{"GET": (*call).sendFile})
	w.route("/signin", open, verbs{"GET": (*call).askSignIn, "POST": (*call).signIn})
	w.route("/signout", open, verbs{"POST": (*call).signOut})
	w.route("/{$}", everyone, verbs{"GET": (*call).home})
	w.shellRoutes()
	w.searchRoutes()
	w.signInCodeRoutes()
	w.profileRoutes()
	w.route(choosePath, choosing, verbs{"GET": (*call).askChoose, "POST": (*call).choose})
	w.userRoutes()
	w.tokenRoutes()
	w.accessRoutes()
	w.agentRoutes()
	w.settingRoutes()
	w.undoRoutes()
	w.ticketRoutes()
	w.suggestRoutes()
	w.portalRoutes()
	w.computerRoutes()
	w.quickRoutes()
	made := handmade()
	for _, s := range sections {
		path := "/" + s.path
		w.route(path, s.access, verbs{"GET": made.or(path, s.list)})
		w.listRoutes(s)
		to, show := s.orPortal(made.or(path+"/{id}", s.show))
		w.route(path+"/{id}", to, verbs{"GET": show})
		if made[path+"/{id}"] == nil {
			w.relationRoutes(s)
		}
		if s.add != "" {
			w.route(path+"/new", s.access, verbs{"GET": made.or(path+"/new", s.askNew), "POST": s.create})
			w.route(path+"/{id}/edit", s.access, verbs{"GET": s.askChange, "POST": s.change})
			w.route(path+"/{id}/delete", s.access, verbs{"GET": s.askDelete, "POST": s.delete})
		}
	}
	w.importRoutes()
}

// listRoutes are the paths of what a section's list offers.
func (w *Web) listRoutes(s *section) {
	w.route("/"+s.path+"/values", s.access, verbs{"GET": s.findValues})
	w.route("/"+s.path+"/look", s.access, verbs{"POST": s.keepLook})
	w.route("/"+s.path+"/views", s.access, verbs{"POST": s.saveView})
	if s.bulk != nil {
		w.route("/"+s.path+"/bulk", s.access, verbs{"GET": s.showMany, "POST": s.changeMany})
		w.route(s.undoPath(), s.access, verbs{"POST": s.undoMany})
	}
	if s.labelled() {
		w.route("/"+s.path+"/labels", s.access, verbs{"GET": s.labels, "POST": s.labels})
	}
	w.route("/"+s.path+"/export.csv", s.access, verbs{"GET": s.exportCSV})
	w.route("/"+s.path+"/export.xlsx", s.access, verbs{"GET": s.exportXLSX})
}

// pages are handlers by their path.
type pages map[string]handler

// or returns the handler of a path, or another where there is none.
func (p pages) or(path string, other handler) handler {
	if own := p[path]; own != nil {
		return own
	}
	return other
}

// handmade are the pages of sections that are made by hand.
func handmade() pages {
	return pages{
		"/tickets": (*call).listTickets, "/tickets/new": (*call).askNewTicket, "/tickets/{id}": (*call).showTicket, "/computers/{id}": (*call).showComputer, "/users/{id}": (*call).showUser,
	}
}

// portalPaths are where everybody reads the records that staff read in sections,
// by the paths of these.
var portalPaths = map[string]string{"tickets": "/requests/", "articles": "/help/"}

// orPortal returns the page of a section's records and who may come there: whom
// it is not for, but has come by a link of staff, is led to the same record in
// the self-service, which says itself what they may see.
func (s *section) orPortal(show handler) (access, handler) {
	path := portalPaths[s.path]
	if path == "" {
		return s.access, show
	}
	return everyone, func(c *call) (*answer, error) {
		if s.access.admits(c.user) {
			return show(c)
		}
		id, err := c.id(s.kind)
		if err != nil {
			return nil, err
		}
		return c.goTo(path + strconv.FormatInt(id, 10))
	}
}

// home shows the page that a person begins with.
func (c *call) home() (*answer, error) {
	if !staff.admits(c.user) {
		return c.portal()
	}
	return c.showDashboard()
}
