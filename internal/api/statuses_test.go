package api_test

import (
	"strings"
	"testing"

	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestStatuses goes through the statuses of the contract and what each answer
// carries. 503 and 507 need trouble: TestDatabaseAway, TestGateFull and, in
// cmd/muster, TestFullDisk are about them.
func TestStatuses(t *testing.T) {
	t.Parallel()
	const name, busyLimit = "<name>a</name>", 30
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{
			Database: db.New(t), Kinds: []*kind.Schema{gadgets.Schema},
			Change: func(cfg *server.Config) { cfg.RateLimit = busyLimit },
		})
		fleet(s, 1)
		c, elsewhere := s.Admin(), s.Admin()
		elsewhere.Host = "elsewhere.example"
		reader, busy := s.AddUser("reader@example.com", "technician", true),
			s.AddUser("busy@example.com", "technician", false)
		for range busyLimit {
			busy.Get("/api")
		}
		taken := "<asset-id>A-1</asset-id>"
		equal(t, "201", c.Do("POST", "/hardwares", hardware(name+taken)).Header.Get("Location"),
			s.Base+"/hardwares/2.xml")
		tag := c.Get("/hardwares/1.xml").Header.Get("ETag")
		for _, test := range []struct {
			status               int
			by                   *mustertest.Client
			method, target, body string
			header               []string // sent: a name and a value
			carries              string   // a header of the answer
		}{
			{200, c, "GET", "/hardwares.xml", "", nil, "ETag"},
			{200, c, "HEAD", "/hardwares.xml", "", nil, "ETag"},
			{200, c, "PUT", "/hardwares/2.xml", hardware("<site>HQ</site>"), nil, "ETag"},
			{200, c, "DELETE", "/hardwares/2.xml", "", nil, "Content-Length"},
			{201, c, "POST", "/hardwares.xml", hardware(name + taken), nil, "Location"},
			{204, c, "OPTIONS", "/hardwares.xml", "", nil, "Allow"},
			{304, c, "GET", "/hardwares/1.xml", "", []string{"If-None-Match", tag}, "ETag"},
			{400, c, "POST", "/hardwares.xml", "<hardware>", nil, ""},
			{400, c, "GET", "/hardwares.xml?colour=red", "", nil, ""},
			{401, s.Anonymous(), "GET", "/hardwares.xml", "", nil, "WWW-Authenticate"},
			{403, reader, "POST", "/hardwares.xml", hardware(name), nil, ""},
			{404, c, "GET", "/hardwares/99.xml", "", nil, ""},
			{405, c, "PATCH", "/hardwares.xml", "", nil, "Allow"},
			{406, c, "GET", "/hardwares.xml", "", []string{"Accept", "application/vnd.service.v9+xml"}, ""},
			{409, c, "POST", "/hardwares.xml", hardware(name + taken), nil, ""},
			{412, c, "PUT", "/hardwares/1.xml", hardware(name), []string{"If-Match", `"other"`}, ""},
			{413, c, "POST", "/hardwares.xml", strings.Repeat(" ", 1<<20+1), nil, ""},
			{414, c, "GET", "/hardwares.xml?name=" + strings.Repeat("a", 7000), "", nil, ""},
			{415, c, "POST", "/hardwares.xml", "{}", []string{"Content-Type", "application/json"}, ""},
			{421, elsewhere, "GET", "/hardwares.xml", "", nil, ""},
			{422, c, "POST", "/hardwares.xml", hardware(""), nil, ""},
			{429, busy, "GET", "/hardwares.xml", "", nil, "Retry-After"},
			{500, c, "POST", "/test_gadgets.xml", "<test-gadget><name>boom</name></test-gadget>", nil, ""},
		} {
			r := test.by.Do(test.method, test.target, test.body, test.header...)
			what := test.method + " " + test.target[:min(40, len(test.target))]
			if test.status >= 400 {
				refused(t, what, r, test.status, "")
			}
			equal(t, what, r.Status, test.status)
			for _, header := range []string{"X-Request-Id", test.carries} {
				if header != "" && r.Header.Get(header) == "" {
					t.Errorf("%d %s: got no %s in %v", r.Status, what, header, r.Header)
				}
			}
		}
	})
}
