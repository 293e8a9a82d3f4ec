package api_test

import (
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestForwarded: forwarded headers count if they come from a trusted proxy, and not
// otherwise.
func TestForwarded(t *testing.T) {
	t.Parallel()
	forwarded := []string{"X-Forwarded-For", "203.0.113.9, 10.1.2.3", "X-Forwarded-Proto", "http", "X-Forwarded-Host",
		"assets.example:8080"}
	for _, test := range []struct {
		name    string
		proxies []string
		header  []string
		base    string // that addresses begin with, "" for the request's own
		from    string // that the log names
	}{
		{"no proxy", nil, forwarded, "", "127.0.0.1:"},
		{"another proxy", []string{"10.0.0.0/8"}, forwarded, "", "127.0.0.1:"},
		{"a trusted proxy", []string{"127.0.0.1", "10.0.0.0/8"}, forwarded, "http://assets.example:8080",
			"203.0.113.9:0"},
		{"one hop trusted", []string{"127.0.0.0/8"}, forwarded, "http://assets.example:8080", "10.1.2.3:0"},
		{"all hops trusted", []string{"0.0.0.0/0", "::/0"}, forwarded, "http://assets.example:8080", "203.0.113.9:0"},
		{"nothing forwarded", []string{"127.0.0.1"}, nil, "", "127.0.0.1:"},
		{"nonsense", []string{"127.0.0.1"}, []string{"X-Forwarded-For", "unknown", "X-Forwarded-Proto", "gopher"},
			"", "127.0.0.1:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, mustertest.SQLite, func(cfg *server.Config) {
				cfg.Proxies, cfg.AllowHosts = test.proxies, []string{"assets.example"}
			})
			want := test.base
			if want == "" {
				want = s.Base
			}
			r := s.Admin().Get("/api.xml", test.header...)
			if !strings.Contains(r.Body, "<href>"+want+"/hardwares.xml</href>") {
				t.Errorf("got %d %s, want addresses that begin with %s", r.Status, r.Body, want)
			}
			if log := s.Log.String(); !strings.Contains(log, `"from":"`+test.from) {
				t.Errorf("got the log\n%s\nwant requests from %s", log, test.from)
			}
		})
	}
}

// TestForwardedHost is checked like any other.
func TestForwardedHost(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, func(cfg *server.Config) { cfg.Proxies = []string{"127.0.0.1"} })
	refused(t, "a host that is not served", s.Admin().Get("/api.xml", "X-Forwarded-Host", "evil.example"),
		http.StatusMisdirectedRequest, "evil.example")
}

func TestAllowHost(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite,
		func(cfg *server.Config) { cfg.AllowHosts = []string{"Assets.Example", "192.0.2.7", "*.corp.example"} })
	c := s.Admin()
	for host, want := range map[string]int{
		"assets.example": 200, "ASSETS.example:8443": 200, "192.0.2.7": 200, "desk.corp.example": 200,
		"other.example": 421, "corp.example": 421, "a.b.corp.example": 421, "192.0.2.8": 421,
	} {
		c.Host = host
		r := c.Get("/api.xml")
		equal(t, host, r.Status, want)
		if want == 200 && !strings.Contains(r.Body, "<href>https://"+host+"/hardwares.xml</href>") {
			t.Errorf("%s: got %s, want addresses of that host", host, r.Body)
		}
	}
}

// TestBasePath serves all below the path of the base URL.
func TestBasePath(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"https://assets.example/it/muster", "https://assets.example/it/muster/"} {
		mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
			s := start(t, db, func(cfg *server.Config) { cfg.BaseURL = base })
			c := s.Admin()
			const below = "/it/muster"
			made := c.Do("POST", below+"/hardwares", hardware("<name>a</name>"))
			equal(t, "Location", made.Header.Get("Location"), "https://assets.example/it/muster/hardwares/1.xml")
			list := c.Get(below + "/hardwares.xml")
			for _, text := range []string{
				made.Body, list.Body, list.Header.Get("Link"), c.Get(below + "/api.json").Body,
			} {
				if !strings.Contains(text, "https://assets.example/it/muster/hardwares") {
					t.Errorf("got %s, want addresses below the base URL", text)
				}
			}
			for target, want := range map[string]int{
				"/hardwares.xml": 404, "/it/musterhardwares.xml": 404, "/it/muster.xml": 404,
				"/it/muster": 200, "/it/muster/": 200, "/": 200, // which lead to the web application
				below + "/healthz": 200, "/healthz": 200, below + "/readyz": 200, below + "/hardwares/1": 200,
			} {
				equal(t, target, c.Get(target).Status, want)
			}
			equal(t, "without credentials", s.Anonymous().Get("/elsewhere").Status, http.StatusUnauthorized)
		})
	}
}
