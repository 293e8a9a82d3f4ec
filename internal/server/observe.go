package server

import (
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

	"muster/internal/agentsetup"
	"muster/internal/front"
	"muster/internal/store"
)

// An observer serves what only those on this machine may see, on a listener of
// its own: metrics at /metrics, profiles of the running program below
// /debug/pprof/. They need no password, and a profile shows what the program
// has in memory, so it listens on loopback addresses only. A nil observer does
// nothing.
type observer struct {
	metrics  *metrics
	listener net.Listener
	http     *http.Server
}

// newObserver returns the observer of a configuration, nil when none is asked
// for.
func newObserver(cfg *Config) (*observer, error) {
	if cfg.Observe == "" {
		return nil, nil
	}
	if err := checkLoopback(cfg.Observe); err != nil {
		return nil, err
	}
	o := &observer{metrics: newMetrics(cfg.Version)}
	o.http = &http.Server{
		Handler: onlyLocal(o.routes()), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(&lineLogger{cfg.Log}, "", 0),
	}
	return o, nil
}

// checkLoopback refuses addresses that other machines could reach.
func checkLoopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("--observe %s is no address such as 127.0.0.1:9464: %w", address, err)
	}
	if !agentsetup.IsLoopback(host) {
		return fmt.Errorf("--observe %s is refused: metrics and profiles need no password, so they are served on this machine only; "+
			"give a loopback address such as 127.0.0.1:9464, and let others in through a tunnel or a proxy that asks for a password", address)
	}
	return nil
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
	}
}

// listen opens the listener.
func (o *observer) listen(address string) (err error) {
	if o == nil {
		return nil
	}
	if o.listener, err = net.Listen("tcp", address); err != nil {
		return fmt.Errorf("%w; choose another address with --observe", err)
	}
	// "localhost" is what the machine says it is
	if ip, ok := o.listener.Addr().(*net.TCPAddr); !ok || !ip.IP.IsLoopback() {
		return errors.Join(fmt.Errorf("--observe %s: this is %s here, which is no loopback address", address,
			o.listener.Addr()), o.listener.Close())
	}
	return nil
}

// routes are all paths of the observer.
func (o *observer) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", o.metrics.handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index) // and the profiles that it lists
	mux.HandleFunc("GET /debug/pprof/cmdline", showProgram)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
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
