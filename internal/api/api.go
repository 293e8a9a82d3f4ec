// Package api serves the v1 contract: documents of the desk's records behind
// digest authentication, XML and for reading also JSON. A request passes the doors in Handler (host,
// credentials, limits), then its path, format and version are read, and one
// handler for all kinds answers it with a document or an error.
package api

import (
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"muster/internal/desk"
	"muster/internal/digest"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// Config says what an API serves.
type Config struct {
	Desk       *desk.Desk
	Kinds      []*kind.Schema         // in the order of the entry point
	Digest     *digest.Server         // whose secrets are the desk's
	BaseURL    *url.URL               // of all addresses; nil takes the request's
	Hosts      func() []string        // names and addresses that the certificate carries
	Vouched    func(name string) bool // whether another than the local authority vouches for a name
	HSTS       string                 // what Strict-Transport-Security says, "" for nothing
	AllowHosts []string               // further names and addresses under which the server is reached
	Proxies    []netip.Prefix         // whose forwarded headers count
	RateLimit  int                    // requests a second of one user, 0 for any
	LoginLimit int                    // failed logins a minute of one user from one address, 0 for any
	// Remedy says what an administrator can do about a full disk: in short for
	// clients, exactly for the log.
	Remedy func() (short, exact string)
	Now    func() time.Time
	Log    *slog.Logger

	SlowRequest time.Duration // from which a request is logged as slow, 0 for never
	Observe     func(Report)  // told of each request that was answered, nil for nobody
	MaxRequests int           // that are worked on at the same time, 0 for as many as suit the machine
}

// An API serves requests.
type API struct {
	Config
	mux      *http.ServeMux
	served   []Route
	base     string // of all addresses, "" when it is the request's
	below    string // the path below which all is served, "" for the root
	requests *requestLimiter
	failures *failureLimiter
	gate     *gate
	origins  *http.CrossOriginProtection
	inFlight atomic.Int64
	full     fullDisk
}

// New returns the API.
func New(cfg Config) *API {
	a := &API{
		Config: cfg, mux: http.NewServeMux(), origins: http.NewCrossOriginProtection(),
		requests: newRequestLimiter(cfg.RateLimit, cfg.Now),
		failures: newFailureLimiter(cfg.LoginLimit, cfg.Now),
		gate:     newGate(cfg.MaxRequests, cfg.Log),
	}
	if cfg.BaseURL != nil {
		a.base = strings.TrimSuffix(cfg.BaseURL.String(), "/")
		a.below = strings.TrimSuffix(cfg.BaseURL.Path, "/")
	}
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
		for _, r := range desk.Relations(k.Stored()) {
			a.relate(path+"/{parent}/"+r.Name, related{collection{a, inventory.Below(k, r.Kind)}, r, k})
		}
	}
	a.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		a.fail(w, r, notFound(r))
	})
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
	return c.document(http.StatusOK, func(b []byte) []byte { return kind.AppendServices(b, c.format, services) }), nil
}

// baseOf returns the address that those in documents begin with. The request's
// host was checked.
func (a *API) baseOf(r *http.Request) string {
	if a.base != "" {
		return a.base
	}
	return visitOf(r).scheme + "://" + r.Host
}
