package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"time"

	"muster/internal/acme"
	"muster/internal/agentsetup"
	"muster/internal/api"
	"muster/internal/cert"
	"muster/internal/digest"
	"muster/internal/front"
	"muster/internal/intake"
	"muster/internal/inventory"
	"muster/internal/limit"
	"muster/internal/store"
	"muster/internal/web"
	"muster/internal/web/page"
)

// Administrator is the user of a new installation.
const Administrator = "admin@localhost"

// DefaultCache is how many MiB of documents are kept in memory by default: those of a
// list of 10,000 computers.
const DefaultCache = 16

// DefaultJobs is how many jobs are done at the same time by default.
const DefaultJobs = 4

// Config says how to serve.
type Config struct {
	Place
	Listen     string // host:port
	BaseURL    string // of addresses in documents, "" for the request's
	CertFile   string // own certificate, "" for one of the local authority
	CertKey    string
	PlainHTTP  bool
	ACME       acme.Config // whose folder, clock, log and address are this server's
	ACMEListen string      // host:port on which ACME challenges are answered by plain HTTP, "" for TLS
	HSTS       string      // days for which browsers use nothing but HTTPS, or "off"
	Jobs       int         // that are done at the same time, 0 for none
	Demo       bool        // fill a new database with an invented organisation
	DemoSize   int         // of computers in it, 0 for the usual number
	RateLimit  int
	LoginLimit int
	Ballast    int       // size in MiB at most of the file that can be removed from a full disk, 0 for none
	Cache      int       // size in MiB at most of what is kept in memory of documents, 0 for none
	AllowHosts []string  // further names under which the server is reached
	Proxies    []string  // addresses and networks whose forwarded headers count
	Out        io.Writer // gets what people need to know at the start

	SlowRequest      time.Duration // from which a request is logged as slow, 0 for never
	Observe          string        // host:port of metrics, on a loopback address also of profiles, "" for none
	ObserveToken     string        // that it asks for, "" for none or that of the file; never empty for other machines
	ObserveTokenFile string        // with the token, "" for none
	MaxRequests      int           // that are worked on at the same time, 0 for as many as suit the machine
	MaxWait          time.Duration // of other requests for their turn, 0 for two seconds
	MaxConnections   int           // 0 for as many as the system allows
	Drain            time.Duration // for which a server that stops still answers, and says that it is not ready
}

// A Server is running.
type Server struct {
	installation *installation
	listener     net.Listener
	http         *http.Server
	socket       net.Listener // for commands
	control      *http.Server
	done         chan error
	log          *slog.Logger
	proxies      []netip.Prefix
	hsts         string       // header
	source       *cert.Source // nil for plain HTTP
	issuance     *issuance    // nil without ACME
	drain        time.Duration
	stopping     chan struct{}
	connections  *connections
	front        *front.Front
	api          *api.API
	web          *page.App
	observer     *observer // nil when nobody observes
}

// Start opens the installation and begins to serve it.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	base, err := parseBase(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := cfg.checkACME(); err != nil {
		return nil, err
	}
	s := &Server{done: make(chan error, 1), log: cfg.Log, drain: cfg.Drain, stopping: make(chan struct{})}
	if s.proxies, err = parseProxies(cfg.Proxies); err != nil {
		return nil, err
	}
	if s.hsts, err = parseHSTS(cfg.HSTS); err != nil {
		return nil, err
	}
	if s.observer, err = newObserver(&cfg); err != nil {
		return nil, err
	}
	cfg.observe, cfg.cache = s.observer.transactions(), int64(cfg.Cache)<<20
	hold, err := cfg.holdFolder()
	if err != nil {
		return nil, cfg.withRemedy(err)
	}
	if s.installation, err = cfg.open(ctx, false); err != nil {
		hold.close()
		return nil, cfg.withRemedy(err)
	}
	s.installation.hold = hold
	if err := s.start(ctx, &cfg, base); err != nil {
		s.abort()
		return nil, cfg.withRemedy(err)
	}
	return s, nil
}

// start prepares what can fail before it makes the administrator, whose password
// is shown but once.
func (s *Server) start(ctx context.Context, cfg *Config, base *url.URL) error {
	source, err := cfg.certificate(base)
	if err != nil {
		return err
	}
	s.source = source
	if s.issuance, err = newIssuance(cfg, base, source); err != nil {
		return err
	}
	if err := s.build(ctx, cfg, base, source); err != nil {
		return err
	}
	if err := s.listen(cfg); err != nil {
		return err
	}
	password, err := s.prepare(ctx, cfg)
	if err != nil {
		return err
	}
	who, err := s.installation.access.Users().Administrator(ctx, Administrator)
	if err != nil {
		return err
	}
	if password != "" {
		who += ":" + password
	}
	if err := errors.Join(s.installation.store.Warm(ctx), s.installation.jobs.Settle(ctx)); err != nil {
		return err
	}
	s.installation.keeper.Keep(ctx)
	s.serve()
	s.installation.desk.Background(s.keepHead)
	s.installation.agents.CleanIdentities()
	s.installation.backups.Sweep()
	if err := s.installation.backups.Begin(ctx); err != nil {
		return err
	}
	if err := s.installation.inherit(ctx); err != nil {
		s.log.Warn("jobs of the server before this one go on a minute later", "error", err)
	}
	s.installation.jobs.Start(cfg.Jobs)
	go cfg.newBallast().keep(s.stopping)
	go s.logHeads(cfg.Now)
	cfg.greet(s.Address(), base, who)
	return nil
}

// parseBase checks a base URL.
func parseBase(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" ||
		u.Fragment != "" || u.User != nil {
		return nil, fmt.Errorf("the base URL %q must be like https://assets.example.com", text)
	}
	if u.RawPath != "" || u.Path != "" && path.Clean(u.Path) != u.Path && path.Clean(u.Path)+"/" != u.Path {
		return nil, fmt.Errorf("the path of the base URL %q must be plain, like /muster", text)
	}
	return u, nil
}

// parseProxies reads the addresses and networks of trusted proxies.
func parseProxies(texts []string) (proxies []netip.Prefix, err error) {
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if address, single := netip.ParseAddr(text); single == nil {
			prefix, err = address.Prefix(address.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("the trusted proxy %q must be an address or a network, like 10.0.0.1 or 10.0.0.0/8",
				text)
		}
		proxies = append(proxies, prefix.Masked())
	}
	return proxies, nil
}

// prepare makes what a new installation lacks, and returns the password of the
// administrator that it made, if it did.
func (s *Server) prepare(ctx context.Context, cfg *Config) (password string, err error) {
	password, err = s.installation.access.Users().FirstAdministrator(ctx, Administrator)
	if password != "" && err == nil {
		fmt.Fprintf(cfg.Out, "This is a new database. Its administrator is\n\n    user      %s\n    password  %s\n\n"+
			"The password is shown this once. The web application asks you for one of your own;\nuntil then the API takes this one. Or set another with: muster user passwd %s\n\n", Administrator, password, Administrator)
	}
	if err != nil || !cfg.Demo {
		return password, err
	}
	if password == "" {
		fmt.Fprintln(cfg.Out, "The database is not new: no demo data was added.")
		return "", nil
	}
	return password, errors.Join(cfg.fillDemo(ctx, s.installation), s.installation.jobs.Enclose(ctx))
}

// certificate returns where the certificate comes from, nil for plain HTTP.
func (cfg *Config) certificate(base *url.URL) (*cert.Source, error) {
	switch {
	case cfg.PlainHTTP:
		return nil, nil
	case cfg.CertFile != "" || cfg.CertKey != "":
		return cert.Files(cfg.CertFile, cfg.CertKey)
	}
	names := cert.MachineNames()
	if host, _, err := net.SplitHostPort(cfg.Listen); err == nil && host != "" && !isAnyAddress(host) {
		names = append(names, host)
	}
	if base != nil {
		names = append(names, base.Hostname())
	}
	names = append(names, cfg.ACME.Names...)
	return cert.Local(cfg.Data, names, cfg.Now)
}

func isAnyAddress(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsUnspecified()
}

// build makes what answers requests.
func (s *Server) build(ctx context.Context, cfg *Config, base *url.URL, source *cert.Source) error {
	key, err := s.installation.desk.Sealer().NonceKey(ctx, s.installation.desk.Store())
	if err != nil {
		return err
	}
	s.front = front.New(front.Config{
		BaseURL: base, Proxies: s.proxies, Ready: s.installation.desk.Ready, Remedy: cfg.remedy, Now: cfg.Now,
		Log:         cfg.Log,
		SlowRequest: cfg.SlowRequest, Observe: s.observer.requests(),
	})
	guesses := limit.NewGuesses(cfg.LoginLimit, cfg.Now)
	kinds := append(inventory.Served(), cfg.Kinds...)
	reached := &front.Hosts{
		BaseURL: base, Allowed: cfg.AllowHosts, Carried: hosts(source), Vouched: vouched(source), HSTS: s.hsts,
	}
	s.api = api.New(api.Config{
		Front:  s.front,
		Desk:   s.installation.desk,
		Access: s.installation.access,
		Agents: s.installation.agents, Merges: s.installation.merges,
		Kinds: kinds,
		Digest: digest.New(digest.Config{
			Realm: cfg.Realm, Key: key, Now: cfg.Now, Lookup: s.installation.access.Secret,
			MD5: s.installation.access.TakesMD5,
		}),
		Hosts: reached, RateLimit: cfg.RateLimit, Guesses: guesses, MaxRequests: cfg.MaxRequests,
		MaxWait: cfg.maxWait(), Now: cfg.Now, Pages: page.Root,
	})
	s.front.Mount(s.api)
	s.front.Mount(intake.New(intake.Config{
		Front: s.front, Desk: s.installation.desk, Agents: s.installation.agents, Unlimited: cfg.RateLimit == 0,
		LoginLimit: cfg.LoginLimit, MaxRequests: cfg.MaxRequests,
		Now: cfg.Now, Observe: s.observer.reports(),
	}), intake.Paths...)
	s.web = web.New(page.Config{
		Front: s.front, Desk: s.installation.desk, Access: s.installation.access, Agents: s.installation.agents,
		Merges: s.installation.merges,
		Kinds:  kinds, Hosts: reached, Version: cfg.Version,
		Bulks: s.installation.bulks, Imports: s.installation.imports, Exports: s.installation.exports,
		Jobs: s.installation.jobs, Backups: s.installation.backups, Verifier: s.installation.verifier,
		AgentAccess: func() (*agentsetup.Access, error) { return s.access(cfg, base, "") },
		RateLimit:   cfg.RateLimit, Guesses: guesses, MaxRequests: cfg.MaxRequests, MaxWait: cfg.maxWait(),
		Stopping: s.stopping, Now: cfg.Now,
	})
	s.front.Mount(s.web, page.Paths...)
	s.connections = newConnections(cfg.connectionLimit(), cfg, s.front)
	s.observer.watch(s, &cfg.Place)
	s.http = &http.Server{
		Handler:           s.untilStopped(s.connections.receive(s.front)),
		ConnContext:       s.connections.begin,
		ConnState:         s.connections.note,
		HTTP2:             http2Limits(),
		ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, WriteTimeout: bodyTime, IdleTimeout: idleTime,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true, // OPTIONS * has no more rights than others
		ErrorLog:                     log.New(&lineLogger{cfg.Log}, "", 0),
	}
	if source != nil {
		s.http.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: source.Certificate}
	}
	if s.issuance != nil {
		s.issuance.Answer(s.http.TLSConfig)
	}
	s.control = cfg.control(s.installation,
		func(given string) (*agentsetup.Access, error) { return s.access(cfg, base, given) })
	return nil
}

// listen opens the doors; who knocks now waits until the server serves.
func (s *Server) listen(cfg *Config) (err error) {
	l, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return fmt.Errorf("%w; choose another address with --listen, such as localhost:8443", err)
	}
	s.listener = newLimitedListener(l, s.connections)
	if err := s.observer.listen(cfg.Observe, s.source); err != nil {
		return err
	}
	s.socket, err = listenSocket(cfg.path(socketName))
	return err
}

// serve begins to answer.
func (s *Server) serve() {
	go func() {
		if s.http.TLSConfig == nil {
			s.done <- s.http.Serve(s.listener)
		} else {
			s.done <- s.http.ServeTLS(s.listener, "", "")
		}
	}()
	go func() { _ = s.control.Serve(s.socket) }() // ends when it is closed
	go s.watch()
	go s.connections.watchSlow(s.stopping)
	s.issuance.run()
	go s.observer.serve()
}

// watchEvery is how often the files of an own certificate are looked at.
const watchEvery = 2 * time.Second

// watch takes a new certificate into use when its files have changed.
func (s *Server) watch() {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for s.source != nil {
		select {
		case <-s.stopping:
			return
		case <-tick.C:
			if s.source.Changed() {
				s.Reload()
			}
		}
	}
}

// Reload reads the files of an own certificate again; if there is something
// wrong with them, the present one stays. An ACME certificate that is due is
// tried for at once.
func (s *Server) Reload() {
	if s.source == nil {
		return
	}
	if s.issuance != nil {
		s.issuance.RetryNow()
		return
	}
	if err := s.source.Reload(); err != nil {
		s.log.Error("the new certificate cannot be used; the current one stays in use", "error", err)
		return
	}
	s.log.Info("the certificate was reloaded", "names", s.source.Names())
}

// hosts returns the names that the certificate carries.
func hosts(source *cert.Source) func() []string {
	if source == nil {
		return func() []string { return nil }
	}
	return source.Names
}

// vouched reports for which names another than the local authority vouches.
func vouched(source *cert.Source) func(name string) bool {
	if source == nil {
		return func(string) bool { return false }
	}
	return source.Vouched
}

// Load returns which requests are worked on.
func (s *Server) Load() front.Load { return s.api.Load() }

// Store returns the database, for tests that need what no client can see or do. On
// SQLite only this server may change it; on PostgreSQL its lists have others' changes a
// little later.
func (s *Server) Store() *store.Store { return s.installation.store }

// Routes returns all paths of the API.
func (s *Server) Routes() []front.Route { return s.api.Routes() }

// WebRoutes returns all paths of the web application.
func (s *Server) WebRoutes() []front.Route { return s.web.Routes() }

// Address returns the host and port on which the server listens.
func (s *Server) Address() string { return s.listener.Addr().String() }

// Wait returns when the server has stopped by itself, which is an error.
func (s *Server) Wait() <-chan error { return s.done }

// Stop answers requests for as long as the server drains, lets those under way finish, until ctx ends, and closes
// everything.
func (s *Server) Stop(ctx context.Context) error {
	s.drainRequests(ctx)
	close(s.stopping)
	s.issuance.close()
	_ = s.listener.Close() // closing it again returns the error
	s.connections.settle(ctx)
	err := errors.Join(s.http.Shutdown(ctx), s.control.Shutdown(ctx))
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("requests that did not finish in time were cut off")
		err = errors.Join(s.http.Close(), s.control.Close())
	}
	_ = s.socket.Close() // which removes it also when nobody has come to serve it yet
	s.observer.close()
	s.installation.close()
	return err
}

// drainRequests gives balancers time to see that no more requests are to come.
func (s *Server) drainRequests(ctx context.Context) {
	s.front.Drain()
	if s.drain <= 0 {
		return
	}
	s.log.Info("draining", "for", s.drain.String())
	over := time.NewTimer(s.drain)
	defer over.Stop()
	select {
	case <-over.C:
	case <-ctx.Done():
	}
}

// abort closes what a failed start has opened.
func (s *Server) abort() {
	for _, l := range []net.Listener{s.listener, s.socket} {
		if l != nil {
			_ = l.Close()
		}
	}
	s.issuance.close()
	s.observer.close()
	s.installation.close()
}

// A lineLogger makes what net/http has to say part of the log.
type lineLogger struct{ log *slog.Logger }

// Write logs one line.
func (l *lineLogger) Write(line []byte) (int, error) {
	level := slog.LevelWarn
	if bytes.Contains(line, []byte("TLS handshake error")) { // any stranger can cause these
		level = slog.LevelDebug
	}
	l.log.Log(context.Background(), level, "connection", "problem", string(bytes.TrimSpace(line)))
	return len(line), nil
}
