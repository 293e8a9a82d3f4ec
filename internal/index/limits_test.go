package index_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"muster/internal/index"
)

// ask asks an index for the lamps of a query, unless a database has them as well.
func ask(t testing.TB, x *index.Index, text string) (total int, ids []int64, ok bool) {
	t.Helper()
	q, err := lamps.ParseQuery(text, epoch)
	if err != nil {
		t.Fatal(err)
	}
	keeps, rare := x.Fit(q, -1)
	total, hits, ok := x.Find(q)
	if ok != (keeps && q.Search == nil) {
		t.Fatalf("%s: the index keeps it: %v, and finds it: %v", text, keeps, ok)
	}
	return total, idsOf(hits), ok && !rare
}

// TestManyValues: of a text with very many values the index finds all but single ones, and of all else it goes on.
func TestManyValues(t *testing.T) {
	x := index.New(lamps.Schema, strings.ToLower)
	for id := int64(1); id <= 10_000; id++ {
		x.Set(1, row(x, &lamp{Record: record(id), Color: fmt.Sprint("c", id), Room: "hall"}))
	}
	if total, ids, ok := ask(t, x, "color=c7"); !ok || total != 1 || !slices.Equal(ids, []int64{7}) {
		t.Errorf("10,000 values: got %d %v, %v, want 7", total, ids, ok)
	}
	for id := int64(1); id <= 5_000; id++ { // others in the place of some
		x.Set(1, row(x, &lamp{Record: record(id), Color: fmt.Sprint("d", id), Room: "hall"}))
	}
	if total, _, ok := ask(t, x, "color=d*&room=hall"); !ok || total != 5_000 {
		t.Errorf("after changes: got %d, %v, want 5,000", total, ok)
	}
	x.Set(1, row(x, &lamp{Record: record(10_001), Color: "one more", Room: "hall"}))
	if total, ids, ok := ask(t, x, "color=c7777&room=hall"); !ok || total != 1 || !slices.Equal(ids, []int64{7777}) {
		t.Errorf("10,001 values: got %d %v, %v, want 7777", total, ids, ok)
	}
	if total, ids, ok := ask(t, x, "color=*777&per_page=2"); !ok || total != 10 ||
		!slices.Equal(ids, []int64{777, 1777}) {
		t.Errorf("10,001 values: got %d %v, %v, want 10 and the first two", total, ids, ok)
	}
	if _, ids, ok := ask(t, x, "room=h*&sort_by=color&sort_order=DESC&per_page=2"); !ok ||
		!slices.Equal(ids, []int64{10_001, 999}) {
		t.Errorf("10,001 values by color: got %v, %v, want the last two", ids, ok)
	}
	for _, text := range []string{"color=c7777", "color=c7777&color=c7778", "sort_by=color"} {
		if total, _, ok := ask(t, x, text); ok {
			t.Errorf("%s: got %d, want no answer, since a database has it", text, total)
		}
	}
	x.CountIsSlow = true
	if total, ids, ok := ask(t, x, "sort_by=color&sort_order=DESC&per_page=2"); !ok || total != 10_001 ||
		!slices.Equal(ids, []int64{10_001, 999}) {
		t.Errorf("all by color, where counting them is slow: got %d %v, %v, want all and the last two", total, ids, ok)
	}
	if total, _, ok := ask(t, x, "room=hall"); !ok || total != 10_001 {
		t.Errorf("another text: got %d, %v, want 10,001", total, ok)
	}
	x.Set(1, row(x, &lamp{Record: record(3), Color: strings.Repeat("long", 5_000), Room: "hall"}))
	if total, _, ok := ask(t, x, "color=*777"); ok {
		t.Errorf("a very long text: got %d, want no answer", total)
	}
	x.Remove(1, 3)
	if total, _, ok := ask(t, x, "room=hall"); !ok || total != 10_000 {
		t.Errorf("another text after it: got %d, %v, want 10,000", total, ok)
	}
}

// TestManySorted: pages of many records by a text with very many values are those that sorting all of them gives, also
// after some have changed, and after most have.
func TestManySorted(t *testing.T) {
	x, r := index.New(lamps.Schema, strings.ToLower), rand.New(rand.NewPCG(6, 3))
	var all []*lamp
	set := func(id int64) {
		l := &lamp{Record: record(id), Color: fmt.Sprintf("%06d", id*7919%100_003+r.Int64N(9)),
			Room: fmt.Sprint(r.IntN(2))}
		switch {
		case id%10 == 3:
			l.Color = ""
		case id%10 < 3:
			l.Color = fmt.Sprint("same", id%10)
		case id%1000 == 9:
			l.Color = strings.Repeat("0", 200) + l.Color
		}
		all[id-1] = l
		x.Set(1, row(x, l))
	}
	add := func() {
		all = append(all, nil)
		set(int64(len(all)))
	}
	for range 40_000 {
		add()
	}
	for _, changes := range []int{0, 500, 15_000} {
		for range changes {
			set(r.Int64N(int64(len(all))) + 1)
			if r.IntN(9) == 0 {
				add()
			}
		}
		for _, order := range []string{"ASC", "DESC"} {
			for _, rooms := range []string{"*", "1"} {
				checkSorted(t, x, all, rooms, order, r)
			}
		}
	}
}

// checkSorted compares pages of lamps in some rooms, by color, with those that sorting them gives.
func checkSorted(t *testing.T, x *index.Index, all []*lamp, rooms, order string, r *rand.Rand) {
	want := slices.DeleteFunc(slices.Clone(all), func(l *lamp) bool { return rooms != "*" && l.Room != rooms })
	slices.SortStableFunc(want, func(a, b *lamp) int {
		if a.Color == "" || b.Color == "" {
			return len(b.Color) - len(a.Color)
		}
		return strings.Compare(a.Color, b.Color) * map[string]int{"ASC": 1, "DESC": -1}[order]
	})
	last := (len(want)-1)/300 + 1
	for _, page := range []int{1, last, r.IntN(last) + 1, r.IntN(last) + 1, r.IntN(last) + 1, r.IntN(last) + 1} {
		total, ids, ok := ask(t, x, fmt.Sprintf("room=%s&sort_by=color&sort_order=%s&per_page=300&page=%d",
			rooms, order, page))
		first := (page - 1) * 300
		if !ok || total != len(want) || !slices.EqualFunc(ids, want[first:min(first+300, total)],
			func(id int64, l *lamp) bool { return id == l.ID }) {
			t.Fatalf("room %s, %s, page %d: got %d %v, %v", rooms, order, page, total, ids, ok)
		}
	}
}

// TestReplacedValues: texts that no record has any more take no memory for long, and those that stay are found.
func TestReplacedValues(t *testing.T) {
	x := index.New(lamps.Schema, strings.ToLower)
	const most = 1000
	var first int64
	for turn := range int64(50) {
		for id := int64(1); id <= most; id++ {
			color := fmt.Sprintf("color %d of lamp %d", turn, id)
			if id%10 == 0 {
				color = fmt.Sprint("lasting color of lamp ", id)
			}
			x.Set(turn+1, row(x, &lamp{Record: record(id), Color: color, Room: "hall"}))
		}
		if turn == 0 {
			first = x.Bytes()
		}
		for _, query := range []string{
			fmt.Sprintf("color=color %d of lamp 501", turn), "color=lasting color of lamp 510",
		} {
			if total, _, ok := ask(t, x, strings.ReplaceAll(query, " ", "+")); !ok || total != 1 {
				t.Fatalf("turn %d, %s: got %d, %v, want 1", turn, query, total, ok)
			}
		}
		if total, _, ok := ask(t, x, "color=*lamp*"); !ok || total != most {
			t.Fatalf("turn %d: got %d, %v, want all", turn, total, ok)
		}
	}
	if got := x.Bytes(); got > 3*first {
		t.Errorf("got %d bytes after all texts were replaced, %d before", got, first)
	}
}

// TestGaps: ids that are far from each other, in any order, take no more memory than others, and records that come late
// are in their place.
func TestGaps(t *testing.T) {
	x := index.New(lamps.Schema, strings.ToLower)
	x.Reserve(4000, 4_000_000)
	for id := int64(1_000); id <= 4_000_000; id += 1_000 {
		x.Set(0, row(x, &lamp{Record: record(id), Color: fmt.Sprint(id % 7)})) // as a store does when it opens
	}
	if got := x.Bytes(); got > 2<<20 {
		t.Errorf("4,000 records take %d bytes, as if there were records between them", got)
	}
	x.Set(1, row(x, &lamp{Record: record(1 << 40), Color: "3"}), row(x, &lamp{Record: record(5), Color: "3"}),
		row(x, &lamp{Record: record(7_777), Color: "3"}))
	want := []int64{5, 4_000, 7_777, 11_000}
	if total, ids, ok := ask(t, x, "color=3&per_page=4"); !ok || total != 574 || !slices.Equal(ids, want) {
		t.Errorf("got %d %v, %v, want 574 and %v", total, ids, ok, want)
	}
	if _, ids, ok := ask(t, x, "color=3&after=3999000"); !ok || !slices.Equal(ids, []int64{1 << 40}) {
		t.Errorf("the last: got %v, %v", ids, ok)
	}
}

// TestForgets: a query that was long not asked is answered all the same.
func TestForgets(t *testing.T) {
	x := index.New(lamps.Schema, strings.ToLower)
	for id := int64(1); id <= 1_000; id++ {
		x.Set(1, row(x, &lamp{Record: record(id), Color: fmt.Sprint(id)}))
	}
	for range 2 {
		for id := 1; id <= 1_000; id++ {
			if _, ids, ok := ask(t, x, fmt.Sprint("color=", id)); !ok || !slices.Equal(ids, []int64{int64(id)}) {
				t.Fatalf("color %d: got %v, %v", id, ids, ok)
			}
		}
	}
}

// TestUnknown: what the index does not keep, it says.
func TestUnknown(t *testing.T) {
	x := index.New(lamps.Schema, strings.ToLower)
	x.Set(1, row(x, &lamp{Record: record(1)}))
	ask(t, x, "color=red") // whose view is that of the lamps' own color
	for _, text := range []string{"q=red", "sort_by=note", "bulb=red"} {
		if total, _, ok := ask(t, x, text); ok {
			t.Errorf("%s: got %d, want no answer", text, total)
		}
	}
}
