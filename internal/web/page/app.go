package page

import (
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"muster/internal/agentsetup"
	"muster/internal/argon"
	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/desk/agents"
	"muster/internal/desk/backup"
	"muster/internal/desk/bulk"
	"muster/internal/desk/exports"
	"muster/internal/desk/imports"
	"muster/internal/desk/jobs"
	"muster/internal/desk/merge"
	"muster/internal/desk/trail"
	"muster/internal/front"
	"muster/internal/kind"
	"muster/internal/limit"
	"muster/internal/message"
	"muster/internal/store/queue"
)

// Root is where the application lives; the bare address of the server leads there.
const Root = "/app"

// Paths are those at which the application answers.
var Paths = []string{Root, "/"}

// Config says what an application works with.
type Config struct {
	Front       *front.Front // through which requests come
	Desk        *desk.Desk
	Access      *access.Service
	Agents      *agents.Service
	Merges      *merge.Service
	Kinds       []*kind.Schema // that have pages, those that the API serves
	Bulks       *bulk.Service
	Imports     *imports.Service
	Exports     *exports.Service
	Backups     *backup.Service
	Jobs        *jobs.Service
	Verifier    *trail.Verifier
	Hosts       *front.Hosts                       // under which it is reached
	Version     string                             // of the program
	AgentAccess func() (*agentsetup.Access, error) // where agents reach the server
	RateLimit   int                                // requests a second of one user, 0 for any
	Guesses     *limit.Guesses                     // of passwords, also those of the API
	// that are worked on at the same time, 0 for as many as suit the machine
	MaxRequests int
	MaxWait     time.Duration   // of others for their turn
	Stopping    <-chan struct{} // is closed when the server stops
	Now         func() time.Time
}

// An App is the application.
type App struct {
	Config
	Site
	Router   *front.Router[Handler]
	files    *files
	Begun    time.Time // when it was made
	locales  localeCache
	requests *limit.Rate
	gate     *front.Gate // of pages
	proofs   *front.Gate // of forms with a password, see App.gateFor
	Live     livePages
	// Receivers read the forms that are posted to a path with a file in them.
	Receivers map[string]func(*Call) error
	// JobResults return the page that shows what becomes of a job, by handlers.
	JobResults map[string]func(*queue.Job) string
	origins    *http.CrossOriginProtection
}

// maxWaiting is how many requests wait for their turn beside those that are worked on,
// and proofWait how many times longer those with a password may do so.
const (
	maxWaiting = 256
	proofWait  = 5
)

// A Site is what an application shows besides its pages.
type Site struct {
	Assets fs.FS    // templates, and the files that pages load
	Places []*Place // in the order of the navigation
	Nav    Navigation
	// Sections are the places with what package records knows of them, which this
	// package only keeps.
	Sections any
}

// New returns an application without pages.
func New(cfg Config, all Site) *App {
	w := &App{
		Config: cfg, Site: all, Begun: cfg.Now(), origins: http.NewCrossOriginProtection(),
		requests:  limit.NewRate(cfg.RateLimit, cfg.Now),
		Receivers: map[string]func(*Call) error{}, JobResults: map[string]func(*queue.Job) string{},
		gate: front.NewGate(front.GateConfig{
			What:   "requests for pages",
			Busy:   message.New("the server has more requests for pages than it can answer at the moment: try again in a few seconds"),
			Inside: cfg.MaxRequests, Waiting: maxWaiting, Wait: cfg.MaxWait, Limit: limitAll, Log: cfg.Front.Log,
		}),
		proofs: front.NewGate(front.GateConfig{
			What: "sign-ins", Busy: message.New("the server has more sign-ins than it can answer at the moment: try again in a few seconds"),
			Inside: argon.AtOnce(), Waiting: maxWaiting, Wait: proofWait * cfg.MaxWait, Limit: limitProofs,
			Log: cfg.Front.Log,
		}),
	}
	w.files = newFiles(all.Assets, w.At("/static/"))
	w.templatesOf(w.locale(nil, nil)) // so that templates fail now, if they do
	w.Router = w.newRouter()
	return w
}

// At returns the address of a path of the application.
func (w *App) At(path string) string { return w.Front.Below() + Root + path }

// Serve lets a request in: the doors come first, then its route.
func (w *App) Serve(out http.ResponseWriter, r *http.Request) {
	if err := w.gate.Full(); err != nil {
		front.Discard(out, r)
		w.fail(out, r, err)
		return
	}
	front.Of(r).Begin(front.Authenticating)
	err := w.Hosts.Check(r)
	if err == nil {
		w.Hosts.Secure(out.Header(), r)
		err = w.origins.Check(r)
		if err != nil {
			front.Discard(out, r)
			err = front.Fault(http.StatusForbidden, "a page of another site may not change records")
		}
	}
	if err != nil {
		w.fail(out, r, err)
		return
	}
	w.serve(out, r)
}

// serve hands a request to its route, by its path below the application's own.
func (w *App) serve(out http.ResponseWriter, r *http.Request) {
	inner := w.Front.Inner(r.URL.Path)
	rest, below := strings.CutPrefix(inner, Root)
	switch {
	case !below || rest == "": // the bare address
		http.Redirect(out, r, w.At("/"), http.StatusSeeOther)
		return
	case path.Clean(rest) != rest && path.Clean(rest)+"/" != rest,
		strings.Contains(strings.ToLower(r.URL.RawPath), "%2f"):
		w.fail(out, r, w.Missing(r))
		return
	}
	w.Router.ServeHTTP(out, bare(r, rest))
}

// bare returns a request for another path.
func bare(r *http.Request, path string) *http.Request {
	other := *r
	address := *r.URL
	address.Path, address.RawPath = path, ""
	other.URL = &address
	return &other
}

// Missing is the error of an address where nothing is.
func (w *App) Missing(r *http.Request) error {
	return front.Fault(http.StatusNotFound, "there is nothing at %s", r.URL.Path)
}

// Limits that refuse a request, as reports name them.
const (
	limitAddress  = "sign_ins_of_address"
	limitSignIns  = "sign_ins_of_user"
	limitRequests = "pages_of_user"
	limitAll      = "pages_of_all"
	limitProofs   = "sign_ins_of_all"
	LimitLive     = "live_pages"
	LimitImports  = "imports"
)

// Limits are the names of all limits in reports.
var Limits = []string{limitAddress, limitSignIns, limitRequests, limitAll, limitProofs, LimitLive, LimitImports}

// Translate is the table from people's mistakes to answers. What is not in it is
// left as it is.
func Translate(err error) error {
	if e, ok := errors.AsType[*desk.Error](err); ok {
		return &front.Error{Status: statusOf(e.Code), Faults: []message.Text{e.Text}, Cause: e}
	}
	if e, ok := errors.AsType[*desk.StepUp](err); ok {
		return &front.Error{Status: http.StatusForbidden, Faults: []message.Text{message.Plain(e.Error())}}
	}
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return &front.Error{Status: http.StatusUnprocessableEntity, Faults: e.Faults}
	}
	if e, ok := errors.AsType[*kind.BadQuery](err); ok {
		return &front.Error{Status: http.StatusBadRequest, Faults: []message.Text{e.Text}}
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
func (w *App) fail(out http.ResponseWriter, r *http.Request, err error) {
	w.Front.Fail(out, r, Translate(err))
}
