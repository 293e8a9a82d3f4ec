package api_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// office stores five computers that differ in all that filters look at.
func office(s *mustertest.Server) {
	anna, bert := people(s)
	now := s.Clock.Now()
	daysAgo := func(n int) time.Time { return now.Add(-time.Duration(n) * 24 * time.Hour) }
	alpha := &inventory.Computer{
		Record: kind.Record{CreatedAt: daysAgo(100)}, DetectedAt: daysAgo(10),
		AssetID: "A-1", Name: "alpha", Status: "Operational", Category: "Desktop", OperatingSystem: "Windows 11 Pro",
		CPU: "  Intel Core i5 ", IP: "10.0.0.1", Site: "HQ", Department: "Sales", Domain: "corp.example", Tag: "blue",
		Username: "anna", Owner: anna.Person(), BIOSes: []inventory.BIOS{
			{SSN: "S-1", Manufacturer: "Dell", Model: "OptiPlex"},
		},
		Networks: []inventory.Network{{MAC: "00:11:22:33:44:01"}, {MAC: "00:11:22:33:44:AA"}},
	}
	beta := &inventory.Computer{
		Record:  kind.Record{CreatedAt: daysAgo(5)},
		AssetID: "A-2", Name: "Beta", Status: "Broken", Category: "Laptop", OperatingSystem: "Windows 10",
		CPU: "AMD Ryzen", IP: "10.0.0.2", Site: "HQ", Department: "IT", Domain: "lab.example",
		Username: "bert", Owner: bert.Person(), Manufacturer: "Lenovo", Model: "T14", SerialNumber: "L-2",
		BIOSes: []inventory.BIOS{{SSN: "S-2", Manufacturer: "LENOVO BIOS"}},
	}
	gamma := &inventory.Computer{
		Record:  kind.Record{CreatedAt: daysAgo(11)},
		AssetID: "A-3", Name: "gamma", Status: "Operational", OperatingSystem: "macOS", Site: "Genève", Tag: "Straße",
		BIOSes: []inventory.BIOS{{Manufacturer: "Apple"}},
	}
	delta := &inventory.Computer{
		Record: kind.Record{CreatedAt: daysAgo(200)}, DetectedAt: daysAgo(10).Add(-time.Second),
		AssetID: "A-4", Name: "delta", Status: "In Repair", Site: "100%_done", Tag: "a*b", Department: `c\d`,
		BIOSes: []inventory.BIOS{{Manufacturer: "Dell"}},
	}
	empty := &inventory.Computer{AssetID: "A-5", Name: "' OR 1=1 --", Status: "Operational"}
	mustertest.Insert(s, inventory.Computers, alpha, beta, gamma, delta, empty)
}

func TestFilters(t *testing.T) {
	t.Parallel()
	tests := []struct{ query, want string }{
		{"", "1 2 3 4 5"},
		// The nine of the specification.
		{"category=desktop", "1"},
		{"status=operational", "1 3 5"},
		{"status=in%20repair", "4"},
		{"operating_system=WINDOWS+11+PRO", "1"},
		{"processor=intel%20core%20i5", "1"},
		{"tag=blue", "1"},
		{"manufacturer=dell", "1 4"},
		{"manufacturer=Lenovo", "2"},
		{"manufacturer=LENOVO+BIOS", ""},
		{"domain=corp.example", "1"},
		{"site=hq", "1 2"},
		{"department=it", "2"},
		// By days.
		{"recently_added=0", "5"},
		{"recently_added=5", "2 5"},
		{"recently_added=4", "5"},
		{"recently_added=36500", "1 2 3 4 5"},
		{"not_reporting=10", "3 4"},
		{"not_reported=10", "3 4"},
		{"not_reporting=9", "1 3 4"},
		{"not_reporting=0", "1 2 3 4"},
		{"not_reporting=36500", ""},
		// Those that we add.
		{"name=BETA", "2"},
		{"asset_id=a-3", "3"},
		{"ip=10.0.0.2", "2"},
		{"mac_address=00:11:22:33:44:aa", "1"},
		{"mac_address=", "2 3 4 5"},
		{"serial_number=s-1", "1"},
		{"serial_number=S-2", ""},
		{"model=t14", "2"},
		{"username=Anna", "1"},
		{"owner=ANNA@example.com", "1"},
		{"owner=bert+%C3%B6hm", "2"},
		{"owner=*e*", "1 2"},
		{"owner=", "3 4 5"},
		{"updated_since=2026-01-31T09:30:00Z", "1 2 3 4 5"},
		{"updated_since=2026-01-31T10:30:00%2B01:00", "1 2 3 4 5"},
		{"updated_since=2026-01-31T09:30:01Z", ""},
		{"updated_since=2026-01-31", "1 2 3 4 5"},
		// Combined.
		{"status=operational&site=hq&manufacturer=dell", "1"},
		{"status=operational&site=hq&manufacturer=lenovo", ""},
		{"status=operational&not_reporting=10", "3"},
		{"category=Desktop&status=Operational&operating_system=Windows*&processor=Intel*&tag=blue&manufacturer=Dell" +
			"&domain=corp.example&site=HQ&department=Sales&recently_added=100&not_reporting=9&name=alpha&asset_id=A-1&ip=10.*" +
			"&mac_address=00*&serial_number=S-1&model=OptiPlex&username=anna&owner=anna*&updated_since=2026-01-01",
			"1"},
		// Either of several.
		{"site=hq&site=gen%C3%A8ve", "1 2 3"},
		{"site[]=hq&site[]=Gen%C3%88ve", "1 2 3"},
		{"site%5B%5D=hq&site=gen%C3%A8ve", "1 2 3"},
		{"site=hq&site=", "1 2 5"},
		{"owner=anna*&owner=bert*", "1 2"},
		{"recently_added=0&recently_added=5", "2 5"},
		// No value.
		{"tag=", "2 5"},
		{"tag", "2 5"},
		{"site=&status=operational", "5"},
		// Unicode.
		{"site=GENE%CC%80VE", "3"},
		{"tag=STRASSE", "3"},
		// Wildcards.
		{"name=*", "1 2 3 4 5"},
		{"tag=*", "1 3 4"},
		{"name=*ta", "2 4"},
		{"name=*a*m*a", "3"},
		{"name=be*", "2"},
		{"name=b**a", "2"},
		{"name=%25ta", ""},
		{"name=_eta", ""},
		{"tag=a%5C*b", "4"},
		{"tag=a*b", "4"},
		{"tag=b%5C*e", ""},
		{"site=100%25_done", "4"},
		{"site=100%25_*", "4"},
		{"site=1*%25*e", "4"},
		{"site=1%25e", ""},
		{"department=c%5Cd", "4"},
		{"department=*%5C*", ""},
		{"department=*%5Cd", "4"},
		{"name=%27+OR+1%3D1+--", "5"},
		{"name=%27*", "5"},
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		office(s)
		c := s.Admin()
		for _, test := range tests {
			r := c.Get("/hardwares.xml?" + test.query)
			if r.Status != http.StatusOK {
				t.Errorf("?%s: got %d %s, want 200", test.query, r.Status, r.Body)
				continue
			}
			equal(t, "?"+test.query, ids(t, r.Body), test.want)
			total := 0
			if test.want != "" {
				total = 1 + strings.Count(test.want, " ")
			}
			equal(t, "X-Total-Count of ?"+test.query, r.Header.Get("X-Total-Count"), value(t, r.Body, "total_entries"))
			equal(t, "total of ?"+test.query, value(t, r.Body, "total_entries"), string(rune('0'+total)))
		}
	})
}

// textFilters are the parameters of computers that take any text.
var textFilters = []string{
	"category", "status", "operating_system", "processor", "tag", "manufacturer", "domain", "site", "department",
	"name", "asset_id", "ip", "mac_address", "serial_number", "model", "username", "owner",
}

func TestHostileFilters(t *testing.T) {
	t.Parallel()
	literal := []string{
		"' OR '1'='1", `" OR ""="`, "x' UNION SELECT * FROM users --", "'; DROP TABLE hardwares; --", "%", "_", "%%%",
		`\`, `\\`, `\%`,
		"randomblob(500000000)", "1 OR randomblob(500000000)", "pg_sleep(10)", "'||pg_sleep(10)||'", "$1", "?1", "{}",
		"[]", "(", "*'*", `*\`,
		"\x01\x02", "\u202e", "\uFFFD", "\U0010FFFF", "<script>alert(1)</script>", "&amp;", "\r\n",
		strings.Repeat("a", 5000),
		strings.Repeat("%", 1500), strings.Repeat("*a", 1200),
	}
	refusedValues := []string{"\x00", "a\x00b", "\xff", "a\xc3", "\xed\xa0\x80"}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 3)
		c := s.Admin()
		for _, name := range textFilters {
			for _, v := range literal {
				r := c.Get("/hardwares.xml?" + name + "=" + url.QueryEscape(v))
				if got := ids(t, r.Body); r.Status != http.StatusOK || got != "" {
					t.Errorf("%s=%.40q: got %d, ids %q, want 200 and none", name, v, r.Status, got)
				}
			}
			for _, v := range refusedValues {
				refused(t, name, c.Get("/hardwares.xml?"+name+"="+url.QueryEscape(v)), http.StatusBadRequest,
					"bytes that are no text")
			}
		}
		for _, name := range []string{
			"page", "per_page", "after", "sort_by", "sort_order", "recently_added", "not_reporting", "updated_since",
		} {
			for _, v := range append(literal, refusedValues...) {
				r := c.Get("/hardwares.xml?" + name + "=" + url.QueryEscape(v))
				refused(t, name+"="+v[:min(20, len(v))], r, http.StatusBadRequest, "")
			}
		}
		equal(t, "computers after all", c.Get("/hardwares.xml").Header.Get("X-Total-Count"), "3")
	})
}

// TestManyValues is about a query as long as an address can be: a parameter
// that is given so often that the database might refuse it.
func TestManyValues(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 3)
		c := s.Admin()
		for _, test := range []struct{ one, want string }{
			{"ip&", "1 2 3"}, {"ip=1&", ""}, {"name=*1&", "1"}, {"name=c*1&", "1"}, {"owner=*&", ""},
			{"mac_address=1&", ""}, {"tag[]=&", "1 2 3"},
		} {
			r := c.Get("/hardwares.xml?" + strings.Repeat(test.one, 100))
			equal(t, "status of 100 times "+test.one, r.Status, http.StatusOK)
			equal(t, "ids of 100 times "+test.one, ids(t, r.Body), test.want)
			for _, n := range []int{101, 6000 / len(test.one)} {
				r := c.Get("/hardwares.xml?" + strings.Repeat(test.one, n))
				refused(t, strconv.Itoa(n)+" times "+test.one, r, http.StatusBadRequest, "at most 100 are possible")
			}
		}
	})
}

func TestBadQueries(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		c := start(t, db).Admin()
		for query, text := range map[string]string{
			"colour=red":                     "unknown parameter colour",
			"Site=hq":                        "unknown parameter Site",
			"site[0]=hq":                     "unknown parameter site[0]",
			"view=system":                    "unknown parameter view",
			"site=%zz":                       "the query does not parse",
			"a;b":                            "the query does not parse",
			"page=0":                         "page must be a number from 1",
			"page=-1":                        "page must be",
			"page=x":                         "page must be",
			"page=":                          "page must be",
			"page=1.5":                       "page must be",
			"page=2147483648":                "page must be",
			"page=99999999999999999999":      "page must be",
			"page=1&page=2":                  "page is given more than once",
			"page[]=1":                       "unknown parameter page[]",
			"per_page=0":                     "per_page must be a number from 1 to 1000",
			"per_page=1001":                  "per_page must be",
			"per_page=5&per_page=5":          "per_page is given more than once",
			"sort_by=colour":                 "sort_by",
			"sort_by=":                       "sort_by",
			"sort_by=memory":                 "sort_by",
			"sort_by=href":                   "sort_by",
			"sort_by=set_model":              "sort_by",
			"sort_by=name%20DESC":            "sort_by",
			"sort_by=name&sort_by=id":        "sort_by is given more than once",
			"sort_order=up":                  "sort_order must be ASC or DESC",
			"sort_order=ASC&sort_order=DESC": "sort_order is given more than once",
			"after=-1":                       "after must be an id",
			"after=x":                        "after must be an id",
			"after=9223372036854775808":      "after must be an id",
			"after=1&after=2":                "after is given more than once",
			"after=1&page=1":                 "after cannot be combined",
			"after=1&sort_by=id":             "after cannot be combined",
			"after=1&sort_order=ASC":         "after cannot be combined",
			"recently_added=-1":              "recently_added must be",
			"recently_added=36501":           "recently_added must be",
			"recently_added=":                "recently_added must be",
			"not_reporting=ten":              "not_reporting must be",
			"not_reported=1.5":               "not_reported must be",
			"updated_since=yesterday":        "updated_since must be a timestamp",
			"updated_since=2026-02-30":       "updated_since must be a timestamp",
			"%01=1":                          "unknown parameter",
			"%ff=1":                          "bytes that are no text",
		} {
			refused(t, "?"+query, c.Get("/hardwares.xml?"+query), http.StatusBadRequest, text)
			refused(t, "?"+query, c.Get("/hardwares?"+query), http.StatusBadRequest, text)
		}
	})
}
