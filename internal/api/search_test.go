package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// TestSearch looks for computers as people type what they know of them.
func TestSearch(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		office(s)
		c := s.Admin()
		create(t, c, `<name>srv-01.example.com</name><ip>10.0.3.17</ip><asset-id>MUS-000123</asset-id><notes>Müllers ﬁle server, 東京都</notes>`+
			`<networks><network><mac-address>00:1A:2B:00:00:01</mac-address></network></networks>`)
		for q, want := range map[string]string{
			"srv-01.example.com": "6", "SRV": "6", "10.0.3.17": "6", "10.0.3.1": "6", "10.0": "1 2 6", "00:1a:2b": "6",
			"mus-000123": "6", "mus-0001": "6",
			"müllers": "6", "file server": "6", "server file": "6", "fil server": "", "京都": "6", "s-1": "1 2",
			"dell optiplex": "1", "dell": "1 4",
			"windows 11": "1", "windows 1": "1 2", "STRASSE": "3", "intel": "1", "00-11-22-33-44-AA": "1",
			"' OR 1=1 --": "5", "or 1": "5",
			"operational": "", "anna": "1", "berg": "", "": "", " ": "", `"`: "", "*": "", "NEAR(": "",
			"alpha AND dell": "", `"alpha`: "1", "-alpha": "1",
			"name:alpha": "", "\x00": "", "alpha\x00dell": "1", "\xff": "", strings.Repeat("a", 2000): "",
			strings.Repeat("alpha ", 300): "1",
		} {
			r := c.Get("/hardwares.xml?q=" + url.QueryEscape(q))
			equal(t, fmt.Sprintf("%.40q: status", q), r.Status, http.StatusOK)
			equal(t, fmt.Sprintf("%.40q", q), ids(t, r.Body), want)
			total := fmt.Sprint(len(strings.Fields(want)))
			equal(t, fmt.Sprintf("%.40q: totals", q),
				[]string{value(t, r.Body, "total_entries"), r.Header.Get("X-Total-Count")}, []string{total, total})
		}
		for query, want := range map[string]string{
			"q=windows&status=broken": "2", "q=dell&sort_by=name&sort_order=desc": "4 1",
			"q=dell&per_page=1&page=2": "4", "q=dell&after=1": "4",
			"q=dell&site=hq": "1", "q=dell&page=9": "", "q=dell&after=0&per_page=1": "1",
		} {
			equal(t, query, ids(t, c.Get("/hardwares?"+query).Body), want)
		}
		r := c.Get("/hardwares?q=dell%26b%C3%BC&per_page=1")
		equal(t, "Link", strings.Contains(r.Header.Get("Link"), "q=dell%26b%C3%BC"), true)
		refused(t, "q given twice", c.Get("/hardwares?q=a&q=b"), http.StatusBadRequest, "q is given more than once")
		refused(t, "q that is not encoded", c.Get("/hardwares?q=%zz"), http.StatusBadRequest, "does not parse")
		equal(t, "JSON", strings.Contains(c.Get("/hardwares.json?q=beta").Body, `"total_entries":1`), true)
		equal(t, "HEAD", c.Do("HEAD", "/hardwares?q=dell", "").Header.Get("X-Total-Count"), "2")
		refused(t, "q of a record", c.Get("/hardwares/1?q=a"), http.StatusBadRequest, "unknown parameter q")
	})
}

// TestSearchFollows changes what is found, and the tag of the list with it.
func TestSearchFollows(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		address := create(t, c, "<name>first</name>")
		none := c.Get("/hardwares?q=second")
		equal(t, "before", ids(t, none.Body), "")
		equal(t, "PUT", c.Do("PUT", address, hardware("<description>second</description>")).Status, http.StatusOK)
		one := c.Get("/hardwares?q=second", "If-None-Match", none.Header.Get("ETag"))
		equal(t, "after", []any{one.Status, ids(t, one.Body)}, []any{http.StatusOK, "1"})
		equal(t, "again", c.Get("/hardwares?q=second", "If-None-Match", one.Header.Get("ETag")).Status,
			http.StatusNotModified)
		equal(t, "DELETE", c.Do("DELETE", address, "").Status, http.StatusOK)
		equal(t, "deleted", ids(t, c.Get("/hardwares?q=second").Body), "")
		equal(t, "audit records of it", value(t, c.Get("/audits?q=first").Body, "total_entries"), "3")
	})
}

// TestSearchTickets looks into comments too, but for a requester into the public
// ones of their own tickets alone.
func TestSearchTickets(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		boss, anna := s.Admin(), s.AddUser("anna@example.com", inventory.Requester, false)
		post := func(path, doc string) {
			t.Helper()
			if r := boss.Do("POST", path, doc); r.Status != http.StatusCreated {
				t.Fatalf("POST %s: got %d %s", path, r.Status, r.Body)
			}
		}
		post("/tickets", "<ticket><name>Printer jams</name><requester>anna@example.com</requester></ticket>")
		post("/tickets", "<ticket><name>Printer burns</name></ticket>")
		for _, id := range []string{"1", "2"} {
			post("/tickets/"+id+"/comments", "<comment><body>tried the paper tray</body></comment>")
			post("/tickets/"+id+"/comments",
				"<comment><body>the toner is a secret</body><is-private>true</is-private></comment>")
		}
		for _, path := range []string{"/tickets", "/incidents"} {
			for q, want := range map[string][2]string{
				"printer": {"1 2", "1"}, "jams": {"1", "1"}, "burns": {"2", ""}, "paper": {"1 2", "1"},
				"printer paper": {"1 2", "1"}, "tray jam": {"1", "1"},
				"secret": {"1 2", ""}, "printer toner": {"1 2", ""}, "secret burns": {"2", ""}, "tone": {"1 2", ""},
				"": {"", ""}, "2": {"2", ""}, "1": {"1", "1"},
			} {
				for i, c := range []*mustertest.Client{boss, anna} {
					r := c.Get(path + "?q=" + url.QueryEscape(q))
					equal(t, fmt.Sprintf("%s %d: %s", path, i, q), ids(t, r.Body), want[i])
					equal(t, fmt.Sprintf("%s %d: %s: total", path, i, q), value(t, r.Body, "total_entries"),
						fmt.Sprint(len(strings.Fields(want[i]))))
				}
			}
		}
		comments := func(c *mustertest.Client, q string) string {
			return value(t, c.Get("/tickets/1/comments?q="+q).Body, "total_entries")
		}
		equal(t, "comments with the", []string{comments(boss, "the"), comments(anna, "the"), comments(anna, "toner")},
			[]string{"2", "1", "0"})
		before := anna.Get("/tickets?q=printer").Header.Get("ETag")
		post("/tickets/1/comments",
			"<comment><body>printer of a secret agent</body><is-private>true</is-private></comment>")
		equal(t, "the tag after a private comment", anna.Get("/tickets?q=printer").Header.Get("ETag"), before)
	})
}
