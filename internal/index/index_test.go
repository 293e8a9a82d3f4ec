package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"muster/internal/index"
	"muster/internal/kind"
)

// A lamp is a kind with a field of every sort that lists are filtered by.
type lamp struct {
	kind.Record
	Color, Room string
	Watts       kind.Int
	On          kind.Bool
	Bought      time.Time
	Bulbs       []bulb
}

type bulb struct{ Color string }

var lamps = kind.Define("lamp", "lamps", "Lamps", func(l *lamp, f *kind.Fields) {
	f.Record(&l.Record)
	f.Text("color", &l.Color).Filter()
	f.Text("room", &l.Room).Filter()
	f.Int("watts", &l.Watts).Filter()
	f.Bool("on", &l.On).Filter()
	f.Time("bought", &l.Bought).Filter()
	kind.Many(f, "bulbs", "bulb", &l.Bulbs, func(b *bulb, f *kind.Fields) { f.Text("color", &b.Color).FilterAs("bulb") })
	f.Stamps(&l.Record)
	f.NotWithin("unused", "bought", "created-at")
})

// row returns what the index keeps of a lamp.
func row(x *index.Index, l *lamp) index.Row {
	r := index.Row{ID: l.ID, Version: l.ID}
	v := lamps.Values(l)
	for _, f := range x.Texts() {
		r.Texts = append(r.Texts, strings.ToLower(*v.Text(f)))
	}
	for _, f := range x.Numbers() {
		r.Numbers = append(r.Numbers, number(v, l, f))
	}
	return r
}

func number(v kind.Values, l *lamp, f *kind.Field) int64 {
	switch {
	case f.Name == "created-at":
		return l.CreatedAt.Unix()
	case f.Name == "updated-at":
		return l.UpdatedAt.Unix()
	case f.Type == kind.Integer && v.Int(f).Valid:
		return v.Int(f).V
	case f.Type == kind.Boolean && v.Bool(f).Valid:
		if v.Bool(f).V {
			return 1
		}
		return 0
	case f.Type == kind.Time && !v.Time(f).IsZero():
		return v.Time(f).Unix()
	}
	return index.Null
}

// record returns what every record has.
func record(id int64) kind.Record { return kind.Record{ID: id, CreatedAt: epoch, UpdatedAt: epoch} }

// A house holds lamps plainly, and an index of them.
type house struct {
	all map[int64]*lamp
	x   *index.Index
}

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// draw returns a lamp.
func draw(t *rapid.T, id int64) *lamp {
	l := &lamp{
		Color: rapid.SampledFrom([]string{"", "Red", "green", "dark red", "blue*"}).Draw(t, "color"),
		Room:  rapid.SampledFrom([]string{"", "Hall", "Kitchen", "Cellar"}).Draw(t, "room"),
	}
	l.ID = id
	l.CreatedAt = epoch.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "created")) * 24 * time.Hour)
	l.UpdatedAt = l.CreatedAt
	if rapid.Bool().Draw(t, "has watts") {
		l.Watts = kind.Some(rapid.Int64Range(0, 5).Draw(t, "watts"))
	}
	if rapid.Bool().Draw(t, "has on") {
		l.On = kind.Some(rapid.Bool().Draw(t, "on"))
	}
	if rapid.Bool().Draw(t, "has bought") {
		l.Bought = epoch.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "bought")) * 24 * time.Hour)
	}
	return l
}

// query returns a query as a client writes it.
func query(t *rapid.T) string {
	values := map[string][]string{
		"color": {"red", "RED", "", "*red", "dark*", "*", "d*r*d", `blue\*`, "none"}, "room": {"hall", "", "k*", "*l*"},
		"watts": {"0", "3", ""}, "on": {"true", "false", ""}, "bought_from": {"2026-01-04"}, "bought_to": {"2026-01-05"},
		"unused": {"3", "6"}, "updated_since": {"2026-01-05T00:00:00Z"},
	}
	names := []string{"color", "room", "watts", "on", "bought_from", "bought_to", "unused", "updated_since"}
	var parts []string
	for range rapid.IntRange(0, 4).Draw(t, "filters") {
		name := rapid.SampledFrom(names).Draw(t, "filter")
		value := rapid.SampledFrom(values[name]).Draw(t, "value")
		parts = append(parts, name+"="+value)
	}
	parts = append(parts, fmt.Sprintf("per_page=%d", rapid.IntRange(1, 7).Draw(t, "per page")))
	switch rapid.IntRange(0, 2).Draw(t, "order") {
	case 0:
		parts = append(parts, fmt.Sprintf("page=%d", rapid.IntRange(1, 9).Draw(t, "page")))
	case 1:
		parts = append(parts, fmt.Sprintf("page=%d&sort_by=id&sort_order=DESC", rapid.IntRange(1, 9).Draw(t, "page")))
	default:
		parts = append(parts, fmt.Sprintf("after=%d", rapid.IntRange(0, 99).Draw(t, "after")))
	}
	return strings.Join(parts, "&")
}

// find answers a query by looking at each lamp.
func (h *house) find(q *kind.Query) (total int, ids []int64) {
	var all []int64
	for id, l := range h.all {
		if !slices.ContainsFunc(q.Conds, func(c kind.Cond) bool { return !holds(c, l) }) {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	total = len(all)
	first, n := (q.Page-1)*q.PerPage, q.PerPage
	if q.Desc {
		slices.Reverse(all)
	}
	if q.ByID {
		first, n = slices.IndexFunc(append(all, 1<<40), func(id int64) bool { return id > q.After }), q.PerPage+1
	}
	first = min(first, len(all))
	return total, all[first:min(first+n, len(all))]
}

// holds tells plainly whether a condition holds.
func holds(c kind.Cond, l *lamp) bool {
	v := lamps.Values(l)
	for _, t := range c.Any {
		if c.Field.Type == kind.Text {
			text := strings.ToLower(*v.Text(c.Field))
			if t.Null && text == "" || t.Text != nil && text != "" && matches(text, t.Text) {
				return true
			}
			continue
		}
		n := number(v, l, c.Field)
		if n == index.Null && c.Else != nil {
			n = number(v, l, c.Else)
		}
		if t.Null && n == index.Null || t.Range && n != index.Null && t.Min <= n && n <= t.Max {
			return true
		}
	}
	return false
}

// matches compares a text with pieces, trying every place for each.
func matches(text string, pieces []string) bool {
	piece := strings.ToLower(pieces[0])
	if len(pieces) == 1 {
		return text == piece
	}
	if !strings.HasPrefix(text, piece) {
		return false
	}
	rest := text[len(piece):]
	for i := range len(rest) + 1 {
		if matches(rest[i:], pieces[1:]) {
			return true
		}
	}
	return false
}

// idsOf returns the ids of hits, whose versions are the ids too.
func idsOf(hits []index.Hit) (ids []int64) {
	for _, h := range hits {
		if h.Version == h.ID {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// check holds what the index answers against what looking at each lamp tells.
func (h *house) check(t *rapid.T, text string) {
	q, err := lamps.ParseQuery(text, epoch.Add(10*24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	total, ids := h.find(q)
	gotTotal, hits, ok := h.x.Find(q)
	got := idsOf(hits)
	if !ok || gotTotal != total || !slices.Equal(got, ids) {
		t.Fatalf("%s: got %d %v, %v, want %d %v", text, gotTotal, got, ok, total, ids)
	}
}

// TestFind changes lamps and asks for them, again and again: what the index answers is what looking at each of them tells.
func TestFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &house{map[int64]*lamp{}, index.New(lamps.Schema, strings.ToLower)}
		var asked []string
		far := rapid.SampledFrom([]int64{20, 300, 9_000}).Draw(t, "last id")
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				l := draw(t, rapid.Int64Range(1, far).Draw(t, "id"))
				h.all[l.ID] = l
				h.x.Set(1, row(h.x, l))
			},
			"remove": func(t *rapid.T) {
				id := rapid.Int64Range(1, far).Draw(t, "id")
				delete(h.all, id)
				h.x.Remove(1, id)
			},
			"ask": func(t *rapid.T) { asked = append(asked, query(t)) },
			"": func(t *rapid.T) { // after each of the others
				for _, text := range asked {
					h.check(t, text)
				}
			},
		})
	})
}
