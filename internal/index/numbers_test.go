package index_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"muster/internal/index"
	"muster/internal/kind"
)

// TestNumbers: ranges of numbers, and of times where there is no number, are found among as many records as
// are looked at together, whatever bits the numbers have, also after records have come between.
func TestNumbers(t *testing.T) {
	near := []int64{0, 1, 2, 255, 256, 1<<16 - 1, 1 << 16, 1<<31 - 2, 1<<31 - 1, 1 << 31, 1<<32 - 3, 1<<32 - 2}
	rapid.Check(t, func(t *rapid.T) {
		x := index.New(lamps.Schema, strings.ToLower)
		bound, most := rapid.SampledFrom(near), rapid.SampledFrom([]int{9, 4, 6, len(near)}).Draw(t, "great")
		some, nulls := rapid.SampledFrom(near[:most]), rapid.IntRange(0, 3).Draw(t, "nulls")
		draw := func(id int64) *lamp {
			l := &lamp{Record: record(id)}
			l.CreatedAt = time.Unix(some.Draw(t, "created"), 0)
			if rapid.IntRange(0, 3).Draw(t, "is null") >= nulls {
				l.Bought = time.Unix(some.Draw(t, "bought"), 0)
			}
			return l
		}
		all := map[int64]*lamp{}
		set := func(id int64) {
			all[id] = draw(id)
			x.Set(1, row(x, all[id]))
		}
		for i := range rapid.SampledFrom([]int64{70, 3, 200}).Draw(t, "records") {
			set(1<<40 + i)
		}
		for range 5 {
			set(rapid.SampledFrom([]int64{1, 2, 1 << 20, 1<<40 + 1, 1<<40 + 70}).Draw(t, "id"))
			c := kind.Cond{Field: lamps.Field("bought"), Any: []kind.Test{
				{Range: true, Min: bound.Draw(t, "min"), Max: bound.Draw(t, "max")},
			}}
			if rapid.Bool().Draw(t, "open") {
				c.Any[0].Min = index.Null
			}
			if rapid.Bool().Draw(t, "else") {
				c.Else = lamps.Field("created-at")
			}
			checkNumbers(t, x, all, c)
		}
	})
}

// checkNumbers compares what the index finds with a look at each lamp.
func checkNumbers(t *rapid.T, x *index.Index, all map[int64]*lamp, c kind.Cond) {
	var want []int64
	for id, l := range all {
		at := l.Bought
		if at.IsZero() && c.Else != nil {
			at = l.CreatedAt
		}
		if !at.IsZero() && c.Any[0].Min <= at.Unix() && at.Unix() <= c.Any[0].Max {
			want = append(want, id)
		}
	}
	slices.Sort(want)
	total, hits, ok := x.Find(&kind.Query{Conds: []kind.Cond{c}, Page: 1, PerPage: 1000})
	if got := idsOf(hits); !ok || total != len(want) || !slices.Equal(got, want) {
		t.Fatalf("%+v: got %d %v, %v, want %v", c.Any, total, got, ok, want)
	}
}
