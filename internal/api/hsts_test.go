//go:build full

package api_test

import (
	"net/http"
	"path/filepath"
	"testing"

	"muster/internal/cert"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestHSTS: the header is sent for full names, over HTTPS with a certificate that is not the local authority's, and
// not otherwise.
func TestHSTS(t *testing.T) {
	t.Parallel()
	const public = "assets.example.com"
	proxy := []string{"127.0.0.1", "::1"}
	own := func(cfg *server.Config) {
		cfg.CertFile, cfg.CertKey = filepath.Join(cfg.Data, "tls.pem"), filepath.Join(cfg.Data, "tls.key")
	}
	local := func(*server.Config) {}
	plain := func(cfg *server.Config) { cfg.PlainHTTP = true }
	for _, test := range []struct {
		name       string
		serve      func(*server.Config)
		setting    string
		host       string
		proxies    []string
		forwarded  string // what the peer says of its client
		want       string
		wantStatus int
	}{
		{name: "own certificate", serve: own, setting: "30", host: public, want: "max-age=2592000"},
		{name: "own certificate, upper case", serve: own, setting: "365", host: "ASSETS.example.com:8443",
			want: "max-age=31536000"},
		{name: "to be forgotten", serve: own, setting: "0", host: public, want: "max-age=0"},
		{name: "off", serve: own, setting: "off", host: public},
		{name: "this machine", serve: own, setting: "30", host: "localhost"},
		{name: "below this machine", serve: own, setting: "30", host: "assets.localhost"},
		{name: "an address", serve: own, setting: "30", host: "192.0.2.7"},
		{name: "a loopback address", serve: own, setting: "30", host: "[::1]"},
		{name: "a short name", serve: own, setting: "30", host: "assets"},
		{name: "a name that the certificate lacks", serve: own, setting: "30", host: "other.example.com"},
		{name: "a host that is not served", serve: own, setting: "30", host: "evil.example.com",
			wantStatus: http.StatusMisdirectedRequest},
		{name: "local authority", serve: local, setting: "30", host: public},
		{name: "plain HTTP", serve: plain, setting: "30", host: public},
		{name: "plain HTTP, a stranger says HTTPS", serve: plain, setting: "30", host: public, forwarded: "https"},
		{name: "proxy with HTTPS", serve: plain, setting: "30", host: public, proxies: proxy, forwarded: "https",
			want: "max-age=2592000"},
		{name: "proxy with HTTPS on this machine", serve: plain, setting: "30", host: "localhost", proxies: proxy,
			forwarded: "https"},
		{name: "proxy with HTTPS, TLS behind it", serve: local, setting: "30", host: public, proxies: proxy,
			forwarded: "https", want: "max-age=2592000"},
		{name: "proxy with HTTP", serve: own, setting: "30", host: public, proxies: proxy, forwarded: "http"},
		{name: "proxy that says nothing", serve: local, setting: "30", host: public, proxies: proxy},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := mustertest.Start(t, mustertest.Options{Data: withCertificate(t), Change: func(cfg *server.Config) {
				cfg.HSTS, cfg.Proxies, cfg.AllowHosts = test.setting, test.proxies,
					[]string{public, "other.example.com", "192.0.2.7", "assets", "assets.localhost"}
				test.serve(cfg)
			}})
			if test.wantStatus == 0 {
				test.wantStatus = http.StatusUnauthorized
			}
			c := s.Anonymous()
			c.Host = test.host
			var header []string
			if test.forwarded != "" {
				header = []string{"X-Forwarded-Proto", test.forwarded}
			}
			r := c.Get("/api.xml", header...)
			equal(t, "status", r.Status, test.wantStatus)
			equal(t, "Strict-Transport-Security", r.Header.Get("Strict-Transport-Security"), test.want)
		})
	}
}

// withCertificate returns a data folder with a certificate for names of this machine and others.
func withCertificate(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	names := []string{"localhost", "::1", "192.0.2.7", "assets", "assets.localhost", "assets.example.com"}
	if _, err := cert.Local(dir, names, mustertest.NewClock().Now); err != nil {
		t.Fatal(err)
	}
	return dir
}
