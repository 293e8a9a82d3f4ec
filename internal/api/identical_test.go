//go:build full

package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// A step is a request of the sequence and the status that it is answered with.
type step struct {
	who, method, target, body string
	status                    int
}

// sequence is one day of an inventory. An hour passes before each step of the
// administrator.
func sequence(full string) []step {
	const name = "<name>x</name>"
	steps := []step{
		{"admin", "GET", "/api.xml", "", 200},
		{"admin", "GET", "/hardwares.xml", "", 200},
		{"admin", "POST", "/hardwares.xml", full, 201},
		{"admin", "POST", "/hardwares.xml", full, 409},
		{"admin", "POST", "/hardwares", hardware(name), 201},
		{"admin", "POST", "/hardwares", hardware(""), 422},
		{"admin", "POST", "/hardwares", hardware(name + "<asset-id>mus-000001</asset-id>"), 409},
		{"admin", "POST", "/hardwares",
			hardware(name + "<colour>red</colour><memory>x</memory><owner><id>77</id></owner>"), 422},
		{"admin", "POST", "/hardwares", "<hardware>", 400},
		{"admin", "POST", "/hardwares",
			hardware(name + "<asset-id>MUS-000002</asset-id><owner>anna@example.com</owner><site>Zürich</site>"), 201},
		{"admin", "POST", "/hardwares",
			hardware("<name>straße</name><site>zürich</site><tag>STRASSE</tag><owner><name>bert öhm</name></owner>"),
			201},
		{"admin", "POST", "/hardwares",
			hardware("<name>Ångström</name><site>ZÜRICH</site><tag>straße</tag><cpu>  B </cpu><memory>0</memory>"),
			201},
		{"admin", "POST", "/hardwares",
			hardware("<name>" + strings.Repeat("😀", 255) + "</name><notes>" + strings.Repeat("é",
				30_000) + "</notes>"), 201},
		{"admin", "POST", "/hardwares", hardware("<name>" + strings.Repeat("😀", 256) + "</name>"), 422},
		{"anna", "POST", "/hardwares", hardware(name), 403},
		{"reader", "POST", "/hardwares", hardware(name), 403},
		{"admin", "GET", "/hardwares/1.xml", "", 200},
		{"admin", "GET", "/hardwares/3-x.xml", "", 200},
		{"admin", "GET", "/hardwares/99.xml", "", 404},
		{"admin", "PUT", "/hardwares/1.xml", full, 200},
		{"admin", "PUT", "/hardwares/2",
			hardware("<tag>a*b</tag><videos><video><memory>0</memory></video><video><name>v</name></video></videos>"),
			200},
		{"admin", "PUT", "/hardwares/2", hardware("<asset-id>A-100</asset-id>"), 409},
		{"admin", "PUT", "/hardwares/2", hardware("<status>unknown</status>"), 422},
		{"admin", "PUT", "/hardwares/2",
			hardware("<status>lost</status><bio><ssn>S</ssn><manufacturer>M</manufacturer></bio>"), 200},
		{"admin", "PUT", "/hardwares/2", hardware("<manufacturer>N</manufacturer><bioses/>"), 200},
		{"admin", "PUT", "/hardwares/99", hardware(name), 404},
		{"anna", "PUT", "/hardwares/3", hardware(name), 403},
		{"anna", "PUT", "/hardwares/2", hardware(name), 404},
		{"anna", "GET", "/hardwares.xml", "", 200},
		{"anna", "GET", "/hardwares.xml?site=*", "", 200},
		{"anna", "GET", "/hardwares/2", "", 404},
		{"reader", "GET", "/hardwares/2", "", 200},
		{"reader", "DELETE", "/hardwares/2", "", 403},
		{"none", "GET", "/hardwares.xml", "", 401},
		{"none", "DELETE", "/hardwares/2", "", 401},
		{"admin", "DELETE", "/hardwares/5.xml", "", 200},
		{"admin", "DELETE", "/hardwares/5.xml", "", 404},
		{"admin", "POST", "/hardwares",
			hardware(name + "<networks><network><mac-address>AA:BB</mac-address><status>up</status></network></networks>"), 201},
		{"admin", "PATCH", "/hardwares", "", 405},
		{"admin", "OPTIONS", "/hardwares/1", "", 204},
		{"admin", "HEAD", "/hardwares.xml", "", 200},
		{"admin", "GET", "/hardwares.json", "", 200},
		{"admin", "GET", "/hardwares/1.json", "", 200},
		{"admin", "GET", "/hardwares/99.json", "", 404},
		{"admin", "GET", "/hardwares?colour=red", "", 400},
		{"admin", "GET", "/hardwares?name=%00", "", 400},
	}
	for _, query := range []string{
		"", "per_page=2", "per_page=2&page=2", "page=9", "after=0&per_page=2", "after=3&per_page=2", "after=6",
		"site=z%C3%BCrich", "tag=strasse", "tag=STRA%C3%9FE",
		"tag=a%5C*b", "name=*%C3%B6m", "name=%C3%A5*", "owner=", "owner=*b*", "mac_address=aa:bb", "mac_address=*",
		"manufacturer=n", "processor=b", "serial_number=",
		"site=&site=z*", "recently_added=0", "not_reporting=0", "not_reporting=1",
		"updated_since=2026-02-01T00:00:00Z", "status=lost&tag=a*", "name=*%F0%9F%98%80",
		"sort_by=name", "sort_by=name&sort_order=DESC", "sort_by=site", "sort_by=tag&sort_order=DESC", "sort_by=owner",
		"sort_by=owner&sort_order=DESC", "sort_by=cpu",
		"sort_by=updated-at&sort_order=DESC", "sort_by=manufacturer", "sort_by=detected-at",
		"sort_by=asset_id&per_page=3&page=2",
	} {
		steps = append(steps, step{"admin", "GET", "/hardwares.xml?" + query, "", 200})
	}
	return steps
}

// run makes the requests of the sequence on a database and returns what was
// answered.
func run(t *testing.T, db mustertest.Database) (answers []string) {
	s := start(t, db, func(cfg *server.Config) { cfg.BaseURL = "https://assets.example" })
	people(s)
	s.User(server.UserCommand{Do: "passwd", Email: "anna@example.com", Password: mustertest.AdminPassword})
	clients := map[string]*mustertest.Client{
		"admin": s.Admin(), "anna": s.Client("anna@example.com", mustertest.AdminPassword),
		"reader": s.AddUser("reader@example.com", inventory.Technician, true), "none": s.Anonymous(),
	}
	for _, step := range sequence(golden(t, "computer.xml", "https://assets.example")) {
		if step.who == "admin" {
			s.Clock.Advance(time.Hour)
		}
		c := clients[step.who]
		c.Host = "assets.example"
		r := c.Do(step.method, step.target, step.body)
		if r.Status != step.status {
			t.Errorf("%s %s %s: got %d %s, want %d", step.who, step.method, step.target, r.Status, r.Body, step.status)
		}
		answer := step.who + " " + step.method + " " + step.target + "\n" + http.StatusText(r.Status) + "\n"
		for _, name := range []string{"Link", "Location", "Allow", "Content-Type", "Content-Length", "X-Total-Count",
			"X-Total-Pages", "X-Current-Page", "X-Per-Page"} {
			answer += name + ": " + strings.Join(r.Header.Values(name), "\n") + "\n"
		}
		answers = append(answers, answer+r.Body)
	}
	for _, audit := range s.Audits() {
		answers = append(answers,
			strings.Join([]string{"audit", audit.Action, audit.RecordType, audit.RecordName, audit.Message,
				audit.CreatedAt.UTC().String()}, "\n"))
	}
	return answers
}

// TestIdentical: one sequence of requests is answered alike by all databases,
// byte by byte, and leaves the same audit trail.
func TestIdentical(t *testing.T) {
	t.Parallel()
	var first []string
	for _, db := range mustertest.Databases() {
		t.Run(db.Name, func(t *testing.T) {
			answers := run(t, db)
			if first == nil {
				first = answers
			}
			equal(t, "the answers of "+db.Name, answers, first)
		})
	}
}
