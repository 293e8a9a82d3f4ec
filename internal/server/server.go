package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"time"

	"muster/internal/api"
	"muster/internal/cert"
	"muster/internal/digest"
	"muster/internal/inventory"
	"muster/internal/store"
)

// Limits of connections.
const (
	headerTime = 5 * time.Second
	bodyTime   = 60 * time.Second
	idleTime   = 90 * time.Second
	maxHeader  = 16 << 10
)

// Administrator is the user of a new installation.
const Administrator = "admin@localhost"

// Config says how to serve.
type Config struct {
	Place
	Listen     string // host:port
	BaseURL    string // of addresses in documents, "" for the request's
	CertFile   string // own certificate, "" for one of the local authority
	CertKey    string
	PlainHTTP  bool
	Demo       bool
	RateLimit  int
	LoginLimit int
	Out        io.Writer // told what people need to know at the start
}

// A Server is running.
type Server struct {
	house   *house
	http    *http.Server
	control *http.Server // nil on PostgreSQL
	done    chan error
	address string
	api     *api.API
}

// Start opens the installation and begins to serve it.
func Start(ctx context.Context, cfg Config) (s *Server, err error) {
	base, err := parseBase(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	s = &Server{done: make(chan error, 1)}
	if s.house, err = cfg.open(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.abort()
		}
	}()
	password, err := s.prepare(ctx, &cfg)
	if err != nil {
		return nil, err
	}
	source, err := cfg.certificate()
	if err != nil {
		return nil, err
	}
	if err := s.serve(ctx, &cfg, base, source); err != nil {
		return nil, err
	}
	cfg.greet(s.address, base, password)
	return s, nil
}

// parseBase checks a base URL.
func parseBase(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, fmt.Errorf("the base URL %q must be like https://assets.example.com", text)
	}
	if u.Path != "" && u.Path != "/" {
		return nil, fmt.Errorf("the base URL %q has a path, which cannot be served yet", text)
	}
	return u, nil
}

// prepare makes what a new installation lacks, and returns the password of the
// administrator that it made, if it did.
func (s *Server) prepare(ctx context.Context, cfg *Config) (password string, err error) {
	password, err = s.house.desk.FirstAdministrator(ctx, Administrator)
	if err != nil || !cfg.Demo {
		return password, err
	}
	if password == "" {
		fmt.Fprintln(cfg.Out, "The database is not new: no demo data was added.")
		return "", nil
	}
	return password, fillDemo(ctx, s.house.desk, cfg.Now())
}

// certificate returns where the certificate comes from, nil for plain HTTP.
func (cfg *Config) certificate() (*cert.Source, error) {
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
	return cert.Local(cfg.Data, names, cfg.Now)
}

func isAnyAddress(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsUnspecified()
}

// serve begins to listen.
func (s *Server) serve(ctx context.Context, cfg *Config, base *url.URL, source *cert.Source) error {
	key, err := s.house.desk.NonceKey(ctx)
	if err != nil {
		return err
	}
	s.api = api.New(api.Config{
		Desk:  s.house.desk,
		Kinds: append(inventory.Served(), cfg.Kinds...),
		Digest: digest.New(digest.Config{
			Realm: cfg.Realm, Key: key, Now: cfg.Now, Lookup: s.house.desk.Secret,
		}),
		BaseURL: base, Hosts: hosts(source), RateLimit: cfg.RateLimit, LoginLimit: cfg.LoginLimit,
		Now: cfg.Now, Log: cfg.Log,
	})
	l, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	s.address = l.Addr().String()
	s.http = &http.Server{
		Handler:           s.api,
		ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, WriteTimeout: bodyTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHeader,
		ErrorLog:       log.New(&lineLogger{cfg.Log}, "", 0),
	}
	if source != nil {
		s.http.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: source.Certificate}
	}
	go func() {
		if source == nil {
			s.done <- s.http.Serve(l)
		} else {
			s.done <- s.http.ServeTLS(l, "", "")
		}
	}()
	if store.IsPostgres(cfg.database()) {
		return nil
	}
	s.control, err = control(s.house.desk, cfg.path(socketName))
	return err
}

// hosts returns the names that the certificate carries.
func hosts(source *cert.Source) func() []string {
	if source == nil {
		return func() []string { return nil }
	}
	return source.Names
}

// Address returns the host and port on which the server listens.
func (s *Server) Address() string { return s.address }

// Wait returns when the server has stopped by itself, which is an error.
func (s *Server) Wait() <-chan error { return s.done }

// Stop lets the requests under way finish and closes everything.
func (s *Server) Stop(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	if s.control != nil {
		err = errors.Join(err, s.control.Shutdown(ctx))
	}
	s.house.close()
	return err
}

// abort closes what a failed start has opened.
func (s *Server) abort() {
	for _, h := range []*http.Server{s.http, s.control} {
		if h != nil {
			_ = h.Close()
		}
	}
	s.house.close()
}

// A lineLogger makes what net/http has to say part of the log.
type lineLogger struct{ log *slog.Logger }

// Write logs one line.
func (l *lineLogger) Write(line []byte) (int, error) {
	l.log.Debug("connection", "problem", string(line))
	return len(line), nil
}

// greet tells where the server is and how to make a first call.
func (cfg *Config) greet(address string, base *url.URL, password string) {
	where := cfg.visibleAddress(address)
	if base != nil {
		where = base.Scheme + "://" + base.Host
	}
	fmt.Fprintf(cfg.Out, "Muster serves its API at %s/api.xml\n", where)
	credentials := Administrator
	if password != "" {
		fmt.Fprintf(cfg.Out, "\nThis is a new database. Its administrator is\n\n    user      %s\n    password  %s\n\n"+
			"The password is shown this once. Set another with: muster user passwd %s\n", Administrator, password, Administrator)
		credentials += ":" + password
	}
	trust := ""
	if !cfg.PlainHTTP && cfg.CertFile == "" {
		ca, err := filepath.Abs(cfg.path("ca.pem"))
		if err != nil {
			ca = cfg.path("ca.pem")
		}
		trust = " --cacert " + shellQuote(ca)
	}
	fmt.Fprintf(cfg.Out, "\nA first call:\n\ncurl --digest --user %s%s %s/hardwares.xml\n\n", shellQuote(credentials), trust, where)
}
