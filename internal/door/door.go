// Package door is what every request passes, whichever room of the server it
// comes to. It gives a request its number, finds out where it comes from behind
// proxies, answers those who watch the service, turns panics and the database's
// errors into answers, and logs each request once. What rooms share besides is
// here too: the gate, the pace of a body, the way in which one is refused.
package door

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

// Config says what a door needs to know.
type Config struct {
	BaseURL *url.URL                        // below whose path rooms are served; nil for the root
	Proxies []netip.Prefix                  // whose forwarded headers count
	Ready   func(ctx context.Context) error // whether requests can be answered
	// Remedy says what an administrator can do about a full disk: in short for
	// clients, exactly for the log.
	Remedy func() (short message.Text, exact string)
	Now    func() time.Time
	Log    *slog.Logger

	SlowRequest time.Duration // from which a request is logged as slow, 0 for never
	Observe     func(Report)  // told of each request that was answered, nil for nobody
}

// A Room is what a request comes to. It answers each in its own form.
type Room interface {
	// Serve answers a request; what it cannot answer it hands to Door.Fail.
	Serve(w http.ResponseWriter, r *http.Request)
	// Refuse writes the answer of an error, whose headers are set already.
	Refuse(w http.ResponseWriter, r *http.Request, e *Error)
}

// A Door lets requests in.
type Door struct {
	Config
	below    string // the path below which all is served, "" for the root
	hall     Room
	rooms    []room
	inFlight atomic.Int64
	full     fullDisk
}

// A room is what answers at a path and below it.
type room struct {
	path string
	Room
}

// New returns a door without rooms.
func New(cfg Config) *Door {
	d := &Door{Config: cfg}
	if cfg.BaseURL != nil {
		d.below = strings.TrimSuffix(cfg.BaseURL.Path, "/")
	}
	return d
}

// Open makes a room answer at paths and below them; without any, all that no
// other room answers.
func (d *Door) Open(to Room, paths ...string) {
	if len(paths) == 0 {
		d.hall = to
	}
	for _, path := range paths {
		d.rooms = append(d.rooms, room{path, to})
	}
}

// roomOf returns the room of a request. Rooms with paths of their own answer
// below the base path and beside it, as a proxy may ask. The bare address is
// that of a room for reading alone, and nothing is below it.
func (d *Door) roomOf(r *http.Request) Room {
	path := d.Inner(r.URL.Path)
	if path == "" && r.URL.Path != "" { // the base path itself
		path = "/"
	}
	for _, room := range d.rooms {
		switch {
		case room.path != "/" && (path == room.path || strings.HasPrefix(path, room.path+"/")),
			room.path == "/" && path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			return room.Room
		}
	}
	return d.hall
}

// Below returns the path below which all is served, "" for the root.
func (d *Door) Below() string { return d.below }

// Inner returns a path without the base path, if it is below that.
func (d *Door) Inner(path string) string { return strings.TrimPrefix(path, d.below) }

// ServeHTTP lets a request in and logs it.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	v := &Visit{ID: requestID(), room: d.roomOf(r), watch: stopwatch{since: start}}
	d.inFlight.Add(1)
	r = r.WithContext(context.WithValue(r.Context(), contextKey{}, v))
	v.Scheme, v.Proxied = d.origin(r)
	out := &recorder{ResponseWriter: w}
	out.Header().Set("X-Request-Id", v.ID)
	out.Header().Set("X-Content-Type-Options", "nosniff")
	defer d.finish(start, r, out)
	defer d.recover(out, r)
	if check := d.Inner(r.URL.Path); check == "/healthz" || check == "/readyz" {
		v.Route = check
		d.health(out, r, check)
		return
	}
	v.room.Serve(out, r)
}

// health answers those who watch the service: /healthz tells that the program
// runs, /readyz that it can answer requests.
func (d *Door) health(w http.ResponseWriter, r *http.Request, check string) {
	status, text := http.StatusOK, "ok\n"
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		status, text = http.StatusMethodNotAllowed, "only GET and HEAD\n"
	case check == "/readyz":
		if err := d.Ready(r.Context()); err != nil {
			d.Log.Warn("not ready", "error", err)
			status, text = http.StatusServiceUnavailable, "the database is not available\n"
		} else if d.full.recent(d.Now()) {
			text = "ok, but a change has just found the disk of the database full\n"
		}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // the client may be gone
}

// recover turns a panic into an answer without internals.
func (d *Door) recover(w *recorder, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if p != http.ErrAbortHandler {
		d.Log.Error("panic", "id", Of(r).ID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	}
	if w.status != 0 { // a part of the answer is gone: the client must not take it for the whole
		panic(http.ErrAbortHandler)
	}
	d.refuse(w, r, internal(r))
}

// InFlight returns how many requests are being answered.
func (d *Door) InFlight() int64 { return d.inFlight.Load() }
