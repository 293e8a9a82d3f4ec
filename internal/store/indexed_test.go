package store_test

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/draws"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// indexQueries are such as the index of gadgets can answer.
var indexQueries = []string{
	"", "name=a", "name=", "name=*b*", "chip=x*&live=true", "live=", "item_count=2",
	"updated_since=2026-01-02T00:00:00Z",
	"maker=one", "maker=*", "maker=", "maker=o*&name=a", "owner=ann@x", "owner=A*", "owner=", "phase=re-tired",
	"phase=s*&live=true",
	"sort_by=name&per_page=3", "sort_by=maker&sort_order=DESC&per_page=4&page=2", "sort_by=owner&per_page=4",
	"sort_by=phase&per_page=4",
	"sort_by=seen_at&sort_order=DESC&per_page=5", "sort_by=item_count&page=2&per_page=3",
	"sort_by=created_at&sort_order=DESC&name=a",
	"name=*b*&sort_by=name&sort_order=DESC&per_page=3", "live=true&sort_by=name&per_page=3&page=2",
	"chip=*2&sort_by=chip_set",
	"per_page=2&page=2", "per_page=3&sort_by=id&sort_order=DESC&name=a", "after=3&per_page=2", "silent=5",
	"silent=2&name=b",
}

// TestIndexed changes gadgets in all possible ways, and compares the index with the table after each change,
// and after the store is opened again.
func TestIndexed(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		testIndexed(t, db, openIndexed, map[bool]int{false: draws.Of(300), true: draws.Of(200)}, "name")
	})
}

// TestIndexedMany is TestIndexed with very many values of each text.
func TestIndexedMany(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		testIndexed(t, db, openCrowded, map[bool]int{false: draws.Of(100), true: draws.Of(50)})
	})
}

func testIndexed(t *testing.T, db mustertest.Database, openIndexed func(*testing.T, string) *store.Store,
	steps map[bool]int, counted ...string) {
	counted = append(counted, "live", "owner", "maker", "phase", "item-count")
	name, r, clock := db.New(t), rand.New(rand.NewPCG(6, 1)), at("2026-01-01")
	s := openIndexed(t, name)
	refs := &referred{}
	for _, name := range []string{"one", "two"} {
		refs.makers = append(refs.makers, add(t, s, makers, name))
		refs.people = append(refs.people, addUser(t, s, name+"@x", name, "").Person())
	}
	insert := func(tx *store.Tx) error { return tx.Insert(ctx, gadgets.Schema, anyOne(r, refs), clock) }
	for range steps[s.Shared()] {
		clock = clock.Add(30 * time.Minute)
		switch r.IntN(9) {
		case 0, 1:
			commit(t, s, insert)
		case 2, 3:
			changeOne(t, r, s, func(tx *store.Tx, old any) error {
				g := anyOne(r, refs)
				g.Record = old.(*gadget).Record
				return tx.Update(ctx, gadgets.Schema, g, old, clock)
			})
		case 4:
			changeOne(t, r, s, func(tx *store.Tx, old any) error { return tx.Delete(ctx, gadgets.Schema, old) })
		case 5:
			changeOne(t, r, s, func(tx *store.Tx, old any) error {
				g := &gadget{Record: old.(*gadget).Record, SeenAt: clock}
				return tx.SetApart(ctx, gadgets.Schema, g, gadgets.Field("seen-at"))
			})
		case 6:
			if err := s.Update(ctx,
				func(tx *store.Tx) error { return errors.Join(insert(tx), store.ErrNotFound) }); err == nil {
				t.Fatal("a change that fails: got no error")
			}
		case 7:
			refs.rename(t, r, s, clock)
		case 8:
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = openIndexed(t, name)
		}
		for _, text := range indexQueries {
			alike(t, s, text, counted[r.IntN(len(counted))])
		}
	}
}

// openIndexed opens a store, and waits until its lists come from memory. They wait for
// that longer than usual, since the machine may have other work.
func openIndexed(t *testing.T, address string) *store.Store {
	t.Helper()
	s := open(t, address, allKinds()...)
	if err := s.Warm(ctx); err != nil || !s.HasIndexes() {
		t.Fatalf("there are no indexes after the wait for them: %v", err)
	}
	s.Wait(time.Minute)
	return s
}

// openCrowded is openIndexed of a store in which gadgets had very many texts.
func openCrowded(t *testing.T, address string) *store.Store {
	t.Helper()
	s := openIndexed(t, address)
	s.Crowd(gadgets.Schema, 65_001)
	return s
}

// referred are the records that gadgets refer to.
type referred struct {
	makers []*thing
	people []kind.Person
}

// rename gives one of them another name.
func (refs *referred) rename(t *testing.T, r *rand.Rand, s *store.Store, now time.Time) {
	t.Helper()
	name := []string{"one", "Ann", "other"}[r.IntN(3)]
	commit(t, s, func(tx *store.Tx) error {
		id := refs.makers[r.IntN(2)].ID
		old, err := store.Get(ctx, tx, makers, id)
		if err != nil {
			return err
		}
		m := *old
		m.Name = name
		return tx.Update(ctx, makers.Schema, &m, old, now)
	})
	commit(t, s, func(tx *store.Tx) error {
		old, err := store.Get(ctx, tx, inventory.Users, refs.people[r.IntN(2)].ID)
		if err != nil {
			return err
		}
		u := *old
		u.FirstName, u.Email = name, fmt.Sprintf("%s%d@x", name, u.ID)
		inventory.Users.Settle(&u, old)
		return tx.Update(ctx, inventory.Users.Schema, &u, old, now)
	})
}

// anyOne returns a gadget.
func anyOne(r *rand.Rand, refs *referred) *gadget {
	g := &gadget{
		Name: []string{"a", "A", "b", "abc"}[r.IntN(4)], Chip: []string{"", "x1", " X2"}[r.IntN(3)],
		Count: kind.Some(r.Int64N(4)), State: "New",
	}
	if r.IntN(2) == 0 {
		g.Live = kind.Some(r.IntN(2) == 0)
	}
	if n := r.IntN(3); n < 2 {
		g.Maker, g.Owner = ref(refs.makers[n]), refs.people[r.IntN(2)]
	}
	g.RetiredOn = []time.Time{{}, at("2026-01-05"), at("2026-01-20")}[r.IntN(3)]
	g.BoughtOn = []time.Time{{}, at("2026-01-05"), at("2026-01-20")}[r.IntN(3)]
	return g
}

func commit(t *testing.T, s *store.Store, f func(*store.Tx) error) {
	t.Helper()
	if err := s.Update(ctx, f); err != nil {
		t.Fatal(err)
	}
}

// changeOne changes one of the gadgets, if there are any.
func changeOne(t *testing.T, r *rand.Rand, s *store.Store, f func(tx *store.Tx, old any) error) {
	t.Helper()
	commit(t, s, func(tx *store.Tx) error {
		ids, err := tx.IDs(ctx, gadgets.Schema)
		if err != nil || len(ids) == 0 {
			return err
		}
		old, err := tx.Get(ctx, gadgets.Schema, ids[r.IntN(len(ids))])
		if err != nil {
			return err
		}
		return f(tx, old)
	})
}

// asTables returns an error unless a page is the one that the tables return.
func asTables(tx *store.Tx, q *kind.Query, page kind.Page) error {
	total, ids, err := tx.Find(ctx, gadgets.Schema, q)
	if err != nil {
		return err
	}
	if q.ByID && len(ids) > q.PerPage {
		ids = ids[:q.PerPage]
	}
	var got []int64
	for _, rec := range page.Records {
		got = append(got, rec.(*gadget).ID)
	}
	if page.Total != total || !slices.Equal(got, ids) {
		return fmt.Errorf("got %d %v, want %d %v", page.Total, got, total, ids)
	}
	return nil
}

// alike fails unless index and table give the same answer, and count the values
// of a field the same.
func alike(t *testing.T, s *store.Store, text, name string) {
	t.Helper()
	q, err := gadgets.ParseQuery(text, at("2026-01-09"))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	page, ok, err := s.FromIndex(ctx, gadgets.Schema, q)
	if err != nil || !ok {
		t.Fatalf("%s: the index cannot tell: %v", text, err)
	}
	counts, ok, err := s.CountsFromIndex(ctx, gadgets.Schema, q, gadgets.Field(name))
	if err != nil || !ok {
		t.Fatalf("%s: the index cannot count %s: %v", text, name, err)
	}
	err = s.View(ctx, func(tx *store.Tx) error {
		if err := asTables(tx, q, page); err != nil {
			return err
		}
		want, err := tx.CountsFromTables(ctx, gadgets.Schema, q, gadgets.Field(name))
		if err != nil || !slices.Equal(counts, want) {
			return fmt.Errorf("counts of %s: got %v, want %v, error %w", name, counts, want, err)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// TestIndexedTogether lists gadgets while others change them: no list shows one
// that does not match, or a page that is not full.
func TestIndexedTogether(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		testIndexedTogether(t, db, openIndexed, "name=%s&per_page=%d")
	})
}

func testIndexedTogether(t *testing.T, db mustertest.Database, openIndexed func(*testing.T, string) *store.Store,
	query string) {
	const all, perPage = 200, 20
	address := db.New(t)
	s := openIndexed(t, address)
	nodes := []*store.Store{s, s}
	if s.Shared() {
		nodes[1] = openIndexed(t, address)
	}
	for range all {
		commit(t, s, func(tx *store.Tx) error {
			return tx.Insert(ctx, gadgets.Schema, &gadget{Name: "a", State: "New"},
				now)
		})
	}
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	for w := range 2 {
		writers.Go(func() {
			for i := range draws.Of(1000) {
				commit(t, nodes[w], func(tx *store.Tx) error {
					old, err := store.Get(ctx, tx, gadgets, int64((i*7+w*100)%all+1))
					if err != nil {
						return err
					}
					g := *old
					g.Name = map[string]string{"a": "b", "b": "a"}[g.Name]
					return tx.Update(ctx, gadgets.Schema, &g, old, now)
				})
			}
		})
	}
	for i, name := range []string{"a", "b"} {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				q, _ := gadgets.ParseQuery(fmt.Sprintf(query, name, perPage), now)
				page, err := nodes[i].List(ctx, gadgets.Schema, q, nil)
				if err == nil && len(page.Records) != min(perPage, page.Total) {
					err = fmt.Errorf("%d of %d are on the first page", len(page.Records), page.Total)
				}
				for _, rec := range page.Records {
					if got := rec.(*gadget).Name; got != name {
						err = fmt.Errorf("a %s is in the list of %s", got, name)
					}
				}
				if err != nil {
					t.Errorf("the list of %s: %v", name, err)
					return
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
}

// TestIndexedFailedCommit: what a commit would have changed that fails is as it
// was before, and certain again.
func TestIndexedFailedCommit(t *testing.T) {
	t.Parallel()
	s := openIndexed(t, mustertest.SQLite.New(t))
	g := &gadget{Name: "one", State: "New"}
	commit(t, s, func(tx *store.Tx) error { return tx.Insert(ctx, gadgets.Schema, g, now) })
	commits := s.Stats().Commits
	err := s.Update(ctx, func(tx *store.Tx) error {
		old, err := store.Get(ctx, tx, gadgets, g.ID)
		if err != nil {
			return err
		}
		other := *old
		other.Name = "other"
		return errors.Join(
			tx.Exec(ctx, "PRAGMA defer_foreign_keys = ON"), // until the commit
			tx.Update(ctx, gadgets.Schema, &other, old, now),
			tx.Insert(ctx, gadgets.Schema, &gadget{Name: "one", State: "New"}, now),
			tx.Exec(ctx, "UPDATE "+gadgets.Path()+" SET owner_id = 999"))
	})
	if err == nil || s.Stats().Commits != commits {
		t.Fatalf("got %v, want a commit that fails", err)
	}
	alike(t, s, "name=one", "name")
	if now := s.IndexSnapshot(ctx, gadgets.Schema); !now.Unchanged(gadgets.Schema, g.ID, now.Clock) {
		t.Error("the record is in doubt for good")
	}
}

// TestIndexedNoMore: when memory cannot learn what has changed, the tables answer,
// and the log says so, once.
func TestIndexedNoMore(t *testing.T) {
	t.Parallel()
	log := &mustertest.Log{}
	s, err := store.Open(ctx, store.Config{
		Database: mustertest.SQLite.New(t), Kinds: allKinds(), Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	insert := func(tx *store.Tx) error {
		return tx.Insert(ctx, gadgets.Schema, &gadget{Name: "one", State: "New"}, now)
	}
	commit(t, s, func(tx *store.Tx) error {
		return errors.Join(insert(tx), tx.Exec(ctx, "ALTER TABLE "+gadgets.Path()+" RENAME COLUMN live TO hidden"))
	})
	commit(t, s, func(tx *store.Tx) error {
		return tx.Exec(ctx, "ALTER TABLE "+gadgets.Path()+" RENAME COLUMN hidden TO live")
	})
	commit(t, s, insert)
	if got := strings.Count(log.String(), "\n"); got != 1 || s.HasIndexes() ||
		!strings.Contains(log.String(), "until the next start") {
		t.Errorf("got indexes: %v, and the log %q, want none, and one line", s.HasIndexes(), log)
	}
	q, _ := gadgets.ParseQuery("name=one", now)
	if page, err := s.List(ctx, gadgets.Schema, q, nil); err != nil || page.Total != 2 {
		t.Errorf("got %d, %v, want 2", page.Total, err)
	}
}
