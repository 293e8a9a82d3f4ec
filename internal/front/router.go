package front

import (
	"net/http"
	"slices"
	"strings"
)

// A Route is a path that is served.
type Route struct {
	Path  string   // ids are {id}
	Allow string   // its methods, as the Allow header names them
	Roles []string // that may come here, nil for everybody
}

// Verbs are what answers at a path, by methods. GET includes HEAD.
type Verbs[H any] map[string]H

// allow returns the value of the Allow header.
func (v Verbs[H]) allow(also ...string) string {
	var names []string
	for _, method := range []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete,
	} {
		of := method
		if method == http.MethodHead {
			of = http.MethodGet
		}
		if _, can := v[of]; can {
			names = append(names, method)
		}
	}
	return strings.Join(append(names, also...), ", ")
}

// A Router leads requests to what answers them, by their paths and methods.
type Router[H any] struct {
	Root    string // before all paths, as logs name them
	Options bool   // OPTIONS is answered everywhere
	Refuse  func(w http.ResponseWriter, r *http.Request, err error)

	// Narrow says what a request may do of what its path can, and adds to the
	// refusal of the rest. Nil is all.
	Narrow func(r *http.Request, can Verbs[H]) (Verbs[H], string)
	// Otherwise returns what answers GET at a path that cannot, if something does.
	Otherwise func(pattern string) (handle H, ok bool)

	mux    http.ServeMux
	routes []Route
}

// Routes returns all paths.
func (t *Router[H]) Routes() []Route { return slices.Clone(t.routes) }

// Has reports whether a path is served for reading.
func (t *Router[H]) Has(pattern string) bool {
	return slices.ContainsFunc(t.routes, func(r Route) bool {
		return r.Path == pattern && strings.HasPrefix(r.Allow, http.MethodGet)
	})
}

// ServeHTTP leads a request to its path.
func (t *Router[H]) ServeHTTP(w http.ResponseWriter, r *http.Request) { t.mux.ServeHTTP(w, r) }

// Handler returns what answers a request, and the path that it was found by, as a
// mux does.
func (t *Router[H]) Handler(r *http.Request) (http.Handler, string) { return t.mux.Handler(r) }

// Missing says what answers where no path is.
func (t *Router[H]) Missing(answer http.HandlerFunc) { t.mux.HandleFunc("/", answer) }

// Handle serves a path: answer runs what its verbs have for the method.
func (t *Router[H]) Handle(pattern string, roles []string, can Verbs[H], answer func(http.ResponseWriter,
	*http.Request, H)) {
	t.routes = append(t.routes, Route{pattern, can.allow(t.also()...), roles})
	t.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		Of(r).Route = t.Root + pattern
		can, hint := can, ""
		if t.Narrow != nil {
			can, hint = t.Narrow(r, can)
		}
		handle, ok := t.find(pattern, r.Method, can)
		switch {
		case ok:
			answer(w, r, handle)
		case t.Options && r.Method == http.MethodOptions:
			w.Header().Set("Allow", can.allow(t.also()...))
			w.WriteHeader(http.StatusNoContent)
		default:
			allow := can.allow(t.also()...)
			refusal := Fault(http.StatusMethodNotAllowed, "%s is not possible here, only %s", r.Method, allow+hint)
			refusal.Allow = allow
			t.Refuse(w, r, refusal)
		}
	})
}

// also are the methods that every path has besides its own.
func (t *Router[H]) also() []string {
	if t.Options {
		return []string{http.MethodOptions}
	}
	return nil
}

// find returns what answers a method.
func (t *Router[H]) find(pattern, method string, can Verbs[H]) (handle H, ok bool) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	handle, ok = can[method]
	if !ok && method == http.MethodGet && t.Otherwise != nil {
		return t.Otherwise(pattern)
	}
	return handle, ok
}
