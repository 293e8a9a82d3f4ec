package index_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muster/internal/index"
)

// TestStamps: each record has the stamp of when the index was last told of it, also when it is gone.
func TestStamps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, stamps, clock := index.New(lamps.Schema, strings.ToLower), map[int64]int64{}, int64(0)
		draw := func(t *rapid.T) int64 {
			id := rapid.Int64Range(1, 200).Draw(t, "id")
			clock++
			stamps[id] = clock
			return id
		}
		t.Repeat(map[string]func(*rapid.T){
			"set":    func(t *rapid.T) { id := draw(t); x.Set(clock, row(x, &lamp{Record: record(id)})) },
			"remove": func(t *rapid.T) { id := draw(t); x.Remove(clock, id) },
			"touch":  func(t *rapid.T) { id := draw(t); x.Touch(clock, id) },
			"": func(t *rapid.T) {
				for id := range int64(210) {
					if got := x.Stamps(nil, id, id); !slices.Equal(got, []int64{stamps[id], stamps[id]}) {
						t.Fatalf("stamps of %d: got %v, want %d", id, got, stamps[id])
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

// TestStampsOfNothing: an index that has given up trusts nothing, and far ids take no memory.
func TestStampsOfNothing(t *testing.T) {
	x := index.New(lamps.Schema, strings.ToLower)
	x.Touch(1, 1<<40, -1)
	if got := x.Stamps(nil, 1<<40, -1); !slices.Equal(got, []int64{0, 0}) {
		t.Errorf("far ids: got %v, want no stamps", got)
	}
	x.Set(1, row(x, &lamp{Record: record(1 << 40)}))
	if got := x.Stamps(nil, 1); got[0] != index.Later {
		t.Errorf("without an index: got %v, want %d", got, index.Later)
	}
}
