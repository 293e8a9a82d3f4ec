package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"muster/internal/index"
	"muster/internal/kind"
	"muster/internal/store"
)

// TestEachHits reads a long page in steps, and says so when a record is not what
// was found any more, or not where: also when it is in the order of its step.
func TestEachHits(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		var all []*gadget
		var hits []index.Hit
		for i := range 250 {
			all = append(all, &gadget{Name: "g", SeenAt: start.Add(time.Duration(i) * time.Second)})
			hits = append(hits, index.Hit{ID: int64(i) + 1, Version: 1})
		}
		insert(t, s, gadgets, all...)
		byID, bySeen := &kind.Query{}, &kind.Query{Sort: gadgets.Field("seen-at")}
		read := func(q *kind.Query, step error) (ids, steps []int64, ok bool, err error) {
			err = s.View(ctx, func(tx *store.Tx) (err error) {
				ok, err = tx.EachHits(ctx, gadgets.Schema, q, hits, func(recs []any) error {
					steps = append(steps, recs[0].(*gadget).ID)
					for _, rec := range recs {
						ids = append(ids, rec.(*gadget).ID)
						rec.(*gadget).SeenAt = time.Time{} // as one who hides it
					}
					return step
				})
				return err
			})
			return ids, steps, ok, err
		}
		ids, steps, ok, err := read(bySeen, nil)
		if err != nil || !ok || len(steps) < 2 || len(ids) != len(hits) || !slices.IsSorted(ids) {
			t.Fatalf("got records %v in the steps %v, ok %v, error %v; want all in some steps", ids, steps, ok, err)
		}
		full := errors.New("full")
		ids, _, ok, err = read(bySeen, full)
		is(t, "a step that fails", err, full)
		equal(t, "is the last", len(ids) < len(hits) && !ok, true)

		early := &gadget{Record: kind.Record{ID: steps[1]}, SeenAt: start.Add(-time.Hour)}
		is(t, "set", s.Update(ctx, func(tx *store.Tx) error { return tx.SetApart(ctx, gadgets.Schema, early) }), nil)
		_, _, ok, err = read(bySeen, nil)
		is(t, "another order", err, nil)
		equal(t, "in another order", ok, false)
		_, _, ok, _ = read(byID, nil)
		equal(t, "by id", ok, true)
		hits[len(hits)-1].Version++
		_, _, ok, _ = read(byID, nil)
		equal(t, "in another version", ok, false)
	})
}
