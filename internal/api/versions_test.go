package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

const (
	plainType  = "application/xml; charset=utf-8"
	v1Type     = "application/vnd.service.v1+xml; charset=utf-8"
	jsonType   = "application/json"
	v1JSONType = "application/vnd.service.v1+json"
)

// bareAccepts are Accept headers that get JSON at an address without extension.
var bareAccepts = map[string]string{
	"application/json":                                         jsonType,
	"application/json;q=0.5, image/png":                        jsonType,
	"application/json, application/xml;q=0.2":                  jsonType,
	"application/json, */*;q=0.5":                              jsonType,
	"application/json, */*":                                    jsonType,
	"application/json, application/vnd.service.v1+xml;q=0.1":   jsonType,
	"application/vnd.service.v1+xml;q=0.0, application/json":   jsonType,
	"application/xml;q=0, text/xml;q=0, application/json":      jsonType,
	"application/vnd.service.v1+json":                          v1JSONType,
	"application/vnd.service.v1+json, application/json":        v1JSONType,
	"application/vnd.service.v1+json, application/xml;q=0.9":   v1JSONType,
	"application/vnd.service.v9+json, application/json;q=0.01": jsonType,
}

// accepts are Accept headers and the content type that they get with the
// extension .xml, "" for 406.
var accepts = []struct{ accept, want string }{
	// None, and what means the latest.
	{"", plainType},
	{"*/*", plainType},
	{"application/*", plainType},
	{"text/*", plainType},
	{"application/xml", plainType},
	{"text/xml", plainType},
	{"APPLICATION/XML", plainType},
	{"application/xml; charset=utf-8", plainType},
	{"application/xml;charset=\"utf-8\"", plainType},
	{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", plainType},
	{"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", plainType}, // Java
	{"text/plain, */*;q=0.1", plainType},
	// A version.
	{"application/vnd.service.v1+xml", v1Type},
	{"Application/Vnd.Service.V1+XML", v1Type},
	{"application/vnd.service.v1+xml; charset=utf-8", v1Type},
	{"application/vnd.service.v1+xml;q=0.5", v1Type},
	{"application/vnd.service.v1+xml, */*", v1Type},
	{"*/*, application/vnd.service.v1+xml", v1Type},
	{"application/vnd.service.v1+xml, application/xml", v1Type},
	{"application/vnd.service.v1+xml, text/xml;q=0.5", v1Type},
	{"application/vnd.service.v9+xml, application/vnd.service.v1+xml", v1Type},
	{"application/vnd.service.v9+xml, application/vnd.service.v1+xml;q=0.1", v1Type},
	{"image/png, application/vnd.service.v1+xml", v1Type},
	{"application/json, application/vnd.service.v1+xml;q=0.1", v1Type},
	// Quality decides between the two.
	{"application/vnd.service.v1+xml;q=0.5, application/xml", plainType},
	{"application/vnd.service.v1+xml;q=0.5, text/xml;q=0.6", plainType},
	{"application/vnd.service.v1+xml;q=0.5, */*", v1Type}, // the version is the most specific
	{"application/vnd.service.v1+xml;q=0.5, */*, text/xml", plainType},
	{"application/vnd.service.v1+xml;q=0.7, */*;q=0.9, text/xml;q=0.5", v1Type},
	{"*/*, text/xml;q=0", plainType},
	{"application/xml;q=0, */*", v1Type},
	{"application/vnd.service.v1+xml;q=0, */*", plainType},
	{"application/vnd.service.v1+xml;q=0, application/xml;q=0.001", plainType},
	{"application/vnd.service.v9+xml, application/xml;q=0.1", plainType},
	{"application/vnd.service.v9+xml, */*;q=0.1", plainType},
	{"image/png, text/*;q=0.1", plainType},
	{"application/json, application/xml;q=0.2", plainType},
	{"text/xml;q=0, application/xml", plainType},
	{"application/xml;q=0, text/xml", plainType},
	{"application/xml;a=1;q=0.1, application/xml;q=0.9", plainType},
	// Members that do not parse are skipped; none left is none.
	{"nonsense", plainType},
	{",", plainType},
	{" , ,", plainType},
	{"application/xml;q=high", plainType},
	{"application/xml;q=NaN", plainType},
	{"application/xml;q=2", plainType},
	{"application/xml;q=-1", plainType},
	{"application/xml;q=Inf", plainType},
	{"image/png;q=NaN", plainType},
	{"/", plainType},
	{"a/b/c", plainType},
	{"application/", plainType},
	{"nonsense, application/vnd.service.v1+xml", v1Type},
	{"application/xml;q=9, application/vnd.service.v1+xml;q=0.1", v1Type},
	{`text/plain;a="x, application/vnd.service.v9+xml", application/xml`, plainType},
	{`text/plain;a="\", image/png", application/vnd.service.v1+xml`, v1Type},
	// Not served.
	{"application/vnd.service.v9+xml", ""},
	{"application/vnd.service.v0+xml", ""},
	{"application/vnd.service.v1.0+xml", ""},
	{"application/vnd.service.v1.2+xml", ""},
	{"application/vnd.service.v10+xml", ""},
	{"application/vnd.service.v9+json", ""},
	{"application/vnd.other.v1+xml", ""},
	{"application/json;q=0", ""},
	{"image/png", ""},
	{"image/*", ""},
	{"text/html", ""},
	{"nonsense, image/png", ""},
	{"application/xml;q=0", ""},
	{"*/*;q=0", ""},
	{"application/*;q=0, text/*;q=0, image/png", ""},
	{"application/vnd.service.v9+xml, */*;q=0", ""},
	{"application/vnd.service.v1+xml;q=0", ""},
	// JSON is served, but not with this extension; a version applies to both.
	{"application/json", plainType},
	{"application/json;q=0.5, image/png", plainType},
	{"application/json, application/xml", plainType},
	{"application/json, */*;q=0.5", plainType},
	{"application/json, */*", plainType},
	{"application/json;q=0.5, application/xml", plainType},
	{"application/json;q=0.5, */*", plainType},
	{"application/xml;q=0, text/xml;q=0, application/json", plainType},
	{"application/vnd.service.v1+xml;q=0.0, application/json", plainType},
	{"application/vnd.service.v9+json, application/json;q=0.01", plainType},
	{"application/vnd.service.v1+json", v1Type},
	{"application/vnd.service.v1+json, application/json", v1Type},
	{"application/vnd.service.v1+json, application/xml;q=0.9", plainType},
}

func TestAccept(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 1)
		c := s.Admin()
		for _, test := range accepts {
			for _, target := range []string{"/api.xml", "/hardwares", "/hardwares/1.xml"} {
				what := "GET " + target + ", Accept: " + test.accept
				r := c.Get(target, "Accept", test.accept)
				if want := bareAccepts[test.accept]; want != "" && target == "/hardwares" {
					equal(t, what, []any{r.Status, r.Header.Get("Content-Type")}, []any{http.StatusOK, want})
					continue
				}
				if test.want == "" {
					refused(t, what, r, http.StatusNotAcceptable, "application/vnd.service.v1+xml")
					equal(t, what+": Content-Type", r.Header.Get("Content-Type"), plainType)
					continue
				}
				equal(t, what, []any{r.Status, r.Header.Get("Content-Type")}, []any{http.StatusOK, test.want})
			}
		}
		for accept := range bareAccepts {
			if !slices.ContainsFunc(accepts, func(a struct{ accept, want string }) bool { return a.accept == accept }) {
				t.Errorf("Accept: %s is not asked for", accept)
			}
		}
		r := c.Get("/hardwares", "Accept", "application/vnd.service.v9+xml")
		refused(t, "version 9", r, http.StatusNotAcceptable, "version 1")
	})
}

// TestVersionOfAnswers asks for version 1 where the answer is not a plain 200.
func TestVersionOfAnswers(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c, anonymous, elsewhere := s.Admin(), s.Anonymous(), s.Admin()
		elsewhere.Host = "elsewhere.example"
		for _, test := range []struct {
			client               *mustertest.Client
			method, target, body string
			status               int
		}{
			{c, "POST", "/hardwares.xml", hardware("<name>a</name>"), 201},
			{c, "PUT", "/hardwares/1", hardware("<name>b</name>"), 200},
			{c, "DELETE", "/hardwares/1.xml", "", 200},
			{c, "GET", "/hardwares/1.xml", "", 404},
			{c, "GET", "/nothing", "", 404},
			{c, "GET", "/hardwares.pdf", "", 404},
			{c, "GET", "/hardwares?x=1", "", 400},
			{c, "PATCH", "/hardwares", "", 405},
			{c, "POST", "/hardwares", "<", 400},
			{c, "POST", "/hardwares", hardware(""), 422},
			{c, "GET", "/" + strings.Repeat("a", 9000), "", 414},
			{anonymous, "GET", "/hardwares", "", 401},
			{elsewhere, "GET", "/hardwares", "", 421},
		} {
			r := test.client.Do(test.method, test.target, test.body, "Accept", "application/vnd.service.v1+xml")
			what := test.method + " " + test.target[:min(40, len(test.target))]
			equal(t, what, []any{r.Status, r.Header.Get("Content-Type")}, []any{test.status, v1Type})
		}
		r := c.Do("POST", "/hardwares", hardware("<name>a</name>"), "Accept", "application/vnd.service.v9+xml")
		refused(t, "POST with version 9", r, http.StatusNotAcceptable, "version 1")
		equal(t, "computers after it", c.Get("/hardwares").Header.Get("X-Total-Count"), "0")
	})
}

// TestAcceptLines sends several Accept headers, which are one list.
func TestAcceptLines(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	w := dial(t, s)
	w.send("GET /api HTTP/1.1", "Host: localhost", "Accept: image/png", "Accept: application/vnd.service.v1+xml",
		"Authorization: "+admin.header("GET", "/api", nonce(t, s), 1))
	r := w.answer()
	equal(t, "two Accept lines", []any{r.Status, r.Header.Get("Content-Type")}, []any{http.StatusOK, v1Type})
}
