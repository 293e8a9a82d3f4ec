//go:build full

package mustertest

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/internal/cert"
)

// A Pebble is an ACME authority: Let's Encrypt's test server, from Debian's packages, beside a name server to which
// every name is this machine. It checks challenges for real, through relays to the server under test.
type Pebble struct {
	Directory string // its address
	CAFile    string // of its own server's certificate
	TLS, HTTP *Relay // where it looks for answers to challenges
	t         testing.TB
	config    string // file
	names     string // address of the name server
	resolving string // address where the name server is configured
	roots     string // address of the authority's own certificate
	client    *http.Client
	log       Log
	stop      func()
}

// NewPebble returns an authority that is yet to be started.
func NewPebble(t testing.TB) *Pebble {
	t.Helper()
	dir := t.TempDir()
	if _, err := cert.Local(dir, []string{"localhost", "127.0.0.1"}, time.Now); err != nil {
		t.Fatal(err)
	}
	at, manage := FreeAddress(t), FreeAddress(t)
	p := &Pebble{
		Directory: "https://" + at + "/dir", CAFile: filepath.Join(dir, "ca.pem"), TLS: NewRelay(t), HTTP: NewRelay(t),
		t: t, config: filepath.Join(dir, "pebble.json"), names: FreeAddress(t), resolving: FreeAddress(t),
		roots: "https://" + manage + "/roots/0",
	}
	p.client = &http.Client{
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: readRoots(t, p.CAFile)}, DisableKeepAlives: true,
		},
	}
	config, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": at, "managementListenAddress": manage,
		"certificate": filepath.Join(dir, "tls.pem"), "privateKey": filepath.Join(dir, "tls.key"),
		"tlsPort": p.TLS.Port(), "httpPort": p.HTTP.Port(),
		"certificateValidityPeriod": int(90 * 24 * time.Hour / time.Second),
	}})
	if err == nil {
		err = os.WriteFile(p.config, config, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.run("pebble-challtestsrv", "-dns01", p.names, "-management", p.resolving, "-defaultIPv6", "", "-http01", "",
		"-https01", "", "-tlsalpn01", "")
	p.Resolve(true)
	return p
}

// Start starts the authority, which knows nobody at first, and returns what its clients trust.
func (p *Pebble) Start() *x509.CertPool {
	p.t.Helper()
	p.stop = p.run("pebble", "-config", p.config, "-dnsserver", p.names, "-strict")
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(p.ask("GET", p.roots, ""))
	p.ask("GET", p.Directory, "")
	return roots
}

// Stop ends the authority.
func (p *Pebble) Stop() { p.stop() }

// Orders returns how many certificates the authority was asked for.
func (p *Pebble) Orders() int { return strings.Count(p.log.String(), "Added order") }

// Log returns all that the authority and its name server have logged.
func (p *Pebble) Log() string { return p.log.String() }

// Resolve makes the name server know every name, or none.
func (p *Pebble) Resolve(known bool) {
	p.t.Helper()
	ip := `{"ip":""}`
	if known {
		ip = `{"ip":"127.0.0.1"}`
	}
	p.ask("POST", "http://"+p.resolving+"/set-default-ipv4", ip)
}

// ask makes a request, again until a program that was just started answers it.
func (p *Pebble) ask(method, address, body string) (answer []byte) {
	p.t.Helper()
	Eventually(p.t, method+" "+address, func() bool {
		req, err := http.NewRequest(method, address, strings.NewReader(body))
		if err != nil {
			p.t.Fatal(err)
		}
		res, err := p.client.Do(req)
		if err != nil {
			return false
		}
		defer res.Body.Close()
		answer, err = io.ReadAll(res.Body)
		return err == nil && res.StatusCode == http.StatusOK
	})
	return answer
}

// run runs a program until the test ends, or until it is stopped.
func (p *Pebble) run(name string, args ...string) (stop func()) {
	p.t.Helper()
	cmd := exec.Command(name, args...)
	// It refuses some nonces, as real authorities do; it neither waits nor remembers what it has checked.
	cmd.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=10", "PEBBLE_AUTHZREUSE=0")
	cmd.Stdout, cmd.Stderr = &p.log, &p.log
	if err := cmd.Start(); err != nil {
		p.t.Fatalf("start %s: %v", name, err)
	}
	stop = func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	}
	p.t.Cleanup(stop)
	return stop
}
