package store_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/words"
)

// searched returns the versions of the gadgets that a search finds.
func searched(t testing.TB, s *store.Store, q, more string) string {
	t.Helper()
	page := list(t, s, gadgets.Schema, "per_page=1000&q="+url.QueryEscape(q)+more)
	var versions []string
	for _, rec := range page.Records {
		versions = append(versions, rec.(*gadget).Version)
	}
	equal(t, "total of "+q, page.Total, len(versions))
	return strings.Join(versions, " ")
}

// TestSearch finds the same on every database, whatever is typed.
func TestSearch(t *testing.T) {
	t.Parallel()
	all := "v1 v2 v3 v4 v5 v6 v7 v8 v9"
	texts := []string{
		"srv-01.example.com, fe80::1a2b, 10.0.3.17 at Straße 7",
		"MUS-000123 00:1A:2B:3C:4D:5E anna.berg@example.com",
		"Müller's ﬁle server in İstanbul (ISTANBUL) ΣΑΣ",
		"東京都庁のサーバー room １２３ m²",
		`AND OR NOT NEAR(a, b) "quoted" col:value -minus a*b {x} ^y`,
		"naïve café cafe\u0301s 😀 e-mail e\u200Bmail In\u00ADventar",
		"'; DROP TABLE users; -- $1 ?1 %s \\x",
		"हिन्दी ٣٤ Ⅷ ß",
		strings.Repeat("x", words.Longest) + "end",
	}
	cases := []struct{ q, want string }{
		{"srv-01.example.com", "v1"}, {"SRV-01", "v1"}, {"srv", "v1"}, {"rv-01", ""}, {"example.com srv", "v1"},
		{"10.0.3.17", "v1"}, {"10.0.3", "v1"}, {"10.0.3.1", "v1"}, {"10.0.4", ""}, {"FE80:", "v1"},
		{"MUS-000123", "v2"}, {"mus-0001", "v2"}, {"mus 000", "v2"}, {"mus-00 x", ""}, {"000123-mus", "v2"},
		{"00:1a:2b", "v2"}, {"00:1a:2b:3c:4d:5e", "v2"}, {"00-1A-2B-3C-4D-5E", "v2"}, {"anna.berg@example.com", "v2"},
		{"example com", "v1 v2"}, {"com exam", "v1 v2"}, {"examp com", ""},
		{"STRASSE", "v1"}, {"straße", "v1"}, {"STRAẞE", "v1"}, {"stras", "v1"}, {"ß", "v8"}, {"s", "v1 v3 v7 v8"},
		{"muller", ""}, {"MÜLLER", "v3"}, {"mu\u0308ller", "v3"}, {"müller's", "v3"}, {"file", "v3"}, {"ﬁ", "v3"},
		{"istanbul İSTANBUL", "v3"}, {"σας", "v3"},
		{"東京", "v4"}, {"京都", "v4"}, {"東京都庁のサーバー", "v4"}, {"東都", ""}, {"ｻｰﾊﾞｰ", "v4"}, {"東", "v4"}, {"123 m2", "v4"},
		{"１２", "v4"},
		{"AND", "v5"}, {"and or not near", "v5"}, {"NEAR(a b)", "v5"}, {"NEAR(", "v5"}, {`"quoted`, "v5"}, {`"`, ""},
		{`"a" OR "b"`, "v5"}, {"col:value", "v5"},
		{"-minus", "v5"}, {"minus-", "v5"}, {"a*b", "v5"}, {"a*", "v1 v2 v5"}, {"*", ""}, {"{x}^y", "v5"},
		{"words : a", ""},
		{"café", "v6"}, {"CAFE\u0301", "v6"}, {"cafe", ""}, {"naïve cafés", "v6"}, {"email", ""}, {"e mail", "v6"},
		{"inventar", "v6"}, {"😀", ""}, {"😀 naïve", "v6"},
		{"'; DROP TABLE users; --", "v7"}, {"' OR 1=1", ""}, {"$1", "v1 v2 v4 v7"}, {"?1 drop", "v7"},
		{"%s", "v1 v3 v7 v8"}, {"drop:* & users", "v7"}, {"drop | nothing", ""}, {"!drop", "v7"}, {`\x`, "v5 v7 v9"},
		{"हिन्दी", "v8"}, {"٣٤", "v8"}, {"viii", "v8"},
		{strings.Repeat("X", words.Longest), "v9"}, {strings.Repeat("x", 10_000), "v9"},
		{strings.Repeat("x", words.Longest-1), "v9"},
		{"", ""}, {" ", ""}, {".,-", ""}, {"\x00", ""}, {"\xff\xc0", ""}, {"drop\x00table", "v7"},
		{"drop\xfftable", "v7"}, {"\ufffd", ""},
		{strings.Repeat("drop ", 2000), "v7"}, {"drop drop", "v7"}, {"drop dro", "v7"}, {"dro drop", ""},
		{"dro dro", ""}, {"dro", "v7"}, {"v", all},
	}
	each(t, func(t *testing.T, s *store.Store) {
		for i, text := range texts {
			g := &gadget{Version: fmt.Sprint("v", i+1)}
			*[]*string{&g.Name, &g.Note, &g.Chip}[i%3] = text
			if i == 4 { // nested
				g.Chip, g.Cards, g.Lights = "", []card{{}, {Name: text[:17]}}, []light{{Colour: text[17:]}}
			}
			insert(t, s, gadgets, g)
		}
		for _, c := range cases {
			equal(t, fmt.Sprintf("%.80q", c.q), searched(t, s, c.q, ""), c.want)
		}
	})
}

// TestSearchLooksAt checks by which texts a record is found: its own.
func TestSearchLooksAt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		g := fullGadget(addUser(t, s, "anna@example.com", "Anna", "Berg").Person(), kind.Person{})
		maker, room := add(t, s, makers, "Maker"), add(t, s, rooms, "Room")
		g.Maker, g.Rooms = ref(maker), []kind.Linked{link(rooms, room)}
		insert(t, s, gadgets, g)
		for _, q := range []string{"g-1", "press", "m1", "1.0", "two", "disk", "fan", "red", "co press disk"} {
			equal(t, q, searched(t, s, q, ""), "1.0")
		}
		for _, q := range []string{
			"hush", "used", "anna", "berg", "maker", "room", "9223372036854775807", "true", "re-tired",
		} {
			equal(t, q, searched(t, s, q, ""), "")
		}
	})
}

// TestSearchNumbers finds a record by a number that people call it by.
func TestSearchNumbers(t *testing.T) {
	t.Parallel()
	eachWhole(t, func(t *testing.T, s *store.Store) {
		anna := addUser(t, s, "anna@example.com", "Anna", "Berg").Person()
		insert(t, s, inventory.Tickets,
			&inventory.Ticket{Number: kind.Some[int64](4711), Name: "Printer", Requester: anna})
		for q, want := range map[string]int{"4711": 1, "%234711": 1, "47": 1, "711": 0, "printer+4711": 1} {
			equal(t, q, list(t, s, inventory.Tickets.Schema, "q="+q).Total, want)
		}
	})
}

// TestSearchNarrows combines a search with all that narrows, sorts and cuts a
// list.
func TestSearchNarrows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		for i, name := range []string{"delta box", "alpha box", "echo box", "bravo box", "charlie bag"} {
			insert(t, s, gadgets, &gadget{Name: name, Version: fmt.Sprint("v", i+1), Live: kind.Some(i%2 == 0)})
		}
		for _, c := range []struct {
			query, want string
			total       int
		}{
			{"", "v1 v2 v3 v4", 4},
			{"&sort_by=id&sort_order=DESC", "v4 v3 v2 v1", 4},
			{"&sort_by=name", "v2 v4 v1 v3", 4},
			{"&sort_by=owner&sort_order=DESC", "v1 v2 v3 v4", 4},
			{"&per_page=3&page=2", "v4", 4},
			{"&per_page=3&page=3", "", 4},
			{"&sort_by=name&sort_order=desc&per_page=2", "v3 v1", 4},
			{"&after=0&per_page=2", "v1 v2", 4},
			{"&after=2", "v3 v4", 4},
			{"&after=2&live=true", "v3", 2},
			{"&live=true", "v1 v3", 2},
			{"&live=true&name=*o*&sort_by=name", "v1 v3", 2},
			{"&name=alpha*", "v2", 1},
			{"&name=charlie*", "", 0},
		} {
			page := list(t, s, gadgets.Schema, "q=box"+c.query)
			var got []string
			for _, rec := range page.Records {
				got = append(got, rec.(*gadget).Version)
			}
			equal(t, c.query, strings.Join(got, " "), c.want)
			equal(t, "total of "+c.query, page.Total, c.total)
		}
	})
}

// TestSearchFollows keeps words true when records change, and only then.
func TestSearchFollows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		insert(t, s, gadgets, &gadget{Name: "first", Version: "v1"},
			&gadget{Name: "second", Version: "v2", Cards: []card{{Name: "disk"}}})
		equal(t, "change", change(s, gadgets, 1, now, func(g *gadget) { g.Name, g.Note = "third", "disk" }), error(nil))
		for q, want := range map[string]string{"first": "", "third": "v1", "disk": "v1 v2", "v": "v1 v2"} {
			equal(t, q, searched(t, s, q, ""), want)
		}
		equal(t, "change of a number", change(s, gadgets, 1, now, func(g *gadget) { g.Count = kind.Some[int64](7) }),
			error(nil))
		equal(t, "clearing", change(s, gadgets, 2, now, func(g *gadget) { g.Name, g.Cards = "", nil }), error(nil))
		equal(t, "disk", searched(t, s, "disk", ""), "v1")
		refused := fmt.Errorf("refused")
		err := s.Update(ctx, func(tx *store.Tx) error {
			if err := tx.Insert(ctx, gadgets.Schema, &gadget{Name: "ghost"}, now); err != nil {
				return err
			}
			return refused
		})
		is(t, "an undone insert", err, refused)
		equal(t, "ghost", searched(t, s, "ghost", ""), "")
		remove(t, s, gadgets, 1)
		equal(t, "after removal", searched(t, s, "v", ""), "v2")
	})
}

// TestSearchBeside looks into the records that refer to one, as far as they may
// be looked into.
func TestSearchBeside(t *testing.T) {
	t.Parallel()
	public := kind.Cond{Field: inventory.Comments.Field("is-private"), Any: []kind.Test{{Range: true}}}
	eachWhole(t, func(t *testing.T, s *store.Store) {
		anna := addUser(t, s, "anna@example.com", "Anna", "Berg").Person()
		for i, name := range []string{"printer jams", "printer on fire", "coffee"} {
			ticket := &inventory.Ticket{Name: name, Requester: anna, Site: fmt.Sprint("s", i+1)}
			insert(t, s, inventory.Tickets, ticket)
			of := kind.Ref{ID: ticket.ID}
			insert(t, s, inventory.Comments,
				&inventory.Comment{Body: "Tried paper tray " + name[:3], IsPrivate: kind.Some(false), Ticket: of},
				&inventory.Comment{Body: fmt.Sprint("secret toner", i), IsPrivate: kind.Some(true), Ticket: of})
		}
		ask := func(text, more string, either ...kind.Cond) string {
			q, err := inventory.Tickets.ParseQuery("q="+url.QueryEscape(text)+more, now)
			if err != nil {
				t.Fatal(err)
			}
			q.Search.Beside = []kind.Beside{
				{Kind: inventory.Comments.Schema, Ref: inventory.Comments.Field("ticket"), Either: either},
			}
			var page kind.Page
			view(t, s, func(tx *store.Tx) (err error) {
				page, err = tx.List(ctx, inventory.Tickets.Schema, q)
				return err
			})
			var ids []string
			for _, rec := range page.Records {
				ids = append(ids, fmt.Sprint(rec.(*inventory.Ticket).ID))
			}
			equal(t, text+" total", page.Total, len(ids))
			return strings.Join(ids, " ")
		}
		for _, c := range []struct{ q, more, all, public string }{
			{"printer", "", "1 2", "1 2"},
			{"paper", "", "1 2 3", "1 2 3"},
			{"paper printer", "", "1 2", "1 2"},
			{"printer paper fire", "", "2", "2"},
			{"secret", "", "1 2 3", ""},
			{"toner1", "", "2", ""},
			{"printer toner", "", "1 2", ""},
			{"paper toner2 cof", "", "3", ""},
			{"paper", "&site=s2", "2", "2"},
			{"paper", "&sort_by=name&sort_order=desc", "2 1 3", "2 1 3"},
			{"paper", "&after=1", "2 3", "2 3"},
			{".", "", "", ""},
			{strings.Repeat("paper ", 500) + "tray", "", "1 2 3", "1 2 3"},
		} {
			if c.more == "&after=1" { // the total is that of all
				continue
			}
			equal(t, c.q+c.more, ask(c.q, c.more), c.all)
			equal(t, c.q+c.more+" in public ones", ask(c.q, c.more, public), c.public)
		}
	})
}

// TestSearchBound stores records with more words than can be found, and looks
// for more than are looked for.
func TestSearchBound(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&many, "w%dx%d ", i, i)
	}
	long := gadget{Version: "long", Note: "first " + strings.Repeat("\uFDFA", 20_000)}
	for range 15 {
		long.Lights = append(long.Lights, light{Colour: strings.Repeat("\uFDFA", 20_000) + " finally"})
	}
	each(t, func(t *testing.T, s *store.Store) {
		insert(t, s, gadgets, &long,
			&gadget{Version: "many", Note: "first " + many.String() + " finally"},
			&gadget{Version: "pairs", Note: strings.Repeat("日本", 10_000) + " finally"},
			&gadget{Version: "marks", Note: "a" + strings.Repeat("\u0301\u0345", 15_000) + " finally"})
		equal(t, "the first word", searched(t, s, "first", ""), "long many")
		equal(t, "the last word", searched(t, s, "finally", ""), "pairs marks")
		equal(t, "a change", change(s, gadgets, 2, now, func(g *gadget) { g.Note = "finally" }), error(nil))
		equal(t, "the last word after it", searched(t, s, "finally", ""), "many pairs marks")

		var asked []string
		for i := range 64 {
			asked = append(asked, fmt.Sprintf("q%d", i))
		}
		insert(t, s, gadgets, &gadget{Version: "asked", Note: strings.Join(asked, " ")})
		equal(t, "64 words", searched(t, s, strings.Join(asked, "-"), ""), "asked")
		equal(t, "a 65th, which is not looked for", searched(t, s, strings.Join(append(asked, "nothing"), "-"), ""),
			"asked")
		equal(t, "the 64th of 65 whole",
			searched(t, s, strings.Join(append(slices.Clone(asked[:63]), "q6", "q63"), " "), ""), "asked")
		equal(t, "the 64th of 65 not whole",
			searched(t, s, strings.Join(append(slices.Clone(asked[:62]), "x", "q6", "q63"), " "), ""), "")
	})
}

// has is what a search means, in the plainest way.
func has(g *gadget, q string) bool {
	texts := []string{g.Code, g.Name, g.Chip, g.Version, g.Note}
	for _, c := range g.Cards {
		texts = append(texts, c.Name)
	}
	for _, l := range g.Lights {
		texts = append(texts, l.Name, l.Colour)
	}
	var own []string
	for _, text := range texts {
		own = append(own, slices.Collect(words.Of(text))...)
	}
	asked := slices.Collect(words.Of(q))
	for i, word := range asked {
		ok := slices.Contains(own, word)
		if i == len(asked)-1 {
			ok = slices.ContainsFunc(own, func(o string) bool { return strings.HasPrefix(o, word) })
		}
		if !ok {
			return false
		}
	}
	return len(asked) > 0
}

// anyWords draws a text of few words that are easily taken for each other.
func anyWords() *rapid.Generator[string] {
	letters := rapid.SampledFrom([]rune("aAbB1 -.:\"'*ßsﬁfiİıée\u0301東京都ーー\u00AD😀\u0345"))
	return rapid.StringOfN(letters, 0, 8, -1)
}

// TestAnySearch holds for any gadgets, changes and queries: every database finds
// what plain Go finds.
func TestAnySearch(t *testing.T) {
	t.Parallel()
	stores := map[string]*store.Store{}
	for _, db := range mustertest.Databases() {
		stores[db.Name] = open(t, db.New(t), allKinds()...)
	}
	set := func(t *rapid.T, g *gadget) {
		g.Name, g.Note, g.Cards = anyWords().Draw(t, "name"), anyWords().Draw(t, "note"), nil
		g.Live = kind.Some(rapid.Bool().Draw(t, "live"))
		for range rapid.IntRange(0, 2).Draw(t, "cards") {
			g.Cards = append(g.Cards, card{Name: anyWords().Draw(t, "card")})
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		all := make([]*gadget, rapid.IntRange(1, 8).Draw(t, "gadgets"))
		for i := range all {
			all[i] = &gadget{Version: fmt.Sprint("v", i)}
			set(t, all[i])
		}
		for name, s := range stores {
			if err := replace(s, all); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		place := rapid.IntRange(0, len(all)-1).Draw(t, "changed")
		set(t, all[place])
		for name, s := range stores {
			if err := rewrite(s, all[place]); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for range 4 {
			q, more := anyWords().Draw(t, "q"),
				rapid.SampledFrom([]string{"", "&live=true", "&sort_by=version"}).Draw(t, "more")
			var want []string
			for _, g := range all {
				if has(g, q) && (more != "&live=true" || g.Live.V) {
					want = append(want, g.Version)
				}
			}
			answer := question{query: "per_page=100&q=" + url.QueryEscape(q) + more, total: len(want), page: want}
			for name, s := range stores {
				answer.ask(t, name, s)
			}
		}
	})
}

// rewrite stores the new state of the gadget with the same version.
func rewrite(s *store.Store, g *gadget) error {
	return s.Update(ctx, func(tx *store.Tx) error {
		id, err := tx.Int(ctx, "SELECT id FROM test_gadgets WHERE version = $1", g.Version)
		if err != nil {
			return err
		}
		old, err := store.Get(ctx, tx, gadgets, id)
		if err != nil {
			return err
		}
		rec := gadgets.Copy(g).(*gadget)
		rec.Record = old.Record
		return tx.Update(ctx, gadgets.Schema, rec, old, now)
	})
}
