package api_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestRequester: requesters cannot distinguish a record that they may not see from one
// that does not exist.
func TestRequester(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		boss, c := s.Admin(), s.AddUser("anna@example.com", inventory.Requester, false)
		create(t, boss, "<name>foreign</name><site>HQ</site>")
		create(t, boss, "<name>own</name><site>HQ</site><owner>anna@example.com</owner>")
		create(t, boss, "<name>contact</name><site>HQ</site><technical-contact>anna@example.com</technical-contact>")
		create(t, boss, "<name>own too</name><owner>anna@example.com</owner>")
		for query, want := range map[string]string{
			"": "2 4", "site=hq": "2", "name=foreign": "", "name=*": "2 4", "owner=": "", "owner=*": "2 4",
			"owner=admin@localhost": "",
			"owner=anna*&owner=":    "2 4", "after=0": "2 4", "after=2": "4", "per_page=1&page=2": "4",
			"sort_by=name&sort_order=DESC": "4 2", "page=9": "",
		} {
			equal(t, "?"+query, ids(t, c.Get("/hardwares?"+query).Body), want)
		}
		r := c.Get("/hardwares?per_page=1")
		equal(t, "totals", []string{r.Header.Get("X-Total-Count"), r.Header.Get("X-Total-Pages")}, []string{"2", "2"})
		for _, method := range []string{"GET", "PUT", "DELETE"} {
			foreign, none := c.Do(method, "/hardwares/1", "<"), c.Do(method, "/hardwares/9", "<")
			refused(t, method+" foreign", foreign, http.StatusNotFound, "there is no computer with the id 1")
			equal(t, method+" foreign", strings.ReplaceAll(foreign.Body, "id 1", "id 9"), none.Body)
		}
		refused(t, "PUT own", c.Do("PUT", "/hardwares/2", "<"), http.StatusForbidden,
			"a requester may not change computer records")
		refused(t, "GET audits", c.Get("/audits"), http.StatusForbidden, "a requester may not see audit records")
		refused(t, "POST", c.Do("POST", "/hardwares", "<"), http.StatusForbidden,
			"a requester may not create computer records")
		equal(t, "PUT by the administrator", boss.Do("PUT", "/hardwares/2", hardware("<owner/>")).Status, http.StatusOK)
		refused(t, "GET of what was own", c.Get("/hardwares/2"), http.StatusNotFound,
			"there is no computer with the id 2")
	})
}

// TestDisabledMeanwhile disables a user whose request has been let in but has
// not changed anything yet.
func TestDisabledMeanwhile(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 1)
		for method, target := range map[string]string{"POST": "/hardwares", "PUT": "/hardwares/1"} {
			l := login{strings.ToLower(method) + "@example.com", mustertest.AdminPassword, "SHA-256"}
			s.AddUser(l.user, inventory.Technician, false)
			doc := hardware("<name>changed</name>")
			w := dial(t, s)
			w.send(method+" "+target+" HTTP/1.1", "Host: localhost", "Expect: 100-continue",
				"Content-Length: "+strconv.Itoa(len(doc)),
				"Authorization: "+l.header(method, target, nonce(t, s), 1))
			equal(t, method+": let in", w.answer().Status, http.StatusContinue)
			s.User(server.UserCommand{Do: "disable", Email: l.user})
			w.write(doc)
			refused(t, method, w.answer(), http.StatusForbidden, "the user "+l.user+" is disabled")
		}
		r := s.Admin().Get("/hardwares")
		equal(t, "computers", []string{r.Header.Get("X-Total-Count"), value(t, r.Body, "hardware", "name")},
			[]string{"1", "c1"})
	})
}

func TestHosts(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, func(cfg *server.Config) { cfg.BaseURL = "https://Assets.Example:8443" })
		for host, status := range map[string]int{
			"localhost": 200, "LOCALHOST": 200, "localhost:1": 200, "127.0.0.1": 200, "127.0.0.1:8443": 200,
			"127.9.9.9": 200,
			"[::1]":     200, "[::1]:8443": 200, "assets.example": 200, "ASSETS.example:9": 200,
			"": 421, "evil.example": 421, "localhost.evil.example": 421, "evil.example:8443": 421,
			"assets.example.": 421, "localhost:x": 421, "localhost:99999": 421,
			"localhost:+1": 421, "10.0.0.1": 421, "[fe80::1]": 421, "localhost,evil.example": 421,
			"127.0.0.1.evil.example": 421,
			"::1":                    421, "[::1": 421, "::1]": 421, "[localhost]": 421, "]localhost[": 421,
			"[127.0.0.1]": 421, "[::1%25evil]": 421, "[::1]evil": 421, "[::1]:": 200, "localhost:": 200,
		} {
			w := dial(t, s)
			w.send("GET /api HTTP/1.1", "Host: "+host, "Authorization: "+admin.header("GET", "/api", nonce(t, s), 1))
			r := w.answer()
			if status != http.StatusOK {
				refused(t, "Host "+host, r, status, "is not served here")
				equal(t, "Host "+host+": challenge", r.Header.Get("WWW-Authenticate"), "")
				continue
			}
			equal(t, "Host "+host, r.Status, status)
			equal(t, "Host "+host+": address", value(t, r.Body, "service", "href"),
				"https://Assets.Example:8443/hardwares.xml")
		}
	})
}

// TestAddresses: addresses in documents are made of the checked host alone.
func TestAddresses(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	fresh := nonce(t, s)
	for i, test := range []struct {
		target string
		header []string
		status int
		want   string
	}{
		{"/api", []string{"Host: localhost:77"}, 200, "https://localhost:77"},
		{"/api", []string{"Host: [::1]:77"}, 200, "https://[::1]:77"},
		{"https://localhost/api", []string{"Host: localhost"}, 200, "https://localhost"},
		{"https://localhost:5/api", []string{"Host: evil.example"}, 200, "https://localhost:5"},
		{"https://evil.example/api", []string{"Host: localhost"}, 421, ""},
		{"http://evil.example/api", []string{"Host: localhost"}, 421, ""},
		{"/api", []string{"Host: localhost", "X-Forwarded-Host: evil.example", "X-Forwarded-Proto: http",
			"X-Forwarded-For: 1.2.3.4", "X-Forwarded-Port: 1",
			"Forwarded: for=1.2.3.4;host=evil.example;proto=http", "X-Real-IP: 1.2.3.4", "X-Original-URL: /hardwares",
			"X-Rewrite-URL: /hardwares",
			"X-HTTP-Method-Override: DELETE", "X-Forwarded-Prefix: /evil", "X-Remote-User: root"}, 200,
			"https://localhost"},
	} {
		w := dial(t, s)
		w.send(append([]string{"GET " + test.target + " HTTP/1.1", "Authorization: " + admin.header("GET", test.target,
			fresh, i)}, test.header...)...)
		r := w.answer()
		if test.status != http.StatusOK {
			refused(t, test.target, r, test.status, "is not served here")
			continue
		}
		equal(t, test.target+": status", r.Status, test.status)
		equal(t, test.target+": address", value(t, r.Body, "service", "href"), test.want+"/hardwares.xml")
	}
	if log := s.Log.String(); strings.Contains(log, "1.2.3.4") {
		t.Errorf("got a forwarded address in the log, want the connection's\n%s", log)
	}
	w := dial(t, s)
	w.send("GET /api HTTP/1.0", "Authorization: "+admin.header("GET", "/api", fresh, 50))
	refused(t, "HTTP/1.0 without a host", w.answer(), http.StatusMisdirectedRequest, "is not served here")
}

// TestOtherSites: a page of another site cannot use a browser's credentials.
func TestOtherSites(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 1)
		c := s.Admin()
		for _, test := range []struct {
			name, value string
			status      int
		}{
			{"Sec-Fetch-Site", "cross-site", 403}, {"Sec-Fetch-Site", "same-site", 403},
			{"Sec-Fetch-Site", "same-origin", 200}, {"Sec-Fetch-Site", "none", 200},
			{"Origin", "https://evil.example", 403}, {"Origin", "null", 403}, {"Origin", s.Base, 200},
		} {
			for _, method := range []string{"POST", "PUT", "DELETE"} {
				target := map[string]string{
					"POST": "/hardwares", "PUT": "/hardwares/1", "DELETE": "/hardwares/999",
				}[method]
				r := c.Do(method, target, hardware("<name>"+test.value+"</name>"), test.name, test.value)
				if test.status == http.StatusForbidden {
					refused(t, method+" "+test.name+" "+test.value, r, test.status,
						"a page of another site may not change records")
				} else if r.Status == http.StatusForbidden {
					t.Errorf("%s %s %s: got 403, want it let in", method, test.name, test.value)
				}
			}
			r := c.Get("/hardwares", test.name, test.value)
			equal(t, "GET "+test.value, r.Status, http.StatusOK)
			for name := range r.Header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("GET %s: got %s, want no CORS", test.value, name)
				}
			}
		}
		equal(t, "computers", c.Get("/hardwares").Header.Get("X-Total-Count"), "4")
	})
}

// TestHTTP2 goes the whole way over the other protocol.
func TestHTTP2(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	transport := s.Transport()
	transport.ForceAttemptHTTP2 = true
	for i, test := range []struct {
		size   int
		status int
		signed bool
	}{{20, 201, true}, {2 << 20, 413, true}, {2 << 20, 401, false}} {
		doc := hardware("<name>a</name>") + strings.Repeat(" ", test.size)
		req, err := http.NewRequest("POST", s.Base+"/hardwares", strings.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		if test.signed {
			req.Header.Set("Authorization", admin.header("POST", "/hardwares", nonce(t, s), i))
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			t.Fatalf("POST of %d: %v", test.size, err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatalf("POST of %d: %v", test.size, err)
		}
		equal(t, "protocol", resp.Proto, "HTTP/2.0")
		equal(t, "status of POST of "+strconv.Itoa(test.size)+": "+string(body), resp.StatusCode, test.status)
		_ = resp.Body.Close()
	}
}
