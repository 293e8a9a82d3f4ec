package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/net/netutil"

	"muster/internal/agentsetup"
	"muster/internal/cert"
	"muster/internal/front"
	"muster/internal/store"
)

// An observer serves metrics at /metrics and profiles of the running program
// below /debug/pprof/, on a listener of its own. On a loopback address it needs
// no token. On any other it asks for one, speaks TLS as the server does, and
// has no profiles, which show what the program has in memory. A nil observer
// does nothing.
type observer struct {
	metrics  *metrics
	local    bool // it listens on a loopback address
	listener net.Listener
	http     *http.Server
}

// mostObservers is how many connections it has at most, so that strangers on the
// network take no more of the machine.
const mostObservers = 64

// observeTime is how long an answer to another machine may take.
const observeTime = time.Minute

// newObserver returns the observer of a configuration, nil when none is asked
// for.
func newObserver(cfg *Config) (*observer, error) {
	if cfg.Observe == "" {
		return nil, cfg.unobserved()
	}
	local, err := isLocal(cfg.Observe)
	if err != nil {
		return nil, err
	}
	token, err := cfg.observeToken()
	if err != nil {
		return nil, err
	}
	if !local && token == "" {
		return nil, fmt.Errorf("--observe %s is refused: other machines could reach it, and it has no token; "+
			"set the variable %s, name a file with --observe-token-file, or give a loopback address such as 127.0.0.1:9464",
			cfg.Observe, ObserveTokenVariable)
	}
	o := &observer{metrics: newMetrics(cfg.Version), local: local}
	handler := o.routes()
	if token != "" {
		handler = o.onlyWith(token, handler)
	}
	if local {
		handler = onlyLocal(handler)
	}
	o.http = &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(&lineLogger{cfg.Log}, "", 0),
	}
	if !local {
		o.http.ReadTimeout, o.http.WriteTimeout = observeTime, observeTime
	}
	return o, nil
}

// isLocal reports whether only this machine reaches an address.
func isLocal(address string) (bool, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false, fmt.Errorf("--observe %s is no address such as 127.0.0.1:9464: %w", address, err)
	}
	return agentsetup.IsLoopback(host), nil
}

// requests returns the function that is called after each request, nil for none.
func (o *observer) requests() func(front.Report) {
	if o == nil {
		return nil
	}
	return o.metrics.request
}

// reports returns the function that is called after each agent's report, nil for none.
func (o *observer) reports() func(outcome string) {
	if o == nil {
		return nil
	}
	return o.metrics.report
}

// transactions returns the function that is called after each transaction, nil for none.
func (o *observer) transactions() func(store.Transaction) {
	if o == nil {
		return nil
	}
	return o.metrics.transaction
}

// watch makes metrics of a server that is about to serve.
func (o *observer) watch(s *Server, p *Place) {
	if o != nil {
		o.metrics.watchServer(s, p)
		o.metrics.watchStore(s.installation.store, p)
		o.metrics.registry.MustRegister(&jobMetrics{s.installation.jobs})
		o.metrics.watchBackups(s.installation.backups, p.Now)
	}
}

// listen opens the listener. For other machines it speaks TLS with a
// certificate, unless there is none.
func (o *observer) listen(address string, source *cert.Source) (err error) {
	if o == nil {
		return nil
	}
	if o.listener, err = net.Listen("tcp", address); err != nil {
		return fmt.Errorf("%w; choose another address with --observe", err)
	}
	// "localhost" is what the machine says it is
	if ip, ok := o.listener.Addr().(*net.TCPAddr); o.local && (!ok || !ip.IP.IsLoopback()) {
		return errors.Join(fmt.Errorf("--observe %s: this is %s here, which is no loopback address", address,
			o.listener.Addr()), o.listener.Close())
	}
	o.listener = netutil.LimitListener(o.listener, mostObservers)
	if !o.local && source != nil {
		o.listener = tls.NewListener(o.listener,
			&tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: source.Certificate})
	}
	return nil
}

// routes are all paths of the observer.
func (o *observer) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", o.metrics.handler())
	if !o.local {
		mux.HandleFunc("/debug/pprof/", refuseProfiles)
		return mux
	}
	mux.HandleFunc("GET /debug/pprof/", pprof.Index) // and the profiles that it lists
	mux.HandleFunc("GET /debug/pprof/cmdline", showProgram)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

// refuseProfiles says where profiles are.
func refuseProfiles(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "profiles are served on a loopback address only: --observe 127.0.0.1:9464", http.StatusForbidden)
}

// showProgram answers with the program's name, without its arguments, which may
// contain a password.
func showProgram(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, filepath.Base(os.Args[0]))
}

// onlyLocal refuses requests for another host: a page of another site can make
// a browser on this machine ask under a name that it has turned to loopback.
func onlyLocal(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = strings.Trim(r.Host, "[]")
		}
		if !agentsetup.IsLoopback(host) {
			http.Error(w, "only for this machine itself: ask by a loopback address", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// serve answers until the observer is closed.
func (o *observer) serve() {
	if o != nil {
		_ = o.http.Serve(o.listener)
	}
}

// close ends it at once: a profile under way may take minutes.
func (o *observer) close() {
	if o == nil {
		return
	}
	_ = o.http.Close()
	if o.listener != nil { // which http knows only once it serves
		_ = o.listener.Close()
	}
}

// ObserveAddress returns the host and port of metrics and profiles, "" when
// they are not served.
func (s *Server) ObserveAddress() string {
	if s.observer == nil {
		return ""
	}
	return s.observer.listener.Addr().String()
}
