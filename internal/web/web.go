// Package web serves the online application: pages over the desk's records, for
// people who sign in with a password. A request passes the doors in Serve (host,
// origin, session, limits), then one handler answers it with a page. Lists,
// records and forms follow from the declarations of the kinds; the pages where
// people spend their day are made by hand on top. All that is read or changed
// goes through the desk, so rights, rules and audit are those of the API.
package web

import (
	"embed"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/door"
	"muster/internal/kind"
	"muster/internal/limit"
	"muster/internal/message"
	"muster/internal/pointing"
)

// Root is where the application lives; the bare address of the server leads there.
const Root = "/app"

// Paths are those at which the application answers.
var Paths = []string{Root, "/"}

//go:embed templates static
var assets embed.FS

// Config says what an application works with.
type Config struct {
	Door        *door.Door // through which requests come
	Desk        *desk.Desk
	Hosts       *door.Hosts                      // under which it is reached
	Version     string                           // of the program
	Access      func() (*pointing.Access, error) // where agents reach the server
	RateLimit   int                              // requests a second of one user, 0 for any
	Guesses     *limit.Guesses                   // of passwords, also those of the API
	MaxRequests int                              // that are worked on at the same time, 0 for as many as suit the machine
	MaxWait     time.Duration                    // of others for their turn
	Stopping    <-chan struct{}                  // is closed when the server stops
	Now         func() time.Time
}

// A Web is the application.
type Web struct {
	Config
	site
	router   *door.Router[handler]
	files    *files
	begun    time.Time // when it was made
	tongues  tongues
	requests *limit.Rate
	gate     *door.Gate // of pages
	proofs   *door.Gate // of forms with a password, see gateFor
	live     livePages
	// receivers read the forms that are posted to a path with a file in them.
	receivers map[string]func(*call) error
	origins   *http.CrossOriginProtection
}

// maxWaiting is how many requests wait for their turn beside those that are worked on,
// and proofWait how many times longer those with a password may do so.
const (
	maxWaiting = 256
	proofWait  = 5
)

// A site is what an application shows besides its pages.
type site struct {
	assets fs.FS    // templates, and the files that pages load
	places []*place // in the order of the navigation
	nav    navigation
}

// New returns the application.
func New(cfg Config) *Web {
	all := site{assets: assets, nav: menus()}
	for _, s := range sections {
		all.places = append(all.places, &s.place)
	}
	w := newWeb(cfg, all)
	w.routes()
	return w
}

// newWeb returns an application without pages.
func newWeb(cfg Config, all site) *Web {
	w := &Web{
		Config: cfg, site: all, begun: cfg.Now(), origins: http.NewCrossOriginProtection(),
		requests:  limit.NewRate(cfg.RateLimit, cfg.Now),
		receivers: map[string]func(*call) error{},
		gate: door.NewGate(door.GateConfig{
			What: "requests for pages", Busy: message.New("the server has more requests for pages than it can answer at the moment: try again in a few seconds"),
			Inside: cfg.MaxRequests, Waiting: maxWaiting, Wait: cfg.MaxWait, Limit: limitRoom, Log: cfg.Door.Log,
		}),
		proofs: door.NewGate(door.GateConfig{
			What: "sign-ins", Busy: message.New("the server has more sign-ins than it can answer at the moment: try again in a few seconds"),
			Inside: desk.HashesAtOnce(), Waiting: maxWaiting, Wait: proofWait * cfg.MaxWait, Limit: limitProofs, Log: cfg.Door.Log,
		}),
	}
	w.files = newFiles(all.assets, w.at("/static/"))
	w.templatesOf(w.tongue(nil, nil)) // so that templates fail now, if they do
	w.router = w.newRouter()
	return w
}

// at returns the address of a path of the application.
func (w *Web) at(path string) string { return w.Door.Below() + Root + path }

// Serve lets a request in: the doors come first, then its route.
func (w *Web) Serve(out http.ResponseWriter, r *http.Request) {
	if err := w.gate.Full(); err != nil {
		door.Discard(out, r)
		w.fail(out, r, err)
		return
	}
	door.Of(r).Enter(door.Authenticating)
	err := w.Hosts.Check(r)
	if err == nil {
		w.Hosts.Secure(out.Header(), r)
		err = w.origins.Check(r)
		if err != nil {
			door.Discard(out, r)
			err = door.Fault(http.StatusForbidden, "a page of another site may not change records")
		}
	}
	if err != nil {
		w.fail(out, r, err)
		return
	}
	w.serve(out, r)
}

// serve hands a request to its route, by its path below the application's own.
func (w *Web) serve(out http.ResponseWriter, r *http.Request) {
	inner := w.Door.Inner(r.URL.Path)
	rest, below := strings.CutPrefix(inner, Root)
	switch {
	case !below || rest == "": // the bare address
		http.Redirect(out, r, w.at("/"), http.StatusSeeOther)
		return
	case path.Clean(rest) != rest && path.Clean(rest)+"/" != rest, strings.Contains(strings.ToLower(r.URL.RawPath), "%2f"):
		w.fail(out, r, w.missing(r))
		return
	}
	w.router.ServeHTTP(out, bare(r, rest))
}

// bare returns a request for another path.
func bare(r *http.Request, path string) *http.Request {
	other := *r
	address := *r.URL
	address.Path, address.RawPath = path, ""
	other.URL = &address
	return &other
}

// missing is the error of an address where nothing is.
func (w *Web) missing(r *http.Request) error {
	return door.Fault(http.StatusNotFound, "there is nothing at %s", r.URL.Path)
}

// Limits that refuse a request, as reports name them.
const (
	limitAddress  = "sign_ins_of_address"
	limitSignIns  = "sign_ins_of_user"
	limitRequests = "pages_of_user"
	limitRoom     = "pages_of_all"
	limitProofs   = "sign_ins_of_all"
	limitLive     = "live_pages"
	limitImports  = "imports"
)

// Limits are the names of all limits in reports.
var Limits = []string{limitAddress, limitSignIns, limitRequests, limitRoom, limitProofs, limitLive, limitImports}

// translate is the table from people's mistakes to answers. What is not in it is
// left as it is.
func translate(err error) error {
	if e, ok := errors.AsType[*desk.Error](err); ok {
		return &door.Error{Status: statusOf(e.Code), Faults: []message.Text{e.Text}, Cause: e}
	}
	if e, ok := errors.AsType[*desk.StepUp](err); ok {
		return &door.Error{Status: http.StatusForbidden, Faults: []message.Text{message.Plain(e.Error())}}
	}
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return &door.Error{Status: http.StatusUnprocessableEntity, Faults: e.Faults}
	}
	if e, ok := errors.AsType[*kind.BadQuery](err); ok {
		return &door.Error{Status: http.StatusBadRequest, Faults: []message.Text{e.Text}}
	}
	return err
}

// statusOf returns the status of a refusal by the desk.
func statusOf(code desk.Code) int {
	switch code {
	case desk.NotFound:
		return http.StatusNotFound
	case desk.Conflict, desk.Running, desk.Changed:
		return http.StatusConflict
	}
	return http.StatusForbidden
}

// fail answers with an error.
func (w *Web) fail(out http.ResponseWriter, r *http.Request, err error) {
	w.Door.Fail(out, r, translate(err))
}
