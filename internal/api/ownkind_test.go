package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// A gadget is of a kind that only this test knows.
type gadget struct {
	kind.Record
	Code, Name, Mode string
	Count            kind.Int
	Live             kind.Bool
	SeenAt, BoughtOn time.Time
	Keeper           kind.Person
	Note             string
	Wheels           []wheel
}

type wheel struct {
	Side string
	Size kind.Int
}

var gadgets = kind.Define("test-gadget", "test-gadgets", "Gadgets List", func(g *gadget, f *kind.Fields) {
	f.Noun("gadget")
	f.Record(&g.Record)
	f.Text("code", &g.Code).Unique().Filter()
	f.Text("name", &g.Name).Required().Filter()
	f.Text("mode", &g.Mode).Required().OneOf("Slow", "Fast").Default("Slow").Filter()
	f.Int("item-count", &g.Count).Filter()
	f.Bool("live", &g.Live).Filter()
	f.Time("seen-at", &g.SeenAt).Filter()
	f.Date("bought-on", &g.BoughtOn).Filter()
	f.Person("keeper", &g.Keeper).Filter()
	f.Stamps(&g.Record)
	f.Detail()
	f.LongText("note", &g.Note)
	kind.Many(f, "wheels", "wheel", &g.Wheels, func(w *wheel, f *kind.Fields) {
		f.Text("side", &w.Side).FilterAs("wheel_side")
		f.Int("size", &w.Size)
	}).Key("side")
	f.Listed()
	kind.Settle(f, func(g, _ *gadget) {
		if g.Name == "boom" {
			panic("a secret of the implementation")
		}
	})
})

const gadgetDocument = `<?xml version="1.0" encoding="UTF-8"?>
<test-gadget>
  <id>1</id>
  <href>BASE/test_gadgets/1.xml</href>
  <code>G-1</code>
  <name>Rover</name>
  <mode>Fast</mode>
  <item-count>0</item-count>
  <live>false</live>
  <seen-at>2026-01-30T12:00:00Z</seen-at>
  <bought-on>2025-12-24</bought-on>
  <keeper>
    <id>1</id>
    <name>admin@localhost</name>
    <email>admin@localhost</email>
  </keeper>
  <created-at>2026-01-31T09:30:00Z</created-at>
  <updated-at>2026-01-31T09:30:00Z</updated-at>
  <note>a &amp; b</note>
  <wheels type="array">
    <wheel>
      <side>left</side>
      <size>12</size>
    </wheel>
  </wheels>
</test-gadget>
`

// startGadgets starts a server that serves gadgets beside computers.
func startGadgets(t *testing.T, db mustertest.Database) *mustertest.Server {
	t.Helper()
	return mustertest.Start(t, mustertest.Options{On: db, Kinds: []*kind.Schema{gadgets.Schema}})
}

// TestOwnKind: a kind that is declared gets documents, a table, filters and
// routes, and nothing else is written for it.
func TestOwnKind(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := startGadgets(t, db)
		c := s.Admin()
		want := strings.ReplaceAll(gadgetDocument, "BASE", s.Base)
		if body := c.Get("/api.xml").Body; !strings.Contains(body,
			s.Base+"/test_gadgets.xml</href>\n    <name>Gadgets List</name>") {
			t.Errorf("the entry point: got %s, want the gadgets in it", body)
		}
		r := c.Do("POST", "/test_gadgets.xml", want)
		equal(t, "POST", []any{r.Status, r.Header.Get("Location"), r.Body},
			[]any{http.StatusCreated, s.Base + "/test_gadgets/1.xml", want})
		equal(t, "GET", c.Get("/test_gadgets/1").Body, want)
		s.Clock.Advance(time.Hour)
		equal(t, "PUT back", c.Do("PUT", "/test_gadgets/1.xml", want).Body, want)
		r = c.Do("POST", "/test_gadgets", "<test_gadget><name>bare</name></test_gadget>")
		equal(t, "POST of a name alone", []any{r.Status, value(t, r.Body, "mode"), value(t, r.Body, "live")},
			[]any{http.StatusCreated, "Slow", "nil"})

		for query, want := range map[string]string{
			"": "1 2", "code=g-1": "1", "code=": "2", "mode=slow": "2", "item_count=0": "1", "item_count=": "2",
			"live=false": "1", "live=true": "",
			"seen_at=2026-01-30": "1", "seen_at_from=2026-01-30T12:00:01Z": "", "seen_at_to=2026-01-30": "1",
			"bought_on=2025-12-24": "1",
			"keeper=admin*":        "1", "keeper=": "2", "wheel_side=LEFT": "1", "wheel_side=": "2",
			"updated_since=2026-01-31T10:00:00Z": "2",
			"sort_by=name":                       "2 1", "sort_by=item-count&sort_order=DESC": "1 2", "after=1": "2",
			"per_page=1&page=2": "2",
		} {
			equal(t, "?"+query, ids(t, c.Get("/test_gadgets.xml?"+query).Body), want)
		}
		refused(t, "a filter of another kind", c.Get("/test_gadgets?site=hq"), http.StatusBadRequest,
			"unknown parameter site")
		refused(t, "a code that is taken",
			c.Do("POST", "/test_gadgets", "<test-gadget><name>x</name><code>g-1</code></test-gadget>"),
			http.StatusConflict, "Code has already been taken: gadget 1 has ")
		refused(t, "no name", c.Do("POST", "/test_gadgets", "<test-gadget/>"), http.StatusUnprocessableEntity,
			"Name can't be blank")
		refused(t, "another root", c.Do("POST", "/test_gadgets", "<hardware/>"), http.StatusUnprocessableEntity,
			"want <test-gadget>")
		refused(t, "a hyphen in the path", c.Get("/test-gadgets"), http.StatusNotFound, "there is nothing at")
		equal(t, "PUT", value(t, c.Do("PUT", "/test_gadgets/2", "<test-gadget><live>1</live></test-gadget>").Body,
			"live"), "true")
		equal(t, "DELETE", c.Do("DELETE", "/test_gadgets/1", "").Body, want)
		refused(t, "GET after DELETE", c.Get("/test_gadgets/1"), http.StatusNotFound,
			"there is no gadget with the id 1")
		last := s.Audits()[len(s.Audits())-1]
		equal(t, "audit", []string{last.Action, last.RecordType, last.Message},
			[]string{"delete", "test-gadget", "Gadget Rover deleted"})

		requester := s.AddUser("anna@example.com", inventory.Requester, false)
		refused(t, "a requester's list", requester.Get("/test_gadgets"), http.StatusForbidden,
			"a requester may not see gadget records")
		refused(t, "a requester's record", requester.Get("/test_gadgets/2"), http.StatusNotFound, "there is no gadget")
		refused(t, "a requester's POST", requester.Do("POST", "/test_gadgets", "<"), http.StatusForbidden,
			"may not create gadget records")
		refused(t, "a requester's DELETE", requester.Do("DELETE", "/test_gadgets/2", ""), http.StatusNotFound,
			"there is no gadget")
	})
}

// TestInternalError makes the server panic in a change.
func TestInternalError(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := startGadgets(t, db)
		c := s.Admin()
		r := c.Do("POST", "/test_gadgets", "<test-gadget><name>boom</name></test-gadget>")
		refused(t, "POST", r, http.StatusInternalServerError,
			"internal error; the log has more about the request "+r.Header.Get("X-Request-Id"))
		if strings.Contains(r.Body, "secret") || !strings.Contains(s.Log.String(), "a secret of the implementation") {
			t.Errorf("got the body %s and the log\n%s\nwant the cause in the log alone", r.Body, s.Log)
		}
		equal(t, "the next request", c.Get("/test_gadgets").Header.Get("X-Total-Count"), "0")
		equal(t, "the next change", c.Do("POST", "/test_gadgets", "<test-gadget><name>a</name></test-gadget>").Status,
			http.StatusCreated)
	})
}
