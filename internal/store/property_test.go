package store_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// folded is the folded form as the API documents it.
func folded(text string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(text)))
}

// matches is what a star means, in the plainest way.
func matches(pieces []string, text string) bool {
	rest, ok := strings.CutPrefix(text, pieces[0])
	if !ok || len(pieces) == 1 {
		return ok && rest == ""
	}
	for i := range len(rest) + 1 {
		if matches(pieces[1:], rest[i:]) {
			return true
		}
	}
	return false
}

// A narrowing is one value of a filter, and what it means.
type narrowing struct {
	value string
	holds func(*gadget) bool
}

// textNarrowing draws a value of a text filter; of returns the texts that a
// gadget is found by.
func textNarrowing(t *rapid.T, of func(*gadget) []string) narrowing {
	parts := rapid.SliceOfN(anyText(), 1, 4).Draw(t, "pieces")
	var pieces []string
	for _, part := range parts {
		pieces = append(pieces, folded(part))
	}
	value := strings.Join(parts, "\x00")
	value = strings.ReplaceAll(strings.ReplaceAll(value, "*", `\*`), "\x00", "*")
	if strings.Contains(strings.Join(parts, "*"), `\*`) { // a backslash before a star cannot be asked for
		value, pieces = "a*", []string{"a", ""}
	}
	return narrowing{value, func(g *gadget) bool {
		values := slices.DeleteFunc(of(g), func(v string) bool { return v == "" })
		if value == "" {
			return len(values) == 0
		}
		return slices.ContainsFunc(values, func(v string) bool { return matches(pieces, folded(v)) })
	}}
}

// anyText draws a short text of few characters that are easily taken for each
// other, or null.
func anyText() *rapid.Generator[string] {
	return rapid.StringOfN(rapid.SampledFrom([]rune("aAb%_*\\ßẞsSİiıIσςΣéÉe\u0301K\u212Aﬃ\U0010FFFF")), 0, 3, -1)
}

// narrowings draws a value of each filter.
var narrowings = map[string]func(*rapid.T) narrowing{
	"name": func(t *rapid.T) narrowing {
		return textNarrowing(t, func(g *gadget) []string { return []string{g.Name} })
	},
	"chip": func(t *rapid.T) narrowing {
		return textNarrowing(t, func(g *gadget) []string { return []string{strings.TrimSpace(g.Chip)} })
	},
	"card": func(t *rapid.T) narrowing {
		return textNarrowing(t, func(g *gadget) (names []string) {
			for _, c := range g.Cards {
				names = append(names, c.Name)
			}
			return names
		})
	},
	"owner": func(t *rapid.T) narrowing {
		return textNarrowing(t, func(g *gadget) []string { return []string{g.Owner.Email, g.Owner.Name} })
	},
	"maker": func(t *rapid.T) narrowing {
		return textNarrowing(t, func(g *gadget) []string { return []string{g.Maker.Name} })
	},
	"phase": func(t *rapid.T) narrowing {
		n := textNarrowing(t, func(g *gadget) []string { return []string{phaseOf(g)} })
		if rapid.Bool().Draw(t, "a phase") {
			phase := rapid.SampledFrom([]string{"RE-TIRED", "Retained", "strasse"}).Draw(t, "phase")
			n = narrowing{phase, func(g *gadget) bool { return folded(phaseOf(g)) == folded(phase) }}
		}
		return n
	},
	"price": func(t *rapid.T) narrowing {
		n := anyCount().Draw(t, "price")
		if !n.Valid {
			return narrowing{"", func(g *gadget) bool { return !g.Price.Valid }}
		}
		text := fmt.Sprintf("%d.%04d", n.V/10_000, n.V%10_000)
		return narrowing{text, func(g *gadget) bool { return g.Price == kind.Decimal(n) }}
	},
	"item_count": func(t *rapid.T) narrowing {
		n := anyCount().Draw(t, "count")
		if !n.Valid {
			return narrowing{"", func(g *gadget) bool { return !g.Count.Valid }}
		}
		return narrowing{fmt.Sprint(n.V), func(g *gadget) bool { return g.Count == n }}
	},
	"live": func(t *rapid.T) narrowing {
		b := anyLive().Draw(t, "live")
		if !b.Valid {
			return narrowing{"", func(g *gadget) bool { return !g.Live.Valid }}
		}
		return narrowing{strconv.FormatBool(b.V), func(g *gadget) bool { return g.Live == b }}
	},
	"seen_at_from": func(t *rapid.T) narrowing {
		from := start.Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, "from")) * time.Hour)
		return narrowing{
			from.Format(time.RFC3339), func(g *gadget) bool { return !g.SeenAt.IsZero() && !g.SeenAt.Before(from) },
		}
	},
	"silent": func(t *rapid.T) narrowing {
		days := rapid.IntRange(0, 3).Draw(t, "days")
		return narrowing{fmt.Sprint(days), func(g *gadget) bool {
			last := g.SeenAt
			if last.IsZero() {
				last = g.CreatedAt
			}
			return last.Before(start.AddDate(0, 0, -days))
		}}
	},
}

// phaseOf returns what follows from a gadget's days.
func phaseOf(g *gadget) string {
	c := gadgets.Copy(g).(*gadget)
	gadgets.Derive(c, start)
	return c.Phase
}

func anyCount() *rapid.Generator[kind.Int] {
	return rapid.SampledFrom([]kind.Int{{}, kind.Some[int64](0), kind.Some[int64](1), kind.Some[int64](1<<63 - 1)})
}

func anyLive() *rapid.Generator[kind.Bool] {
	return rapid.SampledFrom([]kind.Bool{{}, kind.Some(false), kind.Some(true)})
}

// orders are the fields that the test sorts by: less than 0 means before, and
// null is after all others in both directions.
var orders = map[string]func(a, b *gadget) (null [2]bool, order int){
	"name": func(a, b *gadget) ([2]bool, int) { return byText(a.Name, b.Name) },
	"chip-set": func(a, b *gadget) ([2]bool, int) {
		return byText(strings.TrimSpace(a.Chip), strings.TrimSpace(b.Chip))
	},
	"owner": func(a, b *gadget) ([2]bool, int) { return byText(a.Owner.Name, b.Owner.Name) },
	"maker": func(a, b *gadget) ([2]bool, int) { return byText(a.Maker.Name, b.Maker.Name) },
	"phase": func(a, b *gadget) ([2]bool, int) { return byText(phaseOf(a), phaseOf(b)) },
	"price": func(a, b *gadget) ([2]bool, int) {
		return [2]bool{!a.Price.Valid, !b.Price.Valid}, int(min(1, max(-1, a.Price.V-b.Price.V)))
	},
	"item-count": func(a, b *gadget) ([2]bool, int) {
		return [2]bool{!a.Count.Valid, !b.Count.Valid}, int(min(1, max(-1, a.Count.V-b.Count.V)))
	},
	"seen-at": func(a, b *gadget) ([2]bool, int) {
		return [2]bool{a.SeenAt.IsZero(), b.SeenAt.IsZero()}, a.SeenAt.Compare(b.SeenAt)
	},
}

func byText(a, b string) ([2]bool, int) {
	return [2]bool{a == "", b == ""}, strings.Compare(folded(a), folded(b))
}

// A question is a query and its answer among the given gadgets.
type question struct {
	query string
	total int
	page  []string // versions of the gadgets on the page, which are all different
}

// anyQuestion draws a question and answers it without a database.
func anyQuestion(t *rapid.T, all []*gadget) question {
	params, found := url.Values{}, slices.Clone(all)
	for _, param := range rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(narrowings))), 0, 2,
		rapid.ID).Draw(t, "params") {
		var any []narrowing
		for range rapid.IntRange(1, 2).Draw(t, "values") {
			n := narrowings[param](t)
			any = append(any, n)
			params.Add(param, n.value)
		}
		found = slices.DeleteFunc(found, func(g *gadget) bool {
			return !slices.ContainsFunc(any, func(n narrowing) bool { return n.holds(g) })
		})
	}
	perPage := rapid.IntRange(1, 5).Draw(t, "per page")
	params.Set("per_page", fmt.Sprint(perPage))
	q := question{total: len(found)}
	page := rapid.IntRange(1, 3).Draw(t, "page")
	params.Set("page", fmt.Sprint(page))
	if field := rapid.SampledFrom(append(slices.Sorted(maps.Keys(orders)), "")).Draw(t, "sort"); field != "" {
		desc := rapid.Bool().Draw(t, "descending")
		params.Set("sort_by", field)
		params.Set("sort_order", map[bool]string{false: "ASC", true: "DESC"}[desc])
		slices.SortStableFunc(found, func(a, b *gadget) int { return compare(orders[field], desc, a, b) })
	}
	for _, g := range found[min(len(found), (page-1)*perPage):min(len(found), page*perPage)] {
		q.page = append(q.page, g.Version)
	}
	q.query = params.Encode()
	return q
}

func compare(order func(a, b *gadget) ([2]bool, int), desc bool, a, b *gadget) int {
	null, n := order(a, b)
	switch {
	case null[0] && null[1]:
		return 0
	case null[0]:
		return 1
	case null[1]:
		return -1
	case desc:
		return -n
	}
	return n
}

// anyDay draws a day about the present one, or null.
func anyDay() *rapid.Generator[time.Time] {
	return rapid.SampledFrom([]time.Time{{}, at("2026-01-30"), at("2026-01-31"), at("2026-02-01")})
}

// anyGadgets draws gadgets that have different versions.
func anyGadgets(t *rapid.T, people []kind.Person, known []kind.Ref) []*gadget {
	all := make([]*gadget, rapid.IntRange(0, 12).Draw(t, "gadgets"))
	for i := range all {
		all[i] = &gadget{
			Version: fmt.Sprint("g", i), Name: anyText().Draw(t, "name"), Chip: " " + anyText().Draw(t, "chip"),
			Count: anyCount().Draw(t, "count"), Live: anyLive().Draw(t, "live"),
			Owner: rapid.SampledFrom(people).Draw(t, "owner"),
			Price: kind.Decimal(anyCount().Draw(t, "price")), Maker: rapid.SampledFrom(known).Draw(t, "maker"),
			BoughtOn: anyDay().Draw(t, "bought"), RetiredOn: anyDay().Draw(t, "retired"),
		}
		all[i].CreatedAt = start.AddDate(0, 0, -rapid.IntRange(0, 3).Draw(t, "age")).Add(-time.Second)
		if hours := rapid.IntRange(-50, 3).Draw(t, "hours"); hours%5 != 0 {
			all[i].SeenAt = start.Add(time.Duration(hours) * time.Hour)
		}
		for range rapid.IntRange(0, 2).Draw(t, "cards") {
			all[i].Cards = append(all[i].Cards, card{Name: anyText().Draw(t, "card")})
		}
	}
	return all
}

// replace makes the gadgets the only ones.
func replace(s *store.Store, all []*gadget) error {
	return s.Update(ctx, func(tx *store.Tx) error {
		ids, err := tx.IDs(ctx, gadgets.Schema)
		if err != nil {
			return err
		}
		for _, id := range ids {
			rec, err := tx.Get(ctx, gadgets.Schema, id)
			if err != nil {
				return err
			}
			if err := tx.Delete(ctx, gadgets.Schema, rec); err != nil {
				return err
			}
		}
		for _, g := range all {
			if err := tx.Insert(ctx, gadgets.Schema, gadgets.Copy(g), now); err != nil {
				return err
			}
		}
		return nil
	})
}

// everyStore returns a store on each database, by its name, with the people and
// makers that any gadgets refer to.
func everyStore(t *testing.T) (stores map[string]*store.Store, people []kind.Person, known []kind.Ref) {
	t.Helper()
	stores = map[string]*store.Store{}
	for _, db := range mustertest.Databases() {
		s := open(t, db.New(t), allKinds()...)
		a, b := addUser(t, s, "ssi@a", "Éß", "%"), addUser(t, s, "ik@b", "", "")
		stores[db.Name], people = s, []kind.Person{{}, a.Person(), b.Person()}
		known = []kind.Ref{{}, ref(add(t, s, makers, "Éß")), ref(add(t, s, makers, "a%"))}
	}
	return stores, people, known
}

// TestAnyList holds for any gadgets and any query: every database gives the
// answer that plain Go gives.
func TestAnyList(t *testing.T) {
	t.Parallel()
	stores, people, known := everyStore(t)
	rapid.Check(t, func(t *rapid.T) {
		all := anyGadgets(t, people, known)
		for name, s := range stores {
			if err := replace(s, all); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for range 5 {
			q := anyQuestion(t, all)
			for name, s := range stores {
				q.ask(t, name, s)
			}
		}
	})
}

// ask fails the test unless the store knows the answer.
func (q question) ask(t *rapid.T, name string, s *store.Store) {
	parsed, err := gadgets.ParseQuery(q.query, start)
	if err != nil {
		t.Fatalf("%s: %v", q.query, err)
	}
	page, err := s.List(ctx, gadgets.Schema, parsed, nil)
	var got []string
	for _, rec := range page.Records {
		got = append(got, rec.(*gadget).Version)
	}
	if err != nil || page.Total != q.total || !slices.Equal(got, q.page) {
		text, _ := url.QueryUnescape(q.query)
		t.Fatalf("%s: %s: got %d %v, error %v, want %d %v", name, text, page.Total, got, err, q.total, q.page)
	}
}
