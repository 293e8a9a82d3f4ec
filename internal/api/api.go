// Package api serves the v1 contract: the desk's records as documents behind digest
// authentication, XML and for reading also JSON. Serve checks host, credentials and
// limits; then path, format and version are read, and one handler for all kinds answers
// with a document or an error. Rights and rules of records belong in package desk, what
// all applications share in package front.
package api

import (
	"net/http"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/desk/agents"
	"muster/internal/desk/merge"
	"muster/internal/digest"
	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/limit"
	"muster/internal/message"
)

// Config says what an API serves.
type Config struct {
	Front     *front.Front // through which requests come
	Desk      *desk.Desk
	Access    *access.Service
	Agents    *agents.Service
	Merges    *merge.Service
	Kinds     []*kind.Schema // in the order of the entry point
	Digest    *digest.Server // whose secrets are the desk's
	Hosts     *front.Hosts   // under which it is reached
	RateLimit int            // requests a second of one user, 0 for any
	Guesses   *limit.Guesses // of passwords, also those of the web application
	Pages     string         // the path of the web application
	Now       func() time.Time

	MaxRequests int           // that are worked on at the same time, 0 for as many as suit the machine
	MaxWait     time.Duration // of others for their turn
}

// An API serves requests.
type API struct {
	Config
	router   *front.Router[handler]
	requests *limit.Rate
	gate     *front.Gate
	origins  *http.CrossOriginProtection
	listings listings
}

// maxWaiting is how many requests wait for their turn beside those that are worked on.
const maxWaiting = 256

// New returns the API.
func New(cfg Config) *API {
	a := &API{
		Config: cfg, origins: http.NewCrossOriginProtection(),
		requests: limit.NewRate(cfg.RateLimit, cfg.Now),
		gate: front.NewGate(front.GateConfig{
			What: "requests", Busy: message.New("the server has more requests than it can answer at the moment: " +
				"try again in a few seconds"),
			Inside: cfg.MaxRequests, Waiting: maxWaiting, Wait: cfg.MaxWait, Limit: limitAll, Log: cfg.Front.Log,
		}),
	}
	a.router = a.newRouter()
	a.routes()
	return a
}

// routes are all paths of the API. Each works with and without an extension.
func (a *API) routes() {
	a.route("/api", verbs{"GET": a.services})
	for _, k := range a.Kinds {
		c, path := collection{a, k}, "/"+k.Path()
		all, one := verbs{"GET": c.list}, verbs{"GET": c.get}
		if !k.Given {
			all["POST"], one["PUT"], one["DELETE"] = c.create, c.update, c.delete
		}
		a.route(path, all)
		a.route(path+"/{id}", one)
		if k == inventory.Computers.Schema {
			a.route(path+"/{id}/merge", verbs{"POST": c.merge})
			a.route(path+"/{id}/split", verbs{"POST": c.split})
		}
		if k == inventory.AgentClaims.Schema {
			a.route(path+"/{id}/accept", verbs{"POST": c.answerClaim(a.Agents.AcceptClaim)})
			a.route(path+"/{id}/refuse", verbs{"POST": c.answerClaim(a.Agents.RefuseClaim)})
		}
		if k == inventory.Audits.Schema {
			a.route(path+"/{parent}/changes", verbs{"GET": c.changes})
		}
		for _, r := range desk.Relations(k.Stored()) {
			a.relate(path+"/{parent}/"+r.Name, related{collection{a, inventory.Below(k, r.Kind)}, r, k})
		}
	}
	a.accessRoutes()
	a.router.Missing(func(w http.ResponseWriter, r *http.Request) { a.fail(w, r, notFound(r)) })
}

// relate registers the paths of a list that belongs to a record.
func (a *API) relate(path string, r related) {
	all := verbs{"GET": r.list}
	if r.Creates() {
		all["POST"] = r.create
	}
	a.route(path, all)
	if r.Single {
		one := verbs{"GET": r.get}
		if r.Ties() {
			one["DELETE"] = r.delete
		}
		a.route(path+"/{id}", one)
	}
}

// services answers with the entry-point document.
func (a *API) services(c *call) (*answer, error) {
	if err := noQuery(c); err != nil {
		return nil, err
	}
	var services []kind.Service
	for _, k := range a.Kinds {
		services = append(services, kind.Service{Href: c.base + "/" + k.Path() + c.format.Extension(), Name: k.Title})
	}
	body := c.write(func(b []byte) []byte { return kind.AppendServices(b, c.format, services) })
	return &answer{status: http.StatusOK, body: body}, nil
}

// Load returns which requests are worked on.
func (a *API) Load() front.Load { return a.gate.Load() }
