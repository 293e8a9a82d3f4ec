//go:build full

package main_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"strings"
	"testing"

	"muster/internal/doctor"
	"muster/internal/mustertest"
)

// TestACME gets a certificate from an authority, and does without the authority
// at the next start.
func TestACME(t *testing.T) {
	t.Parallel()
	const name = "assets.example.com"
	pebble := mustertest.NewPebble(t)
	roots := pebble.Start()
	f := newFolder(t)
	first := f.serve("--acme", name, "--acme-directory", pebble.Directory, "--acme-ca", pebble.CAFile, "--acme-email",
		"it@example.com")
	_, at, _ := strings.Cut(first.address, "://")
	pebble.TLS.Lead(at)
	var got *http.Response
	eventually(t, "browsers trust the server", func() (ok bool) {
		got, ok = browse(t, first, name, roots)
		return ok
	})
	if hsts := got.Header.Get("Strict-Transport-Security"); hsts != "max-age=2592000" {
		t.Errorf("got Strict-Transport-Security %q, want 30 days", hsts)
	}
	if r := first.admin().Get("/hardwares.xml"); r.Status != http.StatusOK ||
		r.Header.Get("Strict-Transport-Security") != "" {
		t.Errorf("on this machine: got %d %v, want 200 by the local authority's certificate, without HSTS", r.Status,
			r.Header)
	}
	if strings.Contains(first.log.String(), `"level":"ERROR"`) {
		t.Errorf("got the log\n%s\nwant no errors", first.log)
	}
	if status := first.stop(); status != 0 {
		t.Errorf("stop: got %d, want 0", status)
	}
	pebble.Stop()
	examine := func(names ...string) diagnosis {
		args := []string{"--listen", mustertest.FreeAddress(t), "--acme-directory", pebble.Directory}
		for _, name := range names {
			args = append(args, "--acme", name)
		}
		return f.doctor(args...)
	}
	examine(name).says(t, "doctor", doctor.OK, "certificate", pebble.Directory, "renewed by itself")
	examine(name, "more.example.com").says(t, "doctor of two names", doctor.Warning, "certificate", "more.example.com",
		"log")
	other := f.doctor("--listen", mustertest.FreeAddress(t), "--acme", name)
	other.says(t, "doctor of another authority", doctor.Warning, "certificate", "no certificate", "log")
	f.env = []string{"MUSTER_ACME=" + name, "MUSTER_ACME_DIRECTORY=" + pebble.Directory,
		"MUSTER_ACME_CA=" + pebble.CAFile, "MUSTER_HSTS=off"}
	second := f.serve()
	again, ok := browse(t, second, name, roots)
	if !ok || !again.TLS.PeerCertificates[0].Equal(got.TLS.PeerCertificates[0]) ||
		again.Header.Get("Strict-Transport-Security") != "" {
		t.Errorf("the second start: got %v, want the first certificate, and no HSTS", again)
	}
}

// browse makes a request as a browser would to which name leads to a server.
func browse(t *testing.T, s *service, name string, roots *x509.CertPool) (*http.Response, bool) {
	t.Helper()
	_, at, _ := strings.Cut(s.address, "://")
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", at)
		}}
	r, err := (&http.Client{Transport: transport}).Get("https://" + name + "/api.xml")
	if err != nil {
		return nil, false
	}
	_ = r.Body.Close()
	return r, r.StatusCode == http.StatusUnauthorized
}
