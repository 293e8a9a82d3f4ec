// Package front is the HTTP handler in front of the applications of the server: the
// API, the web application and the intake of reports. It gives each request a number,
// finds the client's address behind proxies, answers health checks, turns panics and
// database errors into answers, and logs each request once. What the applications share
// belongs here too: the router, the gate, the pace of a body, errors. What a single
// application answers does not.
package front

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"muster/internal/message"
)

// Config says what a front needs to know.
type Config struct {
	BaseURL *url.URL                        // below whose path applications are served; nil for the root
	Proxies []netip.Prefix                  // whose forwarded headers count
	Ready   func(ctx context.Context) error // whether requests can be answered
	// Remedy says what an administrator can do about a full disk: in short for
	// clients, exactly for the log.
	Remedy func() (short message.Text, exact string)
	Now    func() time.Time
	Log    *slog.Logger

	SlowRequest time.Duration // from which a request is logged as slow, 0 for never
	Observe     func(Report)  // called after each answered request, nil for none
}

// An App answers requests, each in its own form.
type App interface {
	// Serve answers a request. It passes errors to Front.Fail.
	Serve(w http.ResponseWriter, r *http.Request)
	// WriteError writes the answer of an error, whose headers are set already.
	WriteError(w http.ResponseWriter, r *http.Request, e *Error)
}

// A Front is the handler of all requests.
type Front struct {
	Config
	below    string // the path below which all is served, "" for the root
	fallback App
	mounts   []mount
	inFlight atomic.Int64
	draining atomic.Bool
	full     fullDisk
}

// A mount is an application at a path and below it.
type mount struct {
	path string
	App
}

// New returns a front without applications.
func New(cfg Config) *Front {
	f := &Front{Config: cfg}
	if cfg.BaseURL != nil {
		f.below = strings.TrimSuffix(cfg.BaseURL.Path, "/")
	}
	return f
}

// Mount makes an application answer at paths and below them; without any, all that no
// other one answers.
func (f *Front) Mount(to App, paths ...string) {
	if len(paths) == 0 {
		f.fallback = to
	}
	for _, path := range paths {
		f.mounts = append(f.mounts, mount{path, to})
	}
}

// appOf returns the application of a request. Applications with paths of their own
// answer with and without the base path, since a proxy may ask for either. The root
// path itself is only for reading, and nothing is below it.
func (f *Front) appOf(r *http.Request) App {
	path := f.Inner(r.URL.Path)
	if path == "" && r.URL.Path != "" { // the base path itself
		path = "/"
	}
	for _, m := range f.mounts {
		switch {
		case m.path != "/" && (path == m.path || strings.HasPrefix(path, m.path+"/")),
			m.path == "/" && path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			return m.App
		}
	}
	return f.fallback
}

// Below returns the path below which all is served, "" for the root.
func (f *Front) Below() string { return f.below }

// Inner returns a path without the base path, if it is below that.
func (f *Front) Inner(path string) string { return strings.TrimPrefix(path, f.below) }

// ServeHTTP lets a request in and logs it.
func (f *Front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	v := &Info{ID: requestID(), app: f.appOf(r), watch: stopwatch{since: start}}
	f.inFlight.Add(1)
	r = r.WithContext(context.WithValue(r.Context(), contextKey{}, v))
	v.Scheme, v.Proxied = f.origin(r)
	out := &recorder{ResponseWriter: w}
	out.Header().Set("X-Request-Id", v.ID)
	out.Header().Set("X-Content-Type-Options", "nosniff")
	defer f.finish(start, r, out)
	defer f.recover(out, r)
	if check := f.Inner(r.URL.Path); check == "/healthz" || check == "/readyz" {
		v.Route = check
		f.health(out, r, check)
		return
	}
	v.app.Serve(out, r)
}

// recover turns a panic into an answer without internals.
func (f *Front) recover(w *recorder, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if p != http.ErrAbortHandler {
		f.Log.Error("panic", "id", Of(r).ID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	}
	if w.status != 0 { // a part of the answer is gone: the client must not take it for the whole
		panic(http.ErrAbortHandler)
	}
	f.refuse(w, r, internal(r))
}

// InFlight returns how many requests are being answered.
func (f *Front) InFlight() int64 { return f.inFlight.Load() }
