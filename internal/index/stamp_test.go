package index_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muster/internal/index"
)

// TestStamps checks that each record has the stamp of its last update in the index, also when it was removed.
func TestStamps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, stamps, clock := index.New(lamps.Schema, strings.ToLower), map[int64]int64{}, int64(0)
		draw := func(t *rapid.T) int64 {
			id := rapid.Int64Range(1, 3000).Draw(t, "id")
			clock++
			stamps[id] = clock
			return id
		}
		t.Repeat(map[string]func(*rapid.T){
			"set":    func(t *rapid.T) { id := draw(t); x.Set(clock, row(x, &lamp{Record: record(id)})) },
			"remove": func(t *rapid.T) { id := draw(t); x.Remove(clock, id) },
			"touch":  func(t *rapid.T) { id := draw(t); x.Touch(clock, id) },
			"": func(t *rapid.T) {
				for id := range int64(3010) {
					if got := x.Stamp(id); got != stamps[id] {
						t.Fatalf("stamp of %d: got %d, want %d", id, got, stamps[id])
					}
				}
				q, _ := lamps.ParseQuery("per_page=1000", epoch)
				_, hits, _ := x.Find(q)
				for _, h := range hits {
					if h.Stamp != stamps[h.ID] {
						t.Fatalf("hit %d: got the stamp %d, want %d", h.ID, h.Stamp, stamps[h.ID])
					}
				}
			},
		})
	})
}

// TestStampsOfNothing: an index that has given up trusts nothing, and far ids take no memory: nothing of
// theirs is certain.
func TestStampsOfNothing(t *testing.T) {
	x := index.New(lamps.Schema, strings.ToLower)
	x.Touch(1, 1<<40, -1)
	if far, negative := x.Stamp(1<<40), x.Stamp(-1); far != index.Later || negative != 0 {
		t.Errorf("far ids: got %d and %d, want no stamps", far, negative)
	}
	if got := x.Bytes(); got > 1000 {
		t.Errorf("far ids: got %d bytes", got)
	}
	x.Set(1, row(x, &lamp{Record: record(-1)}))
	if got := x.Stamp(1); got != index.Later {
		t.Errorf("without an index: got %d, want %d", got, int64(index.Later))
	}
}
