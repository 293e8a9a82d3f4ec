package store_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// A meter is a record of which one version has what the next has apart.
type meter struct {
	kind.Record
	Name, Trace, Code string
	ReadAt            time.Time
	Count             kind.Int
}

var (
	metersV1 = kind.Define("meter", "meters", "Meters", func(m *meter, f *kind.Fields) {
		f.Record(&m.Record)
		f.Text("name", &m.Name)
		f.Text("trace", &m.Trace).Filter()
		f.Text("code", &m.Code).Unique()
		f.Time("read-at", &m.ReadAt).Filter()
		f.Int("item-count", &m.Count)
		f.Stamps(&m.Record)
	})
	metersV2 = kind.Define("meter", "meters", "Meters", func(m *meter, f *kind.Fields) {
		f.Record(&m.Record)
		f.Text("name", &m.Name)
		f.Text("trace", &m.Trace).Hidden().Apart()
		f.Text("code", &m.Code).Apart()
		f.Time("read-at", &m.ReadAt).Filter().Apart()
		f.Int("item-count", &m.Count)
		f.Stamps(&m.Record)
		f.NotWithin("silent", "read-at", "created-at")
	})
	// metersV3 has one more field apart.
	metersV3 = kind.Define("meter", "meters", "Meters", func(m *meter, f *kind.Fields) {
		f.Record(&m.Record)
		f.Text("name", &m.Name)
		f.Text("trace", &m.Trace).Hidden().Apart()
		f.Text("code", &m.Code).Apart()
		f.Time("read-at", &m.ReadAt).Apart()
		f.Int("item-count", &m.Count).Apart()
		f.Stamps(&m.Record)
	})
)

// newMeters are two meters, one of them without any value.
func newMeters() []*meter {
	return []*meter{{Name: "full", Trace: "Weg", Code: "C", ReadAt: start.Add(-time.Hour), Count: kind.Some[int64](7)},
		{Name: "null"}}
}

// moveMeters makes meters and moves what is apart in their next version.
func moveMeters(t *testing.T, address string) {
	t.Helper()
	with(t, address, metersV1.Schema, func(s *store.Store) { insert(t, s, metersV1, newMeters()...) })
	with(t, address, metersV2.Schema, func(*store.Store) {})
}

// TestBecomesApart moves the values of fields that were columns of the records,
// also to a table that is there already.
func TestBecomesApart(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		calls := 0
		count := func(context.Context) error { calls++; return nil }
		with(t, address, metersV1.Schema, func(s *store.Store) { insert(t, s, metersV1, newMeters()...) })
		frozen := store.Config{Database: address, Kinds: besides(metersV2.Schema), Frozen: true}
		_, err := store.Open(ctx, frozen)
		is(t, "a later version that may alter nothing", err, store.ErrOutdated)
		for _, k := range []kind.Kind[meter]{metersV2, metersV3} {
			equal(t, "upgrades", errors.Join(upgrade(address, k.Schema, count), upgrade(address, k.Schema, count)),
				error(nil))
			with(t, address, k.Schema, func(s *store.Store) {
				for i, want := range newMeters() {
					want.Record = kind.Record{ID: int64(i) + 1, Version: 1, CreatedAt: start, UpdatedAt: start}
					equal(t, want.Name, get(t, s, k, want.ID), want)
				}
				wantApart(t, s, address, k.Schema)
			})
		}
		equal(t, "copies before upgrades", calls, 2)
	})
}

// wantApart sees that fields that are apart have no column and no index in the
// table of their records.
func wantApart(t *testing.T, s *store.Store, address string, k *kind.Schema) {
	t.Helper()
	for _, f := range k.Fields {
		had := func(line string) bool {
			return strings.Contains(line, "meters") && !strings.Contains(line, "meters_apart") &&
				strings.Contains(line, f.Column())
		}
		if i := slices.IndexFunc(dump(t, s, address), had); f.Apart && i >= 0 {
			t.Errorf("%s is still part of %s", f.Name, dump(t, s, address)[i])
		}
	}
}

// TestSetApart renews what is apart, and nothing else.
func TestSetApart(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		g := &gadget{Name: "g", SeenAt: start, Trace: "old"}
		insert(t, s, gadgets, g, &gadget{Name: "other"})
		set := func(rec *gadget, fields ...*kind.Field) error {
			return s.Update(ctx, func(tx *store.Tx) error { return tx.SetApart(ctx, gadgets.Schema, rec, fields...) })
		}
		news := &gadget{Record: kind.Record{ID: 1}, SeenAt: start.Add(time.Hour), Trace: "new", Name: "not looked at"}
		is(t, "one field", set(news, gadgets.Field("seen-at")), nil)
		g.SeenAt = news.SeenAt
		equal(t, "after one field", get(t, s, gadgets, 1), g)
		is(t, "all fields", set(news), nil)
		g.Trace = "new"
		equal(t, "after all fields", get(t, s, gadgets, 1), g)
		is(t, "to null", set(&gadget{Record: kind.Record{ID: 1}}), nil)
		g.SeenAt, g.Trace = time.Time{}, ""
		equal(t, "after null", get(t, s, gadgets, 1), g)
		equal(t, "the other", get(t, s, gadgets, 2).Trace, "")
		is(t, "of a record that is not there", set(&gadget{Record: kind.Record{ID: 3}}), store.ErrNotFound)
		remove(t, s, gadgets, 1)
		is(t, "of a record that is gone", set(news), store.ErrNotFound)
	})
}

// TestApartBesideChanges renews what is apart while others change the record:
// neither is lost, and neither waits for a version of the other.
func TestApartBesideChanges(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		insert(t, s, gadgets, &gadget{Name: "g"})
		const n = 20
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := range n {
				is(t, "change", change(s, gadgets, 1, now, func(g *gadget) { g.Count = kind.Some(int64(i)) }), nil)
			}
		})
		wg.Go(func() {
			for i := range n {
				seen := &gadget{Record: kind.Record{ID: 1}, SeenAt: start.Add(time.Duration(i) * time.Second)}
				is(t, "set", s.Update(ctx, func(tx *store.Tx) error { return tx.SetApart(ctx, gadgets.Schema, seen) }),
					nil)
			}
		})
		wg.Wait()
		got := get(t, s, gadgets, 1)
		equal(t, "count, version and time", []any{got.Count.V, got.Record.Version, got.SeenAt},
			[]any{int64(n - 1), int64(n + 1), start.Add((n - 1) * time.Second)})
	})
}
