package index_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "muster/internal/draws" // sets how many cases are drawn
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
	Maker       kind.Ref
	State       string // follows from the others
	Note        string
	Bulbs       []bulb
}

// A maker is a kind that lamps refer to.
type maker struct {
	kind.Record
	Name string
}

var makers = kind.Define("maker", "makers", "Makers", func(m *maker, f *kind.Fields) {
	f.Record(&m.Record)
	f.Text("name", &m.Name)
	f.Stamps(&m.Record)
})

type bulb struct{ Color string }

var lamps = kind.Define("lamp", "lamps", "Lamps", func(l *lamp, f *kind.Fields) {
	f.Record(&l.Record)
	f.Text("color", &l.Color).Filter().Rare()
	f.Text("room", &l.Room).Filter()
	f.Int("watts", &l.Watts).Filter()
	f.Text("note", &l.Note)
	f.Bool("on", &l.On).Filter()
	f.Time("bought", &l.Bought).Filter()
	f.Ref("maker", &l.Maker, makers.Schema).Filter()
	f.Text("state", &l.State).
		ByDay(f.Past("bought", "Old"), f.AtLeast("watts", 4, "bright"), f.Coming("bought", "New")).Filter()
	kind.Many(f, "bulbs", "bulb", &l.Bulbs,
		func(b *bulb, f *kind.Fields) { f.Text("color", &b.Color).FilterAs("bulb") })
	f.Stamps(&l.Record)
	f.NotWithin("unused", "bought", "created-at")
})

// row returns what the index keeps of a lamp.
func row(x *index.Index, l *lamp) index.Row {
	r := index.Row{ID: l.ID, Version: l.ID}
	v := lamps.Values(l)
	for _, f := range x.Texts() {
		r.Texts = append(r.Texts, []byte(strings.ToLower(*v.Text(f))))
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
	case f.Type == kind.RecordRef && v.Ref(f).ID != 0:
		return v.Ref(f).ID
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

// A house has lamps in a map, and an index of them.
type house struct {
	all    map[int64]*lamp
	makers map[int64]string
	x, of  *index.Index // of lamps and of makers
	many   bool         // colors, of which the index keeps no codes
}

func newHouse() *house {
	h := &house{all: map[int64]*lamp{}, makers: map[int64]string{}, x: index.New(lamps.Schema, strings.ToLower),
		of: index.New(makers.Schema, strings.ToLower)}
	h.of.Name(makers.Field("name"))
	h.x.Refer(lamps.Field("maker"), h.of)
	return h
}

// crowd makes the index know very many colors, which it forgets again.
func (h *house) crowd() {
	h.many = true
	for id := int64(1); id <= 10_001; id++ {
		h.x.Set(1, row(h.x, &lamp{Record: record(id), Color: fmt.Sprint(id)}))
	}
	for id := int64(1); id <= 10_001; id++ {
		h.x.Remove(1, id)
	}
}

// suitsTables reports whether a query is for single ones of many colors, or for all of them in their order.
func (h *house) suitsTables(q *kind.Query) bool {
	byColor := q.Sort.Name == "color"
	if !h.many || len(q.Conds) == 0 {
		return h.many && byColor
	}
	return len(q.Conds) == 1 && q.Conds[0].Field.Name == "color" && q.Sort.Type == kind.ID &&
		!slices.ContainsFunc(q.Conds[0].Any, func(t kind.Test) bool { return !t.Whole() })
}

// today is the day of all questions.
var (
	epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	today = epoch.Add(5 * 24 * time.Hour)
)

// day draws one of ten days, some before today.
func day(t *rapid.T, what string) time.Time {
	return epoch.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, what)) * 24 * time.Hour)
}

// draw returns a lamp.
func draw(t *rapid.T, id int64) *lamp {
	l := &lamp{
		Color: rapid.SampledFrom([]string{"", "Red", "green", "dark red", "blue*"}).Draw(t, "color"),
		Room:  rapid.SampledFrom([]string{"", "Hall", "Kitchen", "Cellar"}).Draw(t, "room"),
		Maker: kind.Ref{ID: rapid.Int64Range(0, 3).Draw(t, "maker")},
	}
	l.ID = id
	l.CreatedAt = day(t, "created")
	l.UpdatedAt = l.CreatedAt
	if rapid.Bool().Draw(t, "has watts") {
		l.Watts = kind.Some(rapid.SampledFrom([]int64{0, 1, 2, 3, 4, 5, 300, 1 << 20, 1<<63 - 1}).Draw(t, "watts"))
	}
	if rapid.Bool().Draw(t, "has on") {
		l.On = kind.Some(rapid.Bool().Draw(t, "on"))
	}
	if rapid.Bool().Draw(t, "has bought") {
		l.Bought = day(t, "bought")
		if rapid.IntRange(0, 9).Draw(t, "long ago") == 0 {
			l.Bought = time.Unix(-1000, 0).UTC()
		}
	}
	return l
}

// query returns a query as a client writes it.
func query(t *rapid.T) string {
	values := map[string][]string{
		"color": {"red", "RED", "", "*red", "dark*", "*", "d*r*d", `blue\*`, "none"}, "room": {"hall", "", "k*", "*l*"},
		"watts": {"0", "3", "", "300"}, "on": {"true", "false", ""}, "bought_from": {"2026-01-04"},
		"bought_to": {"2026-01-05"},
		"unused":    {"3", "6"}, "updated_since": {"2026-01-05T00:00:00Z"}, "maker": {"one", "O*", "two", "", "*"},
		"state": {"old", "", "*", "n*", "bright"},
	}
	var parts []string
	for range rapid.IntRange(0, 4).Draw(t, "filters") {
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(values))).Draw(t, "filter")
		value := rapid.SampledFrom(values[name]).Draw(t, "value")
		parts = append(parts, name+"="+value)
	}
	parts = append(parts, fmt.Sprintf("per_page=%d", rapid.IntRange(1, 7).Draw(t, "per page")))
	if rapid.IntRange(0, 3).Draw(t, "by id") == 0 {
		return strings.Join(append(parts, fmt.Sprintf("after=%d", rapid.IntRange(0, 99).Draw(t, "after"))), "&")
	}
	by := rapid.SampledFrom([]string{"id", "color", "room", "watts", "on", "bought", "created_at", "updated_at",
		"maker", "state"}).Draw(t, "sort by")
	order := rapid.SampledFrom([]string{"ASC", "DESC"}).Draw(t, "sort order")
	return strings.Join(append(parts,
		fmt.Sprintf("page=%d&sort_by=%s&sort_order=%s", rapid.IntRange(1, 9).Draw(t, "page"), by, order)), "&")
}

// match returns the lamps of a query by looking at each, in the order of ids.
func (h *house) match(q *kind.Query) (all []*lamp) {
	for _, id := range slices.Sorted(maps.Keys(h.all)) {
		if l := h.all[id]; !slices.ContainsFunc(q.Conds, func(c kind.Cond) bool { return !h.holds(c, l) }) {
			all = append(all, l)
		}
	}
	return all
}

// find answers a query by looking at each lamp.
func (h *house) find(q *kind.Query) (total int, ids []int64) {
	all := h.match(q)
	if q.Sort.Type != kind.ID {
		slices.SortStableFunc(all, func(a, b *lamp) int { return h.compare(q, a, b) })
	} else if q.Desc {
		slices.Reverse(all)
	}
	for _, l := range all {
		ids = append(ids, l.ID)
	}
	first, n := (q.Page-1)*q.PerPage, q.PerPage
	if q.ByID {
		first, n = slices.IndexFunc(append(slices.Clone(ids), 1<<40), func(id int64) bool { return id > q.After }),
			q.PerPage+1
	}
	first = min(first, len(ids))
	return len(ids), ids[first:min(first+n, len(ids))]
}

// compare returns which of two lamps comes first, ignoring their ids.
func (h *house) compare(q *kind.Query, a, b *lamp) int {
	textA, numberA := h.value(a, q.Sort)
	textB, numberB := h.value(b, q.Sort)
	nullA, nullB := textA == "" && numberA == index.Null, textB == "" && numberB == index.Null
	switch {
	case nullA && nullB:
		return 0
	case nullA:
		return 1
	case nullB:
		return -1
	case q.Desc:
		return -cmp.Or(strings.Compare(textA, textB), cmp.Compare(numberA, numberB))
	}
	return cmp.Or(strings.Compare(textA, textB), cmp.Compare(numberA, numberB))
}

// value returns the text that a field of a lamp is compared by, or the number.
func (h *house) value(l *lamp, f *kind.Field) (text string, n int64) {
	v := lamps.Values(l)
	switch {
	case f.Days != nil:
		c := lamps.Copy(l)
		lamps.Derive(c, today)
		return strings.ToLower(c.(*lamp).State), index.Null
	case f.Type == kind.Text:
		return strings.ToLower(*v.Text(f)), index.Null
	case f.Type == kind.RecordRef:
		return strings.ToLower(h.makers[l.Maker.ID]), index.Null
	}
	return "", number(v, l, f)
}

// holds reports whether a condition holds, without an index.
func (h *house) holds(c kind.Cond, l *lamp) bool {
	text, n := h.value(l, c.Field)
	if n == index.Null && c.Else != nil {
		_, n = h.value(l, c.Else)
	}
	null := text == "" && n == index.Null
	if c.Field.Type == kind.RecordRef {
		null = l.Maker.ID == 0
	}
	for _, t := range c.Any {
		if t.Null && null || t.Text != nil && text != "" && matches(text, t.Text) || t.Range && n != index.Null &&
			t.Min <= n && n <= t.Max {
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

// counts returns what Counts should, with all values.
func (h *house) counts(q *kind.Query, f *kind.Field) (all []index.Count) {
	for _, l := range h.match(q) {
		text, n := h.value(l, f)
		if f.Type == kind.RecordRef {
			text, n = "", number(lamps.Values(l), l, f)
		}
		at := slices.IndexFunc(all, func(c index.Count) bool { return c.Text == text && c.Number == n })
		if at < 0 {
			at = len(all)
			all = append(all, index.Count{Text: text, Number: n, First: l.ID})
		}
		all[at].Records++
	}
	null := func(c index.Count) int {
		if c.Text == "" && c.Number == index.Null {
			return 1
		}
		return 0
	}
	slices.SortFunc(all, func(a, b index.Count) int {
		return cmp.Or(b.Records-a.Records, null(a)-null(b), strings.Compare(a.Text, b.Text),
			cmp.Compare(a.Number, b.Number))
	})
	return all
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

// check compares the answers of the index with a look at each lamp.
func (h *house) check(t *rapid.T, text string) {
	q, err := lamps.ParseQuery(text, today)
	if err != nil {
		t.Fatal(err)
	}
	if q.Sort == nil {
		q.Sort = lamps.Field("id")
	}
	if keeps, rare := h.x.Fit(q, -1); !keeps || rare != h.suitsTables(q) {
		t.Fatalf("%s: got %v, %v, want true, %v", text, keeps, rare, h.suitsTables(q))
	}
	total, ids := h.find(q)
	gotTotal, hits, ok := h.x.Find(q)
	got := idsOf(hits)
	if !ok || gotTotal != total || !slices.Equal(got, ids) {
		t.Fatalf("%s: got %d %v, %v, want %d %v", text, gotTotal, got, ok, total, ids)
	}
	for _, name := range []string{"color", "watts", "on", "maker", "state"} {
		want := h.counts(q, lamps.Field(name))
		if name == "color" && h.many {
			continue // nobody counts what each has one of its own of
		}
		if got, ok := h.x.Counts(q, lamps.Field(name), 3); !ok || !slices.Equal(got, want[:min(3, len(want))]) {
			t.Fatalf("%s: counts of %s: got %v, %v, want %v", text, name, got, ok, want)
		}
	}
}

// TestCountsMoved counts records whose places have moved to where none was before.
func TestCountsMoved(t *testing.T) {
	h := newHouse()
	for _, id := range []int64{1, 100_000, 130_000, 20_000} { // the last one's place is before those of two others
		h.x.Set(1, row(h.x, &lamp{Record: record(id)}))
	}
	q, err := lamps.ParseQuery("", today)
	if err != nil {
		t.Fatal(err)
	}
	q.Sort = lamps.Field("id")
	want := []index.Count{{Number: index.Null, Records: 4, First: 1}}
	if got, ok := h.x.Counts(q, lamps.Field("watts"), 3); !ok || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, ok, want)
	}
}

// TestFind changes lamps and queries them, again and again, and compares the index with a look at each lamp.
func TestFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse()
		var asked []string
		if rapid.Bool().Draw(t, "many colors") {
			h.crowd()
		}
		far := rapid.SampledFrom([]int64{20, 300, 9_000, 300_000, 1 << 40}).Draw(t, "last id")
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
			"name": func(t *rapid.T) {
				id, name := rapid.Int64Range(1, 3).Draw(t, "maker"),
					rapid.SampledFrom([]string{"", "One", "two", "Others"}).Draw(t, "name")
				h.makers[id] = name
				h.of.Set(1, index.Row{ID: id, Version: id, Names: [][]byte{[]byte(strings.ToLower(name))},
					Numbers: make([]int64, len(h.of.Numbers()))})
			},
			"unname": func(t *rapid.T) {
				id := rapid.Int64Range(1, 3).Draw(t, "maker")
				delete(h.makers, id)
				h.of.Remove(1, id)
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
