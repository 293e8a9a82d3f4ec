package api_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

func TestSort(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ up, down string }{
		"id":               {"1 2 3 4 5", "5 4 3 2 1"},
		"asset-id":         {"1 2 3 4 5", "5 4 3 2 1"},
		"name":             {"5 1 2 4 3", "3 4 2 1 5"},
		"status":           {"2 4 1 3 5", "1 3 5 4 2"},
		"category":         {"1 2 3 4 5", "2 1 3 4 5"},
		"operating-system": {"3 2 1 4 5", "1 2 3 4 5"},
		"cpu":              {"2 1 3 4 5", "1 2 3 4 5"},
		"ip":               {"1 2 3 4 5", "2 1 3 4 5"},
		"site":             {"4 3 1 2 5", "1 2 3 4 5"},
		"department":       {"4 2 1 3 5", "1 2 4 3 5"},
		"domain":           {"1 2 3 4 5", "2 1 3 4 5"},
		"tag":              {"4 1 3 2 5", "3 1 4 2 5"},
		"created-at":       {"4 1 3 2 5", "5 2 3 1 4"},
		"updated-at":       {"1 2 3 4 5", "1 2 3 4 5"},
		"detected-at":      {"4 1 2 3 5", "1 4 2 3 5"},
		"serial-number":    {"2 1 3 4 5", "1 2 3 4 5"},
		"manufacturer":     {"3 1 4 2 5", "2 1 4 3 5"},
		"model":            {"1 2 3 4 5", "2 1 3 4 5"},
		"owner":            {"1 2 3 4 5", "2 1 3 4 5"},
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		office(s)
		c := s.Admin()
		for field, want := range tests {
			for query, want := range map[string]string{
				"sort_by=" + field: want.up,
				"sort_by=" + strings.ReplaceAll(field, "-", "_") + "&sort_order=ASC": want.up,
				"sort_by=" + field + "&sort_order=DESC":                              want.down,
				"sort_order=desc&sort_by=" + field:                                   want.down,
			} {
				equal(t, "?"+query, ids(t, c.Get("/hardwares.xml?"+query).Body), want)
			}
		}
		equal(t, "?sort_order=DESC", ids(t, c.Get("/hardwares.xml?sort_order=DESC").Body), "5 4 3 2 1")
		equal(t, "a sorted page", ids(t, c.Get("/hardwares.xml?sort_by=name&per_page=2&page=2").Body), "2 4")
		equal(t, "a sorted filter", ids(t, c.Get("/hardwares.xml?sort_by=name&sort_order=DESC&site=hq").Body), "2 1")
	})
}

// span returns the ids from one number to another, joined by blanks.
func span(from, to int) string {
	var out []string
	for i := from; i <= to; i++ {
		out = append(out, strconv.Itoa(i))
	}
	return strings.Join(out, " ")
}

func TestPages(t *testing.T) {
	t.Parallel()
	const all = 60
	// Each link is a relation and a query, in the order of the header.
	tests := []struct {
		query, ids, page, perPage, pages string
		links                            []string
	}{
		{"", span(1, 25), "1", "25", "3", []string{"first page=1", "next page=2", "last page=3"}},
		{"page=1", span(1, 25), "1", "25", "3", []string{"first page=1", "next page=2", "last page=3"}},
		{"page=2", span(26, 50), "2", "25", "3", []string{"first page=1", "prev page=1", "next page=3", "last page=3"}},
		{"page=3", span(51, 60), "3", "25", "3", []string{"first page=1", "prev page=2", "last page=3"}},
		{"page=4", "", "4", "25", "3", []string{"first page=1", "prev page=3", "last page=3"}},
		{"page=2147483647", "", "2147483647", "25", "3", []string{"first page=1", "prev page=3", "last page=3"}},
		{"page=2147483647&per_page=1000", "", "2147483647", "1000", "1",
			[]string{"first page=1&per_page=1000", "prev page=1&per_page=1000", "last page=1&per_page=1000"}},
		{"per_page=250", span(1, 60), "1", "250", "1", []string{
			"first page=1&per_page=250", "last page=1&per_page=250",
		}},
		{"per_page=1000", span(1, 60), "1", "1000", "1", []string{
			"first page=1&per_page=1000", "last page=1&per_page=1000",
		}},
		{"per_page=1&page=60", "60", "60", "1", "60",
			[]string{"first page=1&per_page=1", "prev page=59&per_page=1", "last page=60&per_page=1"}},
		{"per_page=20", span(1, 20), "1", "20", "3",
			[]string{"first page=1&per_page=20", "next page=2&per_page=20", "last page=3&per_page=20"}},
		{"site=*%22%3E&tag[]=&tag[]=%20b", "", "1", "25", "1",
			[]string{
				"first page=1&site=%2A%22%3E&tag%5B%5D=&tag%5B%5D=+b",
				"last page=1&site=%2A%22%3E&tag%5B%5D=&tag%5B%5D=+b",
			}},
		{"after=0", span(1, 25), "1", "25", "3", []string{"first after=0", "next after=25"}},
		{"after=25&per_page=20", span(26, 45), "1", "20", "3", []string{
			"first after=0&per_page=20", "next after=45&per_page=20",
		}},
		{"after=40&per_page=20", span(41, 60), "1", "20", "3", []string{"first after=0&per_page=20"}},
		{"after=60", "", "1", "25", "3", []string{"first after=0"}},
		{"after=9223372036854775807", "", "1", "25", "3", []string{"first after=0"}},
		{"after=10&name=c2*", "20 21 22 23 24 25 26 27 28 29", "1", "25", "1", []string{"first after=0&name=c2%2A"}},
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, all)
		c := s.Admin()
		for _, test := range tests {
			r := c.Get("/hardwares?" + test.query)
			equal(t, "?"+test.query+": status", r.Status, http.StatusOK)
			equal(t, "?"+test.query+": ids", ids(t, r.Body), test.ids)
			equal(t, "?"+test.query+": envelope", parse(t, r.Body).names()[:3],
				[]string{"page", "per_page", "total_entries"})
			total := map[bool]string{true: "11", false: strconv.Itoa(all)}[strings.Contains(test.query, "name=")]
			if strings.Contains(test.query, "site=") {
				total = "0"
			}
			current := test.page
			if strings.Contains(test.query, "after=") {
				current = ""
			}
			equal(t, "?"+test.query,
				[]string{value(t, r.Body, "page"), value(t, r.Body, "per_page"), value(t, r.Body, "total_entries")},
				[]string{test.page, test.perPage, total})
			equal(t, "?"+test.query+": headers",
				[]string{r.Header.Get("X-Total-Count"), r.Header.Get("X-Total-Pages"), r.Header.Get("X-Current-Page"),
					r.Header.Get("X-Per-Page")},
				[]string{total, test.pages, current, test.perPage})
			var links []string
			for _, link := range test.links {
				rel, query, _ := strings.Cut(link, " ")
				links = append(links, fmt.Sprintf(`<%s/hardwares.xml?%s>; rel="%s"`, s.Base, query, rel))
			}
			equal(t, "?"+test.query+": Link", r.Header.Values("Link"), []string{strings.Join(links, ", ")})
		}
	})
}

// TestAfter reads a list to its end while rows are deleted: none is missed.
func TestAfter(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 10)
		c := s.Admin()
		target, got := "/hardwares.xml?after=0&per_page=3", []string{}
		for target != "" {
			r := c.Get(target)
			page := strings.Fields(ids(t, r.Body))
			got = append(got, page...)
			target = next(r, s.Base)
			for _, id := range page {
				equal(t, "DELETE "+id, c.Do("DELETE", "/hardwares/"+id, "").Status, http.StatusOK)
			}
		}
		equal(t, "computers read", strings.Join(got, " "), span(1, 10))
	})
}

// TestPagesMeanwhile reads a list by page numbers to its end while rows are
// created and updated: none is missed, none comes twice.
func TestPagesMeanwhile(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 7)
		c := s.Admin()
		var got []string
		for page := 1; page <= 3; page++ {
			got = append(got, strings.Fields(ids(t,
				c.Get("/hardwares.xml?per_page=3&page="+strconv.Itoa(page)).Body))...)
			create(t, c, "<name>a new one</name>")
			equal(t, "PUT", c.Do("PUT", "/hardwares/"+strconv.Itoa(page), hardware("<name>z</name>")).Status,
				http.StatusOK)
		}
		equal(t, "computers read", strings.Join(got, " "), span(1, 9)) // two of the new ones among them
	})
}
