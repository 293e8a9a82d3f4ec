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

// TestGaps: ids that are far from each other are nothing for an index.
func TestGaps(t *testing.T) {
	x := index.New(lamps.Schema, strings.ToLower)
	x.Set(1, row(x, &lamp{Record: record(1)}), row(x, &lamp{Record: record(1 << 40)}))
	if total, _, ok := ask(t, x, ""); ok {
		t.Errorf("got %d, want no answer", total)
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
	ask(t, x, "color=red") // whose view is that of the lamps' own color
	for _, text := range []string{"q=red", "sort_by=color", "bulb=red"} {
		if total, _, ok := ask(t, x, text); ok {
			t.Errorf("%s: got %d, want no answer", text, total)
		}
	}
}

// BenchmarkFind asks a million lamps.
func BenchmarkFind(b *testing.B) {
	x := index.New(lamps.Schema, strings.ToLower)
	for id := int64(1); id <= 1_000_000; id++ {
		x.Set(1, row(x, &lamp{Record: record(id), Color: fmt.Sprint(id % 7), Room: fmt.Sprint(id % 3001)}))
	}
	b.Run("kept, last page", func(b *testing.B) {
		for b.Loop() {
			ask(b, x, "color=3&per_page=250&page=570")
		}
	})
	b.Run("new, two texts", func(b *testing.B) {
		n := 0
		for b.Loop() {
			ask(b, x, fmt.Sprintf("color=3&room=%d&per_page=250", n%3001))
			n++
		}
	})
	b.Run("new, a time", func(b *testing.B) {
		n := 0
		for b.Loop() {
			ask(b, x, fmt.Sprintf("updated_since=2026-01-01T00:%02d:%02dZ&per_page=250", n/60%60, n%60))
			n++
		}
	})
}
