package store_test

import (
	"net/url"
	"strings"
	"testing"

	"muster/internal/kind"
	"muster/internal/store"
)

// list reads a page as a list call does.
func list(t testing.TB, s *store.Store, k *kind.Schema, query string) (page kind.Page) {
	t.Helper()
	q, err := k.ParseQuery(query, now)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	if page, err = s.List(ctx, k, q, nil); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return page
}

// names returns the names of the gadgets of a page.
func names(page kind.Page) string {
	var names []string
	for _, rec := range page.Records {
		names = append(names, rec.(*gadget).Name)
	}
	return strings.Join(names, " ")
}

// TestTextFilter compares without case and takes only the star for a wildcard.
func TestTextFilter(t *testing.T) {
	t.Parallel()
	texts := []string{
		"Straße", "STRASSE", "STRAẞE", "İstanbul", "istanbul", "i̇stanbul", "ΣΑΣ", "σας", "é", "e\u0301",
		"E\u0301", "e",
		"\u212A", "k", "a*b", "a%b", "a_b", `a\b`, `a\*b`, "axb", "ab", "%", "_", `\`, `\\`, "*",
		"'; DROP TABLE users --",
		"\uD7FFx", "\uE000", "a\U0010FFFF", "a\U0010FFFFb", "b", "\U0010FFFFq", "$1", "?1",
	}
	cases := []struct{ filter, want string }{
		{"strasse", "Straße STRASSE STRAẞE"},
		{"STRASS*", "Straße STRASSE STRAẞE"},
		{"*ẞe", "Straße STRASSE STRAẞE"},
		{"İSTANBUL", "İstanbul i̇stanbul"},
		{"ISTANBUL", "istanbul"},
		{"σασ", "ΣΑΣ σας"},
		{"*Σ", "ΣΑΣ σας"},
		{"é", "é e\u0301 E\u0301"},
		{"E\u0301", "é e\u0301 E\u0301"},
		{"e", "e"},
		{"K", "\u212A k"},
		{"\u212A*", "\u212A k"},
		{`a\*b`, "a*b"},
		{`a\\*b`, `a\*b`},
		{"a%b", "a%b"},
		{"a_b", "a_b"},
		{`a\b`, `a\b`},
		{"a%*", "a%b"},
		{"a_*", "a_b"},
		{`a\*`, ""},
		{`*\b`, `a\b`},
		{`*\*b`, `a*b a\*b`},
		{"*%*", "a%b %"},
		{"*_*", "a_b _"},
		{`*\\*`, ``},
		{`*\*`, "*"},
		{`*\**`, `a*b a\*b *`},
		{"a*b", "a*b a%b a_b a\\b a\\*b axb ab a\U0010FFFFb"},
		{"**x***B**", "axb"},
		{"a***b", "a*b a%b a_b a\\b a\\*b axb ab a\U0010FFFFb"},
		{"*'*", "'; DROP TABLE users --"},
		{"'; drop table users --", "'; DROP TABLE users --"},
		{"\uD7FF*", "\uD7FFx"},
		{"\uE000*", "\uE000"},
		{"a\U0010FFFF*", "a\U0010FFFF a\U0010FFFFb"},
		{"\U0010FFFF*", "\U0010FFFFq"},
		{"$1", "$1"},
		{"?1", "?1"},
		{"*", strings.Join(texts, " ")},
		{"**", strings.Join(texts, " ")},
	}
	each(t, func(t *testing.T, s *store.Store) {
		for _, text := range texts {
			insert(t, s, gadgets, &gadget{
				Name: text, Chip: " " + text + "\t", Cards: []card{{Name: "x"}, {Name: text}},
			})
		}
		insert(t, s, gadgets, &gadget{Chip: " \t"})
		for _, c := range cases {
			for _, param := range []string{"name", "chip", "card"} {
				page := list(t, s, gadgets.Schema, url.Values{param: {c.filter}, "per_page": {"100"}}.Encode())
				equal(t, param+"="+c.filter, names(page), c.want)
				equal(t, param+"="+c.filter+" total", page.Total, len(page.Records))
			}
		}
	})
}

// TestFilters runs every other sort of filter on gadgets that differ in one value.
func TestFilters(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		anna, bert := addUser(t, s, "anna@example.com", "Anna", "Berg"),
			addUser(t, s, "bert@example.com", "Bert", "anna@example.com")
		old, long := start.AddDate(0, 0, -10), start.AddDate(0, 0, -11)
		insert(t, s, gadgets,
			&gadget{Name: "null"},
			&gadget{Name: "zero", Count: kind.Some[int64](0), Live: kind.Some(false), SeenAt: at("1970-01-01")},
			&gadget{Name: "one", Count: kind.Some[int64](1), Live: kind.Some(true), SeenAt: start},
			&gadget{Name: "most", Count: kind.Some[int64](1<<63 - 1), SeenAt: at("2026-01-31T23:59:59Z")},
			&gadget{
				Name: "old", Record: kind.Record{CreatedAt: old}, SeenAt: at("2026-02-01"), BoughtOn: at("2026-01-31"),
			},
			&gadget{Name: "long", Record: kind.Record{CreatedAt: long.Add(999)}},
			&gadget{Name: "annas", Owner: anna.Person(), Cards: []card{{Name: "A"}, {Name: "a"}, {Name: "B"}}},
			&gadget{Name: "berts", Owner: bert.Person(), Cards: []card{{}}, Lights: []light{{Name: "A"}}},
		)
		for _, c := range []struct{ query, want string }{
			{"", "null zero one most old long annas berts"},
			{"item_count=0", "zero"},
			{"item_count=9223372036854775807", "most"},
			{"item_count=", "null old long annas berts"},
			{"item_count=0&item_count=1", "zero one"},
			{"item_count[]=0&item_count=", "null zero old long annas berts"},
			{"live=true", "one"},
			{"live=false", "zero"},
			{"live=", "null most old long annas berts"},
			{"live=false&item_count=1", ""},
			{"seen_at=2026-01-31", "one most"},
			{"seen_at=2026-01-31T09:30:00Z", "one"},
			{"seen_at=", "null long annas berts"},
			{"seen_at_from=2026-01-31T09:30:01Z", "most old"},
			{"seen_at_to=2026-01-31", "zero one most"},
			{"seen_at_from=1970-01-01&seen_at_to=1970-01-01", "zero"},
			{"bought_on=2026-01-31", "old"},
			{"bought_on_from=2026-02-01", ""},
			{"updated_since=2026-01-31T09:30:00Z&name=null", "null"},
			{"updated_since=2026-01-31T09:30:01Z", ""},
			{"recent=10", "null zero one most old annas berts"},
			{"recent=9", "null zero one most annas berts"},
			{"silent=10", "zero long"},
			{"silent=9", "zero long"},
			{"silent=11", "zero"},
			{"owner=", "null zero one most old long"},
			{"owner=ANNA@example.com", "annas"},
			{"owner=anna+berg", "annas"},
			{"owner=bert*", "berts"},
			{"owner=*@example.com", "annas berts"},
			{"owner=bert@example.com&owner=anna+berg", "annas berts"},
			{"owner=nobody&owner=", "null zero one most old long"},
			{"card=a", "annas"},
			{"card=*", "annas"},
			{"card=", "null zero one most old long berts"},
			{"card=b&card=c", "annas"},
			{"light=a", "berts"},
			{"card=a&light=a", ""},
			{"version=", "null zero one most old long annas berts"},
		} {
			page := list(t, s, gadgets.Schema, c.query)
			equal(t, c.query, names(page), c.want)
			equal(t, c.query+" total", page.Total, len(strings.Fields(c.want)))
		}
		byID := &kind.Query{
			Page: 1, PerPage: 9, Conds: []kind.Cond{
				{Field: gadgets.Field("owner"), Any: []kind.Test{{Range: true, Min: bert.ID, Max: bert.ID}}},
			},
		}
		view(t, s, func(tx *store.Tx) error {
			page, err := tx.List(ctx, gadgets.Schema, byID)
			equal(t, "owner by id", names(page), "berts")
			return err
		})
	})
}

// TestSort sorts by a field of each type, nulls last, equal ones by id.
func TestSort(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		zoe, adam := addUser(t, s, "a@example.com", "Zoë", "Z"), addUser(t, s, "z@example.com", "adam", "A")
		one, two := kind.Some[int64](2), kind.Some[int64](10)
		insert(t, s, gadgets,
			&gadget{Name: "c"},
			&gadget{Name: "b", Version: "éa", Count: two, Live: kind.Some(true), SeenAt: at("2026-01-02"),
				BoughtOn: at("1969-01-01"), Owner: zoe.Person()},
			&gadget{Name: "d"},
			&gadget{Name: "a", Version: "Z", Count: one, Live: kind.Some(false), SeenAt: at("2026-01-01"),
				BoughtOn: at("1970-01-02"), Owner: adam.Person()},
			&gadget{Name: "B", Version: "z", Count: one, Live: kind.Some(false), SeenAt: at("2026-01-01"),
				BoughtOn: at("1970-01-02"), Owner: adam.Person()},
		)
		for _, c := range []struct{ field, up, down string }{
			{"id", "c b d a B", "B a d b c"},
			{"name", "a b B c d", "d c b B a"},
			{"version", "a B b c d", "b a B c d"},
			{"item_count", "a B b c d", "b a B c d"},
			{"live", "a B b c d", "b a B c d"},
			{"seen-at", "a B b c d", "b a B c d"},
			{"bought-on", "b a B c d", "a B b c d"},
			{"owner", "a B b c d", "b a B c d"},
			{"created_at", "c b d a B", "c b d a B"},
			{"state", "c b d a B", "c b d a B"},
		} {
			equal(t, "by "+c.field, names(list(t, s, gadgets.Schema, "sort_by="+c.field)), c.up)
			equal(t, "by "+c.field+" descending",
				names(list(t, s, gadgets.Schema, "sort_order=desc&sort_by="+c.field)), c.down)
		}
		equal(t, "filtered, second page",
			names(list(t, s, gadgets.Schema, "sort_by=owner&owner=*@example.com&owner=&page=2&per_page=2")), "b c")
	})
}

// TestPages counts all that match, whatever the page.
func TestPages(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		for _, name := range strings.Fields("a b c d e") {
			insert(t, s, gadgets, &gadget{Name: name, Live: kind.Some(name != "c")})
		}
		remove(t, s, gadgets, 4)
		for _, c := range []struct {
			query, want string
			total       int
			more        bool
		}{
			{"per_page=2", "a b", 4, false},
			{"per_page=2&page=2", "c e", 4, false},
			{"per_page=3&page=2", "e", 4, false},
			{"per_page=2&page=3", "", 4, false},
			{"per_page=1000&page=2147483647", "", 4, false},
			{"live=true&per_page=2&page=2", "e", 3, false},
			{"after=0&per_page=2", "a b", 4, true},
			{"after=2&per_page=2", "c e", 4, false},
			{"after=3&per_page=1", "e", 4, false},
			{"after=5", "", 4, false},
			{"after=9223372036854775807", "", 4, false},
			{"after=1&per_page=1&live=true", "b", 3, true},
			{"after=2&per_page=1&live=true", "e", 3, false},
			{"after=0&name=x", "", 0, false},
		} {
			page := list(t, s, gadgets.Schema, c.query)
			equal(t, c.query, []any{names(page), page.Total, page.More}, []any{c.want, c.total, c.more})
		}
	})
}
