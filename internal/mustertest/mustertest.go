// Package mustertest starts a whole server on a temporary database, for tests:
// the real listener with TLS, the real database, a client that speaks digest
// authentication, a browser, and a clock that the test sets. Mocks do not belong
// here, nor what the tests of a single package need.
package mustertest

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/icholy/digest"

	"muster/internal/argon"
	"muster/internal/kind"
	"muster/internal/server"
)

// A Database is one of the databases that a test runs on.
type Database struct {
	Name string
	// New returns the address of an empty database that is removed after the
	// test.
	New func(testing.TB) string

	name   func(testing.TB) string            // returns the address of one that is yet to be made
	create func(t testing.TB, address string) // makes that, empty
	// copies lets a database be filled and returns what copies it from then on, in
	// this test and others, to an address that is yet to be made.
	copies func(t testing.TB, fill func(address string)) (copy func(t testing.TB, address string))
}

// SQLite is the database that needs nothing installed.
var SQLite = Database{"sqlite", newFile, newFile, func(testing.TB, string) {}, copiesOfFile}

// newFile returns the path of a file that is not there yet, as an empty database is.
func newFile(t testing.TB) string { return filepath.Join(t.TempDir(), "muster.db") }

func copiesOfFile(t testing.TB, fill func(address string)) (copy func(t testing.TB, address string)) {
	t.Helper()
	file := newFile(t)
	fill(file)
	content, err := os.ReadFile(file)
	if wal, left := os.Stat(file + "-wal"); left == nil && wal.Size() > 0 {
		err = errors.New("its last changes are in another file")
	}
	if err != nil {
		t.Fatalf("keep a database: %v", err)
	}
	return func(t testing.TB, address string) {
		t.Helper()
		if err := os.WriteFile(address, content, 0o600); err != nil {
			t.Fatalf("copy a database: %v", err)
		}
	}
}

// Each runs a test on every database: SQLite, and PostgreSQL when the tests
// are built with the tag full.
func Each(t *testing.T, test func(t *testing.T, db Database)) {
	for _, db := range Databases() {
		t.Run(db.Name, func(t *testing.T) { test(t, db) })
	}
}

// A Clock returns the time that a test sets.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that stands at 2026-01-31T09:30:00Z.
func NewClock() *Clock { return &Clock{now: time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)} }

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance lets time pass.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Set sets the time.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Options say how a server differs from the usual one.
type Options struct {
	Database string   // "" for a new one
	On       Database // on which a new one is made, SQLite unless set
	Data     string   // "" for a temporary folder
	Kinds    []*kind.Schema
	Clock    *Clock // nil for one that stands still
	Change   func(*server.Config)
	// Printed lets the administrator have the password that the first start prints.
	Printed bool
}

// A Server runs until the test ends.
type Server struct {
	*server.Server
	Base     string // address, without a slash at the end
	Data     string
	Database string
	Clock    *Clock
	Log      *Log
	Password string // of server.Administrator
	Roots    *x509.CertPool
	Quit     func() // stops it before the test ends
	t        testing.TB
}

// realm is the one of each test server.
const realm = "Muster"

// CheapHash lets tests sign in often: a hash takes some microseconds instead of as many milliseconds.
var CheapHash = argon.Cost{Time: 1, Memory: 64}

// AdminPassword is the password of the administrator of each test server.
const AdminPassword = "correct horse battery"

// Start starts a server with an administrator.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	if o.Clock == nil {
		o.Clock = NewClock()
	}
	if o.On.Name == "" {
		o.On = SQLite
	}
	isNew := o.Database == ""
	if isNew {
		o.Database = o.On.name(t)
	}
	if o.Data == "" {
		o.Data = t.TempDir()
	}
	s := &Server{Data: o.Data, Database: o.Database, Clock: o.Clock, Log: new(Log), Password: AdminPassword, t: t}
	cfg := server.Config{
		Place: server.Place{
			Data: o.Data, Database: o.Database, Realm: realm, Version: "v0.0.0-test", Kinds: o.Kinds, Now: o.Clock.Now,
			HashCost: CheapHash, Log: slog.New(slog.NewJSONHandler(s.Log, nil)),
		},
		Cache:   server.DefaultCache,
		Jobs:    server.DefaultJobs,
		Listen:  "localhost:0",
		Out:     io.Discard,
		Observe: "127.0.0.1:0",
		MaxWait: patience, // the machine may have other work
	}
	out := new(Log)
	if o.Printed {
		cfg.Out = out
	}
	if o.Change != nil {
		o.Change(&cfg)
	}
	installed := isNew && o.install(t, &cfg)
	srv, err := server.Start(context.Background(), cfg)
	if err != nil {
		t.Fatalf("start the server: %v", err)
	}
	s.Server = srv
	s.Quit = sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := srv.Stop(ctx); err != nil {
			t.Errorf("stop the server: %v", err)
		}
	})
	t.Cleanup(s.Quit)
	s.trust(cfg.PlainHTTP)
	switch {
	case o.Printed:
		s.Password = printed.FindStringSubmatch(out.String())[1]
	case !installed:
		s.User(server.UserCommand{Do: "passwd", Email: server.Administrator, Password: AdminPassword})
	}
	return s
}

// printed finds the password that a first start prints.
var printed = regexp.MustCompile(`password +(\S+)`)

// trust makes the server's certificate authority known to its clients.
func (s *Server) trust(plain bool) {
	_, port, err := net.SplitHostPort(s.Address())
	if err != nil {
		s.t.Fatalf("the server's address: %v", err)
	}
	if plain {
		s.Base = "http://localhost:" + port
		return
	}
	s.Base = "https://localhost:" + port
	pem, err := os.ReadFile(filepath.Join(s.Data, "ca.pem"))
	if err != nil {
		s.t.Fatalf("read the authority's certificate: %v", err)
	}
	s.Roots = x509.NewCertPool()
	s.Roots.AppendCertsFromPEM(pem)
}

// User carries out a user command on the running server.
func (s *Server) User(cmd server.UserCommand) *server.UserResult {
	s.t.Helper()
	res, err := s.Do(context.Background(), cmd)
	if err != nil {
		s.t.Fatalf("user %s %s: %v", cmd.Do, cmd.Email, err)
	}
	return res
}

// AddUser makes a user with AdminPassword as password and returns a client that
// signs in as them.
func (s *Server) AddUser(email, role string, readOnly bool) *Client {
	s.t.Helper()
	s.User(server.UserCommand{Do: "add", Email: email, Role: role, ReadOnly: readOnly, Password: AdminPassword})
	return s.Client(email, AdminPassword)
}

// Admin returns a client that signs in as the administrator.
func (s *Server) Admin() *Client { return s.Client(server.Administrator, s.Password) }

// Client returns a client that signs in as the given user.
func (s *Server) Client(user, password string) *Client {
	return &Client{
		HTTP: &http.Client{Transport: &digest.Transport{Username: user, Password: password, Transport: s.Transport()}},
		Base: s.Base, t: s.t,
	}
}

// Anonymous returns a client that does not sign in.
func (s *Server) Anonymous() *Client {
	return &Client{HTTP: &http.Client{Transport: s.Transport()}, Base: s.Base, t: s.t}
}

// Transport returns a transport that trusts the server. It closes its connections when the test ends, before the
// server stops, which would wait for what they may still ask.
func (s *Server) Transport() *http.Transport {
	// a test asks for it itself
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: s.Roots}, DisableCompression: true}
	s.t.Cleanup(transport.CloseIdleConnections)
	return transport
}

// A Client makes requests and fails its test when there is no answer.
type Client struct {
	HTTP *http.Client
	Base string
	Host string // of the Host header, "" for the address's
	// Token is the bearer token of each request, "" for none.
	Token string
	t     testing.TB
}

// A Response is an answer, read whole.
type Response struct {
	Status int
	Header http.Header
	Body   string
}

// Do makes a request; header are pairs of a name and a value.
func (c *Client) Do(method, target, body string, header ...string) *Response {
	c.t.Helper()
	req, err := http.NewRequest(method, c.Base+target, strings.NewReader(body))
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, target, err)
	}
	req.Host = c.Host
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/xml")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, target, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatalf("%s %s: read the answer: %v", method, target, err)
	}
	return &Response{resp.StatusCode, resp.Header, string(text)}
}

// Get is Do with GET and no body.
func (c *Client) Get(target string, header ...string) *Response {
	c.t.Helper()
	return c.Do(http.MethodGet, target, "", header...)
}

// A Log keeps what a server logs.
type Log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write adds to the log.
func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

// String returns all that was logged.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
