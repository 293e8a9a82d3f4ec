package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"muster/internal/index"
)

// ask asks an index for the lamps of a query.
func ask(t testing.TB, x *index.Index, text string) (total int, ids []int64, ok bool) {
	t.Helper()
	q, err := lamps.ParseQuery(text, epoch)
	if err != nil {
		t.Fatal(err)
	}
	total, hits, ok := x.Find(q)
	return total, idsOf(hits), ok
}

// TestManyValues: of a text with very many values the index tells nothing, and of all else it goes on.
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
	if total, ids, ok := ask(t, x, "color=c7"); ok {
		t.Errorf("10,001 values: got %d %v, want no answer", total, ids)
	}
	if total, _, ok := ask(t, x, "room=hall"); !ok || total != 10_001 {
		t.Errorf("another text: got %d, %v, want 10,001", total, ok)
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
	x.Set(1, row(x, &lamp{Record: record(1 << 40), Color: "3"}), row(x, &lamp{Record: record(5), Color: "3"}), row(x, &lamp{Record: record(7_777), Color: "3"}))
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
