package api_test

import (
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

func TestPaths(t *testing.T) {
	t.Parallel()
	const noRecord = "there is no computer with the id"
	tests := []struct {
		method, target string
		status         int
		text           string // of the error
	}{
		{"GET", "/hardwares.xml", 200, ""},
		{"GET", "/hardwares", 200, ""},
		{"GET", "/%68ardwares%2Exml", 200, ""},
		{"GET", "/hardwares/1", 200, ""},
		{"GET", "/hardwares/01", 200, ""},
		{"GET", "/hardwares/1-some-name.xml", 200, ""},
		{"GET", "/hardwares/1-some-name", 200, ""},
		{"GET", "/hardwares/1-", 200, ""},
		{"GET", "/hardwares/1--5.xml", 200, ""},
		{"GET", "/hardwares/1-v1.5.xml", 200, ""},
		{"GET", "/hardwares/1-%3Cb%3E.xml", 200, ""},
		{"PUT", "/hardwares/1-some-name.xml", 200, ""},
		// Not clean.
		{"GET", "/hardwares/", 404, ""},
		{"GET", "/hardwares.xml/", 404, ""},
		{"GET", "//hardwares", 404, ""},
		{"GET", "//hardwares.xml", 404, ""},
		{"GET", "/hardwares//1", 404, ""},
		{"GET", "/hardwares/1/", 404, ""},
		{"GET", "/hardwares/./1", 404, ""},
		{"GET", "/hardwares/../api", 404, ""},
		{"GET", "/hardwares/%2e%2e/api", 404, ""},
		{"GET", "/hardwares%2F1", 404, ""},
		{"GET", "/hardwares%2f1.xml", 404, ""},
		{"GET", "/hardwares/1%2Fsoftwares", 404, ""},
		{"GET", "/hardwares/1-a%2Fb.xml", 404, ""},
		{"GET", "/hardwares/%252F", 404, ""},
		{"GET", "/hardwares%00", 404, "there is nothing at /hardwares%00"},
		{"GET", "/hardwares/1%00", 404, ""},
		{"GET", "/%ff%fe", 404, "there is nothing at /%ff%fe"},
		{"GET", "/%3Cerror%3E&amp;", 404, "there is nothing at /%3Cerror%3E&amp;"},
		// Extensions.
		{"GET", "/hardwares.XML", 404, ""},
		{"GET", "/hardwares.Xml", 404, ""},
		{"GET", "/hardwares.html", 404, ""},
		{"GET", "/hardwares.JSON", 404, ""},
		{"GET", "/hardwares.", 404, ""},
		{"GET", "/hardwares.xml.xml", 404, ""},
		{"GET", "/hardwares/1.pdf", 404, ""},
		{"GET", "/hardwares/1.5", 404, ""},
		{"GET", "/hardwares/.xml", 404, ""},
		{"GET", "/.xml", 404, ""},
		{"GET", "/hardwares.xml/1.xml", 404, ""},
		// Unknown.
		{"GET", "/Hardwares", 404, ""},
		{"GET", "/computers.xml", 404, ""},
		{"GET", "/people.xml", 404, ""},
		{"GET", "/hardwares/1/2", 404, ""},
		{"GET", "/api/1", 404, ""},
		{"DELETE", "/nothing", 404, ""},
		{"OPTIONS", "/nothing", 404, ""},
		// Ids.
		{"GET", "/hardwares/0", 404, noRecord},
		{"GET", "/hardwares/-1", 404, noRecord},
		{"GET", "/hardwares/+1", 404, noRecord},
		{"GET", "/hardwares/%2B1", 404, noRecord},
		{"GET", "/hardwares/%201", 404, noRecord},
		{"GET", "/hardwares/1_0", 404, noRecord},
		{"GET", "/hardwares/0x1", 404, noRecord},
		{"GET", "/hardwares/1e0", 404, noRecord},
		{"GET", "/hardwares/%D9%A1", 404, noRecord},
		{"GET", "/hardwares/1,2", 404, noRecord},
		{"GET", "/hardwares/1'%20OR%20'1'='1", 404, noRecord},
		{"GET", "/hardwares/abc.xml", 404, noRecord},
		{"GET", "/hardwares/2.xml", 404, noRecord},
		{"GET", "/hardwares/9223372036854775807.xml", 404, noRecord},
		{"GET", "/hardwares/9223372036854775808.xml", 404, noRecord + ` "9223372036854775808"`},
		{"GET", "/hardwares/18446744073709551617.xml", 404, noRecord},
		{"PUT", "/hardwares/9223372036854775807", 404, noRecord},
		{"DELETE", "/hardwares/9223372036854775808", 404, noRecord},
		// Parameters where none means anything.
		{"GET", "/api.xml?page=1", 400, "unknown parameter page"},
		{"GET", "/hardwares/1.xml?view=system", 400, "unknown parameter view"},
		{"GET", "/hardwares/1.xml?b=1&a=2", 400, "unknown parameter a"},
		{"GET", "/hardwares/1.xml?%01%ff=1", 400, "unknown parameter \uFFFD\uFFFD"},
		{"GET", "/hardwares/1.xml?a=%zz", 400, "the query does not parse"},
		{"POST", "/hardwares.xml?page=1", 400, "unknown parameter page"},
		{"PUT", "/hardwares/1.xml?a", 400, "unknown parameter a"},
		{"DELETE", "/hardwares/1.xml?force=1", 400, "unknown parameter force"},
		{"GET", "/hardwares/1?", 200, ""},
		// Too long.
		{"GET", "/hardwares.xml?name=" + strings.Repeat("a", 6144-20), 200, ""},
		{"GET", "/hardwares.xml?name=" + strings.Repeat("a", 6145-20), 414, "longer than 6144 bytes"},
		{"GET", "/" + strings.Repeat("a", 7000), 414, "longer than 6144 bytes"},
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 1)
		count := 0
		fresh := nonce(t, s)
		w := dial(t, s)
		for _, test := range tests {
			count++
			w.send(test.method+" "+test.target+" HTTP/1.1", "Host: localhost", "Content-Length: 11",
				"Authorization: "+admin.header(test.method, test.target, fresh, count))
			w.write("<hardware/>")
			r := w.answer()
			what := test.method + " " + test.target[:min(60, len(test.target))]
			if test.status != http.StatusOK {
				refused(t, what, r, test.status, test.text)
				continue
			}
			equal(t, what+": status", r.Status, http.StatusOK)
			equal(t, what+": Location", r.Header.Get("Location"), "")
		}
	})
}

func TestVerbs(t *testing.T) {
	t.Parallel()
	tests := []struct {
		target, allow string
		refused       []string
	}{
		{"/api", "GET, HEAD, OPTIONS", []string{"POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW", "get"}},
		{"/hardwares", "GET, HEAD, POST, OPTIONS", []string{"PUT", "DELETE", "PATCH", "PROPFIND"}},
		{"/hardwares/1", "GET, HEAD, PUT, DELETE, OPTIONS", []string{"POST", "PATCH"}},
		{"/hardwares/99", "GET, HEAD, PUT, DELETE, OPTIONS", []string{"POST"}},
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 1)
		c := s.Admin()
		for _, test := range tests {
			for _, target := range []string{test.target, test.target + ".xml"} {
				for _, method := range test.refused {
					r := c.Do(method, target, "<hardware/>")
					refused(t, method+" "+target, r, http.StatusMethodNotAllowed, method)
					equal(t, method+" "+target+": Allow", r.Header.Get("Allow"), test.allow)
				}
				r := c.Do("OPTIONS", target, "")
				equal(t, "OPTIONS "+target, []any{r.Status, r.Body, r.Header.Get("Allow")},
					[]any{http.StatusNoContent, "", test.allow})
				if r.Header.Get("X-Request-Id") == "" {
					t.Errorf("OPTIONS %s: got no X-Request-Id, want one", target)
				}
			}
		}
	})
}

// TestHead compares HEAD with GET, for answers of every sort.
func TestHead(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 30)
		c := s.Admin()
		for _, target := range []string{
			"/api.xml", "/hardwares.xml", "/hardwares?page=2", "/hardwares?after=3", "/hardwares/1.xml",
			"/hardwares/99", "/nothing", "/hardwares?x=1", "/hardwares.pdf",
		} {
			get, head := c.Get(target), c.Do("HEAD", target, "")
			equal(t, "HEAD "+target+": status", head.Status, get.Status)
			equal(t, "HEAD "+target+": body", head.Body, "")
			for _, h := range []http.Header{get.Header, head.Header} {
				for _, name := range []string{"X-Request-Id", "Authentication-Info", "Date"} {
					if h.Get(name) == "" {
						t.Errorf("%s: got no %s, want one", target, name)
					}
					h.Del(name)
				}
			}
			equal(t, "HEAD "+target+": headers", head.Header, get.Header)
		}
	})
}

// TestHeaders checks what every answer carries.
func TestHeaders(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	fleet(s, 1)
	seen := map[string]bool{}
	for target, c := range map[string]*mustertest.Client{
		"/hardwares.xml": s.Admin(), "/hardwares/1": s.Admin(), "/hardwares/99": s.Admin(), "/no": s.Admin(),
		"/api": s.Anonymous(),
	} {
		r := c.Get(target)
		equal(t, target+": Cache-Control", r.Header.Get("Cache-Control"), "private, no-cache")
		equal(t, target+": X-Content-Type-Options", r.Header.Get("X-Content-Type-Options"), "nosniff")
		if vary := r.Header.Get("Vary"); !strings.Contains(vary, "Accept") {
			t.Errorf("%s: got Vary %q, want Accept in it", target, vary)
		}
		id := r.Header.Get("X-Request-Id")
		if len(id) != 16 || seen[id] {
			t.Errorf("%s: got X-Request-Id %q, want 16 digits that are new", target, id)
		}
		seen[id] = true
		if !strings.Contains(s.Log.String(), id) {
			t.Errorf("%s: got no line of the log with %s, want one", target, id)
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Anonymous()
		c.Host = "watch.example"
		for _, target := range []string{"/healthz", "/readyz"} {
			r := c.Get(target)
			equal(t, target, []any{r.Status, r.Body, r.Header.Get("Content-Type")},
				[]any{200, "ok\n", "text/plain; charset=utf-8"})
			equal(t, "HEAD "+target, c.Do("HEAD", target, "").Status, http.StatusOK)
			r = c.Do("POST", target, "x")
			equal(t, "POST "+target, []any{r.Status, r.Header.Get("Allow")}, []any{405, "GET, HEAD"})
		}
	})
}
