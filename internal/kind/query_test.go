package kind_test

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"
	"time"

	"muster/internal/kind"
)

var now = at("2026-02-01T12:00:00Z")

// between is the test for a range.
func between(least, most int64) kind.Test { return kind.Test{Range: true, Min: least, Max: most} }

// text is the test for a text, in the pieces between its wildcards.
func text(pieces ...string) kind.Test { return kind.Test{Text: pieces} }

var null = kind.Test{Null: true}

func TestFilters(t *testing.T) {
	const d = 24 * 60 * 60
	noon, first := now.Unix(), day("2026-01-31").Unix()
	for _, test := range []struct {
		query, field string
		want         []kind.Test
	}{
		{"name=Saw", "name", []kind.Test{text("Saw")}},
		{"processor=M1", "chip-set", []kind.Test{text("M1")}},
		{"name=%C3%A4+b%20c", "name", []kind.Test{text("ä b c")}},
		{"name=a&name=b", "name", []kind.Test{text("a"), text("b")}},
		{"name[]=a&name[]=b", "name", []kind.Test{text("a"), text("b")}},
		{"name%5B%5D=b", "name", []kind.Test{text("b")}},
		{"name[]=b&name=a", "name", []kind.Test{text("a"), text("b")}},
		{"name=", "name", []kind.Test{null}},
		{"name", "name", []kind.Test{null}},
		{"name=&name=a", "name", []kind.Test{null, text("a")}},
		{"name=*", "name", []kind.Test{text("", "")}},
		{"name=a*b**c", "name", []kind.Test{text("a", "b", "", "c")}},
		{`name=a\*b`, "name", []kind.Test{text("a*b")}},
		{`name=a\*b*`, "name", []kind.Test{text("a*b", "")}},
		{`name=a\b\`, "name", []kind.Test{text(`a\b\`)}},
		{"owner=anna@example.com", "owner", []kind.Test{text("anna@example.com")}},
		{"owner=Anna*", "owner", []kind.Test{text("Anna", "")}},
		{"owner=", "owner", []kind.Test{null}},
		{"origin=web", "origin", []kind.Test{text("web")}},
		{"item_count=0", "item-count", []kind.Test{between(0, 0)}},
		{"item_count=9223372036854775807&item_count=", "item-count", []kind.Test{
			between(math.MaxInt64, math.MaxInt64), null,
		}},
		{"maker=Acme*", "maker", []kind.Test{text("Acme", "")}},
		{"maker=", "maker", []kind.Test{null}},
		{"phase=to+come", "phase", []kind.Test{text("to come")}},
		{"price=12.50", "price", []kind.Test{between(125_000, 125_000)}},
		{"price=0&price=", "price", []kind.Test{between(0, 0), null}},
		{"live=true", "live", []kind.Test{between(1, 1)}},
		{"live=0", "live", []kind.Test{between(0, 0)}},
		{"live=", "live", []kind.Test{null}},
		{"seen_at=2026-01-31", "seen-at", []kind.Test{between(first, first+d-1)}},
		{"seen_at=2026-02-01T13:00:00%2B01:00", "seen-at", []kind.Test{between(noon, noon)}},
		{"seen_at=", "seen-at", []kind.Test{null}},
		{"seen_at_from=2026-01-31", "seen-at", []kind.Test{between(first, math.MaxInt64)}},
		{"seen_at_to=2026-01-31", "seen-at", []kind.Test{between(math.MinInt64, first+d-1)}},
		{"seen_at_from=2026-02-01T12:00:00Z", "seen-at", []kind.Test{between(noon, math.MaxInt64)}},
		{"seen_at_to=2026-02-01T12:00:00Z", "seen-at", []kind.Test{between(math.MinInt64, noon)}},
		{"bought_on=2026-01-31", "bought-on", []kind.Test{between(first, first)}},
		{"bought_on_from=2026-01-31", "bought-on", []kind.Test{between(first, math.MaxInt64)}},
		{"bought_on_to=2026-01-31", "bought-on", []kind.Test{between(math.MinInt64, first)}},
		{"updated_since=2026-02-01T12:00:00Z", "updated-at", []kind.Test{between(noon, math.MaxInt64)}},
		{"recent=0", "created-at", []kind.Test{between(noon, math.MaxInt64)}},
		{"recent=10", "created-at", []kind.Test{between(noon-10*d, math.MaxInt64)}},
		{"recent=36500", "created-at", []kind.Test{between(noon-36500*d, math.MaxInt64)}},
		{"silent=10", "seen-at", []kind.Test{between(math.MinInt64, noon-10*d-1)}},
	} {
		query, err := devices.ParseQuery(test.query, now)
		if err != nil || len(query.Conds) != 1 {
			t.Errorf("%s: got %v and error %v, want one condition", test.query, query, err)
			continue
		}
		cond := query.Conds[0]
		equal(t, test.query, cond.Any, test.want)
		equal(t, test.query+": field", cond.Field.Name, test.field)
		if cond.In != nil || (cond.Else != nil) != strings.HasPrefix(test.query, "silent") {
			t.Errorf("%s: got else %v, in %v", test.query, cond.Else, cond.In)
		}
	}
}

func TestFiltersOfItems(t *testing.T) {
	for query, want := range map[string]kind.Test{
		"tool_serial=S1":          text("S1"),
		"part_at=2026-02-01":      between(day("2026-02-01").Unix(), day("2026-02-02").Unix()-1),
		"part_at_from=2026-02-01": between(day("2026-02-01").Unix(), math.MaxInt64),
		"part_at_to=2026-02-01":   between(math.MinInt64, day("2026-02-02").Unix()-1),
	} {
		q, err := devices.ParseQuery(query, now)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		equal(t, query, q.Conds[0].Any, []kind.Test{want})
		if in := q.Conds[0].In; in != devices.Field("tools") && in != devices.Field("parts") {
			t.Errorf("%s: got collection %v", query, in)
		}
	}
}

func TestElse(t *testing.T) {
	query, err := devices.ParseQuery("silent=1", now)
	if err != nil || query.Conds[0].Else != devices.Field("created-at") {
		t.Errorf("got %v and error %v, want else created-at", query, err)
	}
}

func TestFiltersAreCombined(t *testing.T) {
	query, err := devices.ParseQuery("site=HQ&name=a&state=new&page=3", now)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, cond := range query.Conds {
		got = append(got, cond.Field.Name)
	}
	equal(t, "fields", got, []string{"name", "site", "state"})
}

func TestPaging(t *testing.T) {
	for _, test := range []struct {
		query string
		want  kind.Query
		sort  string
	}{
		{"", kind.Query{Page: 1, PerPage: 25}, ""},
		{"page=3&per_page=1000", kind.Query{Page: 3, PerPage: 1000, Sized: true}, ""},
		{"page=2147483647&per_page=1", kind.Query{Page: math.MaxInt32, PerPage: 1, Sized: true}, ""},
		{"after=0", kind.Query{Page: 1, PerPage: 25, ByID: true}, ""},
		{"after=9223372036854775807&per_page=7", kind.Query{
			Page: 1, PerPage: 7, Sized: true, ByID: true, After: math.MaxInt64,
		}, ""},
		{"sort_by=item-count", kind.Query{Page: 1, PerPage: 25}, "item-count"},
		{"sort_by=item_count&sort_order=DESC", kind.Query{Page: 1, PerPage: 25, Desc: true}, "item-count"},
		{"sort_by=owner&sort_order=asc", kind.Query{Page: 1, PerPage: 25}, "owner"},
		{"sort_by=maker", kind.Query{Page: 1, PerPage: 25}, "maker"},
		{"sort_by=price", kind.Query{Page: 1, PerPage: 25}, "price"},
		{"sort_by=phase", kind.Query{Page: 1, PerPage: 25}, "phase"},
		{"sort_by=id&sort_order=desc", kind.Query{Page: 1, PerPage: 25, Desc: true}, "id"},
		{"sort_order=DESC", kind.Query{Page: 1, PerPage: 25, Desc: true}, ""},
	} {
		got, err := devices.ParseQuery(test.query, now)
		if err != nil {
			t.Errorf("%s: %v", test.query, err)
			continue
		}
		if (got.Sort == nil) != (test.sort == "") || got.Sort != nil && got.Sort.Name != test.sort {
			t.Errorf("%s: got sort %v, want %s", test.query, got.Sort, test.sort)
		}
		got.Sort = nil
		test.want.Today = day("2026-02-01")
		equal(t, test.query, *got, test.want)
	}
}

func TestBadQueries(t *testing.T) {
	for query, want := range map[string]string{
		"site=%zz":                       "the query does not parse: ",
		"site=a;name=b":                  "the query does not parse: ",
		"name=%ff":                       "the query holds bytes that are no text",
		"%ff=1":                          "the query holds bytes that are no text",
		"name=a%00":                      "the query holds bytes that are no text",
		"colour=red":                     "unknown parameter colour",
		"Name=x":                         "unknown parameter Name",
		"name[][]=x":                     "unknown parameter name[][]",
		"note=x":                         "unknown parameter note",
		"item-count=1":                   "unknown parameter item-count: write item_count",
		"chip_set=x":                     "unknown parameter chip_set",
		"secret=x":                       "unknown parameter secret",
		"page[]=1":                       "unknown parameter page[]",
		"=1":                             "unknown parameter ",
		"page=0":                         `page must be a number from 1 to 2147483647, not "0"`,
		"page=":                          `page must be a number from 1 to 2147483647, not ""`,
		"page=two":                       `page must be a number from 1 to 2147483647, not "two"`,
		"page=2147483648":                `page must be a number from 1 to 2147483647, not "2147483648"`,
		"per_page=0":                     `per_page must be a number from 1 to 1000, not "0"`,
		"per_page=1001":                  `per_page must be a number from 1 to 1000, not "1001"`,
		"page=1&page=1":                  "page is given more than once",
		"per_page=1&per_page=1":          "per_page is given more than once",
		"sort_by=id&sort_by=id":          "sort_by is given more than once",
		"sort_order=&sort_order=":        "sort_order is given more than once",
		"after=1&after=1":                "after is given more than once",
		"after=-1":                       `after must be an id, 0 or more, not "-1"`,
		"after=":                         `after must be an id, 0 or more, not ""`,
		"after=9223372036854775808":      `after must be an id, 0 or more, not "9223372036854775808"`,
		"after=1&page=1":                 "after cannot be combined with page, sort_by or sort_order",
		"after=1&sort_by=id":             "after cannot be combined with page, sort_by or sort_order",
		"after=1&sort_order=ASC":         "after cannot be combined with page, sort_by or sort_order",
		"sort_by=":                       `sort_by: "" is not a field that lists can be sorted by`,
		"sort_by=colour":                 `sort_by: "colour" is not a field that lists can be sorted by`,
		"sort_by=note":                   `sort_by: "note" is not a field that lists can be sorted by`,
		"sort_by=secret":                 `sort_by: "secret" is not a field that lists can be sorted by`,
		"sort_by=href":                   `sort_by: "href" is not a field that lists can be sorted by`,
		"sort_by=parts":                  `sort_by: "parts" is not a field that lists can be sorted by`,
		"sort_by=sockets":                `sort_by: "sockets" is not a field that lists can be sorted by`,
		"sort_by=load":                   `sort_by: "load" is not a field that lists can be sorted by`,
		"sort_by=last-visit-href":        `sort_by: "last-visit-href" is not a field that lists can be sorted by`,
		"sockets=1":                      "unknown parameter sockets",
		"price=1.":                       `price is not a number: "1."`,
		"price=-0.1":                     "price must be greater than or equal to 0",
		"sort_order=up":                  `sort_order must be ASC or DESC, not "up"`,
		"item_count=many":                `item_count is not a number: "many"`,
		"item_count=-1":                  "item_count must be greater than or equal to 0",
		"live=yes":                       `live must be true or false, not "yes"`,
		"seen_at=today":                  `seen_at must be a timestamp such as 2026-01-31T09:30:00Z or a date, not "today"`,
		"seen_at_from=":                  `seen_at_from must be a timestamp such as 2026-01-31T09:30:00Z or a date, not ""`,
		"seen_at_to=x":                   `seen_at_to must be a timestamp such as 2026-01-31T09:30:00Z or a date, not "x"`,
		"updated_since=yesterday":        `updated_since must be a timestamp such as 2026-01-31T09:30:00Z or a date, not "yesterday"`,
		"bought_on=2026-01-31T00:00:00Z": `bought_on must be a date such as 2026-01-31, not "2026-01-31T00:00:00Z"`,
		"recent=":                        `recent must be a number from 0 to 36500, not ""`,
		"recent=-1":                      `recent must be a number from 0 to 36500, not "-1"`,
		"recent=36501":                   `recent must be a number from 0 to 36500, not "36501"`,
		"silent=1.5":                     `silent must be a number from 0 to 36500, not "1.5"`,
	} {
		_, err := devices.ParseQuery(query, now)
		bad, ok := errors.AsType[*kind.BadQuery](err)
		if !ok || bad.Error() != want && !(strings.HasSuffix(want, ": ") && strings.HasPrefix(bad.Error(), want)) {
			t.Errorf("%s: got %v, want %s", query, err, want)
		}
	}
}

// FuzzParseQuery checks that a query is refused or within all bounds.
func FuzzParseQuery(f *testing.F) {
	for _, seed := range []string{
		"", "name=a*&name[]=b", "page=2&per_page=10&sort_by=name&sort_order=DESC", "after=5", "recent=3&silent=4",
		"seen_at_from=2026-01-01&seen_at_to=2026-01-31T09:30:00Z", "live=true&item_count=4&owner=",
		"price=1.5&price=&maker=a*&phase=here&sort_by=phase", "name=%zz", `name=\*`, "tool_serial=%ff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		q, err := devices.ParseQuery(raw, now)
		if err != nil {
			if _, ok := errors.AsType[*kind.BadQuery](err); !ok || err.Error() == "" {
				t.Fatalf("%q: error %v is no BadQuery", raw, err)
			}
			return
		}
		if q.Page < 1 || q.PerPage < 1 || q.PerPage > 1000 || q.After < 0 ||
			q.ByID && (q.Page != 1 || q.Sort != nil || q.Desc) {
			t.Fatalf("%q: got %+v", raw, q)
		}
		values, _ := url.ParseQuery(raw)
		given := len(values["name"]) + len(values["name[]"])
		for _, cond := range q.Conds {
			if cond.Field.Name == "name" && len(cond.Any) != given {
				t.Fatalf("%q: got %d names, want %d", raw, len(cond.Any), given)
			}
			checkTests(t, raw, cond)
		}
		again, err := devices.ParseQuery(values.Encode(), now.In(time.Local))
		if err != nil {
			t.Fatalf("%q: %v for its own encoding", raw, err)
		}
		equal(t, raw, len(again.Conds), len(q.Conds))
	})
}

// checkTests checks that each test is of one sort and makes sense.
func checkTests(t *testing.T, raw string, cond kind.Cond) {
	for _, test := range cond.Any {
		sorts := 0
		for _, is := range []bool{test.Null, test.Text != nil, test.Range} {
			if is {
				sorts++
			}
		}
		if sorts != 1 || test.Min > test.Max || test.Whole() && test.Text[0] == "" {
			t.Fatalf("%q: field %s has test %+v", raw, cond.Field.Name, test)
		}
	}
}

// TestQueryValues bounds how much one query may ask for.
func TestQueryValues(t *testing.T) {
	for n, want := range map[int]string{
		100: "",
		101: "the query filters by 101 values, at most 100 are possible",
	} {
		_, err := devices.ParseQuery(strings.Repeat("name=a&", n-1)+"state=New", now)
		if got := fmt.Sprint(err); err != nil && got != want || err == nil && want != "" {
			t.Errorf("%d values: got %q, want %q", n, got, want)
		}
	}
}
