// Package intake receives what inventory agents post: OCS Inventory, FusionInventory and GLPI agents, and
// Muster's own. They authenticate with a token instead of a user, and are answered in the format of their
// message. A message is received at the pace of its sender, then waits for its turn to be unpacked, which may
// take much memory; an inventory is passed to the desk. The formats of reports belong in package report, and
// which computer a report belongs to in package desk/agents.
package intake

import (
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/front"
	"muster/internal/limit"
	"muster/internal/message"
	"muster/internal/report"
)

// Paths are where agents post. Below each, t and a token stand for credentials.
var Paths = []string{"/ocsinventory", "/inventory", "/front/inventory.php"}

// Config says what an Intake works with.
type Config struct {
	Front       *front.Front // through which requests come
	Desk        *desk.Desk
	Agents      *agents.Service
	Unlimited   bool // computers and tokens have no limits
	LoginLimit  int  // a fifteenth of the wrong tokens in a quarter of an hour of one address, 0 for any
	MaxRequests int  // that are worked on at the same time, 0 for as many as suit the machine
	Now         func() time.Time
	Observe     func(outcome string) // called with the outcome of each report, nil for none
}

// An Intake answers agents.
type Intake struct {
	Config
	gate     *front.Gate              // of all messages that are worked on
	readers  *front.Gate              // of those that are unpacked and read
	large    *front.Gate              // of those that take much memory before that
	shares   sync.Map                 // of the tokens in that, by their ids
	alone    *front.Gate              // of those that wait until they may be taken in alone
	vast     *front.Gate              // of those among them that take much memory
	failures *limit.Windows[string]   // of an address
	reports  *limit.Windows[int64]    // of a computer
	claims   *limit.Windows[claimant] // of a computer with a token that is not its own
	minutes  *limit.Windows[int64]    // of a token's new computers
	days     *limit.Windows[int64]    // of a token's new computers
}

// Limits: how many agents wait for their turn, and for how long, since they do not try again before their next
// run. How many large bodies are received at the same time, how many of these by one token, so that it does not
// keep other agents away, and how many are unpacked at most, whatever the number of processors, since each may
// take much memory. How many reports wait until they may be processed one at a time, which takes long; further
// ones are refused at once.
const (
	maxWaiting = 1024
	waitTime   = 30 * time.Second
	maxLarge   = 8
	maxShare   = 4
	maxReaders = 8
	maxAlone   = 16
	maxVast    = 4
)

// New returns an Intake.
func New(cfg Config) *Intake {
	gate := func(inside int) *front.Gate { return cfg.newGate(inside, maxWaiting) }
	return &Intake{
		Config: cfg, gate: gate(cfg.MaxRequests), readers: gate(min(max(2, runtime.GOMAXPROCS(0)), maxReaders)),
		large: gate(maxLarge),
		alone: cfg.newGate(maxAlone, 0), vast: cfg.newGate(maxVast, 0),
		failures: limit.NewWindows[string](15*time.Minute, cfg.Now),
		reports:  limit.NewWindows[int64](time.Minute, cfg.Now),
		claims:   limit.NewWindows[claimant](time.Minute, cfg.Now),
		minutes:  limit.NewWindows[int64](time.Minute, cfg.Now),
		days:     limit.NewWindows[int64](24*time.Hour, cfg.Now),
	}
}

// newGate returns a gate of reports.
func (cfg *Config) newGate(inside, waiting int) *front.Gate {
	return front.NewGate(front.GateConfig{
		What: "reports", Busy: message.New("the server has more reports than it can answer at the moment: " +
			"try again in a few seconds"),
		Inside: inside, Waiting: waiting, Wait: waitTime, Limit: limitAll, Log: cfg.Front.Log,
	})
}

// ofToken returns the gate of the large bodies of one token.
func (in *Intake) ofToken(id int64) *front.Gate {
	gate, known := in.shares.Load(id)
	if !known {
		gate, _ = in.shares.LoadOrStore(id, in.newGate(maxShare, maxWaiting))
	}
	return gate.(*front.Gate)
}

// Serve answers an agent.
func (in *Intake) Serve(w http.ResponseWriter, r *http.Request) {
	answer, err := in.answer(w, r)
	if err != nil {
		in.Front.Fail(w, r, translate(err))
		return
	}
	front.Of(r).Begin(front.Writing)
	write(w, http.StatusOK, answer)
}

// tryMe is the answer to people who open the address of agents in a browser.
var tryMe = message.New("Inventory agents post their reports here. " +
	"It works: configure this address in an agent, with a token of muster agent token add.")

// answer lets a message in and returns what it is answered with.
func (in *Intake) answer(w http.ResponseWriter, r *http.Request) (answer report.Answer, err error) {
	v := front.Of(r)
	route, secret, ok := split(in.Front.Inner(r.URL.Path))
	if !ok {
		front.Discard(w, r)
		return answer, front.Fault(http.StatusNotFound,
			"there is nothing here: agents post to %s, or below it to /t/ and their token", route)
	}
	v.Route = route
	if r.Method != http.MethodPost {
		front.Discard(w, r)
		return answer, &front.Error{Status: http.StatusMethodNotAllowed, Allow: http.MethodPost, Faults: []message.Text{
			tryMe,
		}}
	}
	if err := in.gate.Full(); err != nil {
		front.Discard(w, r)
		return answer, err
	}
	v.Begin(front.Authenticating)
	by, err := in.authenticate(w, r, secret)
	if err != nil {
		return answer, err
	}
	v.Own = report.XML // as most messages are, until it is known
	v.Begin(front.Receiving)
	post, err := in.receive(w, r, by)
	if err != nil {
		return answer, err
	}
	defer post.discard()
	answer, err = in.work(r, post)
	if post.key != "" {
		w.Header().Set(keyHeader, post.key)
	}
	if err == nil && r.Header.Get(keyHeader) != "" {
		w.Header().Set(outcomeHeader, v.Outcome)
	}
	return answer, err
}

// split returns the agents' path that a path is, and the token that stands below it, if one does.
func split(path string) (route, secret string, ok bool) {
	for _, route = range Paths {
		rest, found := strings.CutPrefix(path, route)
		if !found || rest != "" && rest[0] != '/' {
			continue
		}
		rest = strings.TrimSuffix(rest, "/")
		secret, below := strings.CutPrefix(rest, "/t/")
		return route, secret, rest == "" || below && secret != "" && !strings.Contains(secret, "/")
	}
	return "", "", false
}

// write sends an answer.
func write(w http.ResponseWriter, status int, answer report.Answer) {
	h := w.Header()
	h.Set("Content-Type", answer.ContentType)
	h.Set("Content-Length", strconv.Itoa(len(answer.Body)))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(answer.Body) // the agent may be gone
}
