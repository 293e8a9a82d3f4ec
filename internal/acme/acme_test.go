//go:build full

// Package acme_test has the server get its certificate from a real ACME authority, which comes back to check that the
// server has its names.
package acme_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
)

const (
	name  = "assets.example.com"
	other = "desk.example.com"
	day   = 24 * time.Hour
)

// A site is an authority and a server that may be restarted, with one data folder and one clock.
type site struct {
	*mustertest.Server
	t      *testing.T
	pebble *mustertest.Pebble
	trust  *x509.CertPool // of the authority; nil until it runs
	data   string
	clock  *mustertest.Clock
	change func(*server.Config)
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, pebble: mustertest.NewPebble(t), data: t.TempDir(), clock: mustertest.NewClock()}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the server:\n%s\nthe authority:\n%s", s.Log, s.pebble.Log())
		}
	})
	s.clock.Advance(time.Since(s.clock.Now())) // the authority has no other time
	return s
}

// serve starts a server that gets a certificate for names.
func (s *site) serve(names ...string) {
	s.t.Helper()
	s.pebble.TLS.Lead("")
	s.Server = mustertest.Start(s.t, mustertest.Options{Data: s.data, Clock: s.clock, Change: func(cfg *server.Config) {
		cfg.ACME.Names, cfg.ACME.Directory, cfg.ACME.CAFile = names, s.pebble.Directory, s.pebble.CAFile
		if s.change != nil {
			s.change(cfg)
		}
	}})
	s.pebble.TLS.Lead(s.Address())
}

// run does something in one life of the server.
func (s *site) run(life string, do func(), names ...string) {
	whole := s.t
	defer func() { s.t = whole }()
	whole.Run(life, func(t *testing.T) {
		s.t = t
		s.serve(names...)
		do()
	})
}

// shown returns the certificate that a client is shown who asks for a name, "" for none. It must be of the given
// authority.
func (s *site) shown(serverName string, trust *x509.CertPool) (*x509.Certificate, error) {
	config := &tls.Config{ServerName: serverName, InsecureSkipVerify: true} // verified below: also without a name
	conn, err := tls.Dial("tcp", s.Address(), config)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	chain := conn.ConnectionState().PeerCertificates
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	_, err = chain[0].Verify(x509.VerifyOptions{DNSName: serverName, Roots: trust, Intermediates: between})
	return chain[0], err
}

// public waits until clients are shown a certificate of the authority, other than the one before, and returns it.
func (s *site) public(before *x509.Certificate) (c *x509.Certificate) {
	s.t.Helper()
	mustertest.Eventually(s.t, "a certificate of the authority is shown", func() bool {
		var err error
		c, err = s.shown(name, s.trust)
		return err == nil && (before == nil || !c.Equal(before))
	})
	return c
}

// local checks that a client is shown the certificate of the local authority.
func (s *site) local(serverName string) {
	s.t.Helper()
	if c, err := s.shown(serverName, s.Roots); err != nil {
		s.t.Errorf("%q: got a certificate of %s (%v), want the local authority's", serverName, c.Issuer, err)
	}
}

// logged waits for a line of the log with all texts, and returns how many lines have the first of them.
func (s *site) logged(texts ...string) (count int) {
	s.t.Helper()
	mustertest.Eventually(s.t, "the log has "+strings.Join(texts, ", "), func() bool {
		count = strings.Count(s.Log.String(), texts[0])
		for line := range strings.Lines(s.Log.String()) {
			if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(line, text) }) {
				return true
			}
		}
		return false
	})
	return count
}

// TestFirstCertificate is got soon after the start, and shown to those alone who ask for its names.
func TestFirstCertificate(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.trust = s.pebble.Start()
	s.serve(name, other)
	c := s.public(nil)
	if want := []string{name, other}; !slices.Equal(c.DNSNames, want) {
		t.Errorf("got a certificate for %q, want %q", c.DNSNames, want)
	}
	if _, err := s.shown(other, s.trust); err != nil {
		t.Errorf("the other name: got %v, want the authority's certificate", err)
	}
	for _, asked := range []string{"localhost", "127.0.0.1", ""} {
		s.local(asked)
	}
	if got, err := s.shown("evil.example.com", s.Roots); err == nil || got.Issuer.String() == c.Issuer.String() {
		t.Errorf("a name that is not the server's: got a certificate of %s (%v), want the local one", got.Issuer, err)
	}
	if got := s.logged("agreeing to the authority's terms"); got != 1 {
		t.Errorf("terms of service: got %d lines, want 1", got)
	}
	admin := s.Admin()
	admin.Host = other
	if r := admin.Get("/api.xml"); r.Status != http.StatusOK ||
		!strings.Contains(r.Body, "<href>https://"+other+"/hardwares.xml") {
		t.Errorf("%s as host: got %d %s", other, r.Status, r.Body)
	}
	s.checkFolder()
	if got := s.pebble.Orders(); got != 1 {
		t.Errorf("got %d orders, want 1: strangers cause none", got)
	}
}

// checkFolder checks what is kept, and that only its owner can read it.
func (s *site) checkFolder() {
	s.t.Helper()
	var got []string
	err := filepath.WalkDir(filepath.Join(s.data, "acme"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if want := fs.FileMode(0o600); !entry.IsDir() && info.Mode() != want || entry.IsDir() &&
			info.Mode().Perm() != 0o700 {
			s.t.Errorf("%s: got mode %v, want only its owner to read it", file, info.Mode())
		}
		got = append(got, filepath.Ext(file))
		return err
	})
	if want := []string{"", ".key", ".pem"}; err != nil || !slices.Equal(got, want) {
		s.t.Errorf("the folder: got %q (%v), want %q", got, err, want)
	}
}

// TestStrangersChallenge: only the authority's question that is open is answered.
func TestStrangersChallenge(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.trust = s.pebble.Start()
	s.serve(name)
	s.public(nil)
	for _, asked := range []string{name, "evil.example.com", ""} {
		conn, err := tls.Dial("tcp", s.Address(),
			&tls.Config{ServerName: asked, NextProtos: []string{"acme-tls/1"}, InsecureSkipVerify: true})
		if err == nil {
			_ = conn.Close()
			t.Errorf("a challenge for %q: got a handshake, want none", asked)
		}
	}
}

// TestPlainChallenge proves the name on the plain port, which serves nothing else and sends nobody elsewhere.
func TestPlainChallenge(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.trust = s.pebble.Start()
	plain := mustertest.FreeAddress(t)
	s.pebble.HTTP.Lead(plain)
	s.change = func(cfg *server.Config) { cfg.ACMEListen, cfg.BaseURL = plain, "https://assets.example.com/it" }
	s.serve(name)
	s.public(nil)
	for _, path := range []string{
		"/", "/hardwares.xml", "/it/hardwares.xml", "/.well-known/acme-challenge/x", "/healthz",
	} {
		r, err := http.DefaultTransport.RoundTrip(httptest.NewRequest("GET", "http://"+plain+path, nil))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		_ = r.Body.Close()
		want := "<errors>\n  <error>plain HTTP is not served here; use https://assets.example.com/it</error>\n</errors>\n"
		if r.StatusCode != http.StatusForbidden || err != nil || !strings.HasSuffix(string(body), want) ||
			r.Header.Get("Location") != "" {
			t.Errorf("%s: got %d %v %s (%v), want 403 and %s", path, r.StatusCode, r.Header, body, err, want)
		}
	}
}

// TestRestart uses what is stored, and asks for another certificate only when that one lacks a name, is damaged or is
// another authority's.
func TestRestart(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.trust = s.pebble.Start()
	var first, second *x509.Certificate
	s.run("first", func() { first = s.public(nil) }, name)
	s.run("again", func() {
		if got, err := s.shown(name, s.trust); err != nil || !got.Equal(first) {
			s.t.Errorf("at once after the start: got another certificate (%v), want the stored one", err)
		}
	}, name)
	if got := s.pebble.Orders(); got != 1 {
		t.Errorf("after a restart: got %d orders, want 1", got)
	}
	s.change = func(cfg *server.Config) { cfg.ACME.Email = "it@example.com" }
	s.run("another name", func() {
		if got, err := s.shown(name, s.trust); err != nil || !got.Equal(first) &&
			!slices.Contains(got.DNSNames, other) {
			s.t.Errorf("at once after the start: got no certificate of the authority: %v", err)
		}
		second = s.public(first)
	}, name, other)
	if !strings.Contains(s.pebble.Log(), "POST /my-account/") {
		t.Error("the authority was not told the e-mail address of an account that it knew without")
	}
	if want := []string{name, other}; !slices.Equal(second.DNSNames, want) {
		t.Errorf("got a certificate for %q, want %q", second.DNSNames, want)
	}
	files, _ := filepath.Glob(filepath.Join(s.data, "acme", "*.pem"))
	if err := os.WriteFile(files[0], []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run("damaged", func() {
		s.logged("the stored certificate cannot be used", files[0])
		s.public(second)
	}, name)
	s.pebble.Directory = "https://" + mustertest.FreeAddress(t) + "/dir"
	s.run("another authority", func() {
		s.logged("there is no certificate yet", s.pebble.Directory)
		s.local(name)
	}, name)
}

// TestRenewal happens when a third of the certificate's life is left, while the server runs; what fails leaves the
// present one.
func TestRenewal(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.trust = s.pebble.Start()
	s.serve(name)
	first := s.public(nil)
	s.clock.Advance(59 * day)
	s.Reload() // which makes it look at once
	s.pebble.Stop()
	s.clock.Advance(2 * day)
	s.logged("could not be renewed", "register with "+s.pebble.Directory, "next_try",
		first.NotAfter.UTC().Format(time.RFC3339))
	if got, err := s.shown(name, s.trust); err != nil || !got.Equal(first) {
		t.Errorf("after a failed renewal: got %v, want the first certificate", err)
	}
	if got := s.pebble.Orders(); got != 1 {
		t.Errorf("before the renewal: got %d orders, want 1", got)
	}
	s.trust = s.pebble.Start() // as another one, which has never heard of this server
	s.clock.Advance(time.Minute)
	s.public(first)
	if got := s.logged("could not be renewed"); got != 1 {
		t.Errorf("got %d lines about one failure, want 1", got)
	}
}

// TestAuthorityAway: the server serves, says what is wrong, and tries again later or when it is told to.
func TestAuthorityAway(t *testing.T) {
	t.Parallel()
	for how, again := range map[string]func(*site){
		"later":   func(s *site) { s.clock.Advance(time.Minute) },
		"at once": func(s *site) { s.Reload() },
	} {
		t.Run(how, func(t *testing.T) {
			s := newSite(t)
			s.serve(name)
			s.logged("there is no certificate yet", name, s.pebble.Directory, "connection refused", "next_try")
			for _, asked := range []string{name, "localhost", ""} {
				s.local(asked)
			}
			if r := s.Admin().Get("/api.xml"); r.Status != http.StatusOK {
				t.Errorf("without a certificate: got %d, want 200", r.Status)
			}
			s.trust = s.pebble.Start()
			again(s)
			s.public(nil)
			if got := s.logged("there is no certificate yet"); got != 1 {
				t.Errorf("got %d lines about one failure, want 1", got)
			}
		})
	}
}

// TestNameLeadsElsewhere: the log says what the authority has found, and what should be.
func TestNameLeadsElsewhere(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.trust = s.pebble.Start()
	s.pebble.Resolve(false)
	s.serve(name)
	s.logged("there is no certificate yet", "could not check that "+name+" leads here", "port 443 lead to --listen",
		"urn:ietf:params:acme:error")
	s.local(name)
	s.pebble.Resolve(true)
	s.Reload()
	s.public(nil)
}

// TestRetries become rare: authorities refuse those who fail often.
func TestRetries(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.serve(name)
	waits := []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, time.Hour}
	for n, wait := range waits {
		next := s.clock.Now().Add(wait)
		if got := s.logged("there is no certificate yet", next.Format(time.RFC3339Nano)); got != n+1 {
			t.Errorf("try %d: got %d lines, want one each", n+1, got)
		}
		if n < len(waits)-1 {
			s.clock.Advance(wait)
		}
	}
}
