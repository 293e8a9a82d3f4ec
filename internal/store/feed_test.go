//go:build full

package store_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// twoNodes opens a new PostgreSQL database twice.
func twoNodes(t *testing.T) (address string, one, other *store.Store) {
	t.Helper()
	address = mustertest.Postgres.New(t)
	return address, openIndexed(t, address), openIndexed(t, address)
}

// listed returns the ids in a list, and whether they come from memory.
func listed(t *testing.T, s *store.Store, text string) (ids []int64, fromMemory bool) {
	t.Helper()
	q, err := gadgets.ParseQuery(text, now)
	if err != nil {
		t.Fatal(err)
	}
	page, fromMemory, err := s.FromIndex(ctx, gadgets.Schema, q)
	if err == nil && !fromMemory {
		page, err = s.List(ctx, gadgets.Schema, q, nil)
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, rec := range page.Records {
		ids = append(ids, rec.(*gadget).ID)
	}
	return ids, fromMemory
}

// appears waits until a list of a node has certain ids. One that is asked for
// more than a second after the change must have them.
func appears(t *testing.T, s *store.Store, text string, want ...int64) {
	t.Helper()
	changed := time.Now()
	mustertest.Eventually(t, text, func() bool {
		late := time.Since(changed) > time.Second
		got, _ := listed(t, s, text)
		if has := slices.Equal(got, want); has || !late {
			return has
		}
		t.Fatalf("%s: got %v after more than a second, want %v", text, got, want)
		return false
	})
}

// addNamed stores a gadget and returns its id.
func addNamed(t *testing.T, s *store.Store, name string) int64 {
	t.Helper()
	g := &gadget{Name: name, State: "New"}
	commit(t, s, func(tx *store.Tx) error {
		g.ID = 0
		return tx.Insert(ctx, gadgets.Schema, g, now)
	})
	return g.ID
}

// rename changes the name of a gadget.
func rename(t *testing.T, s *store.Store, id int64, name string) {
	t.Helper()
	commit(t, s, func(tx *store.Tx) error {
		old, err := store.Get(ctx, tx, gadgets, id)
		if err != nil {
			return err
		}
		g := *old
		g.Name = name
		return tx.Update(ctx, gadgets.Schema, &g, old, now)
	})
}

// TestFeedNodes changes gadgets on one of two nodes in turn: its own lists have
// the change at once, the other's within a second.
func TestFeedNodes(t *testing.T) {
	t.Parallel()
	_, one, other := twoNodes(t)
	nodes, r, names := []*store.Store{one, other}, rand.New(rand.NewPCG(6, 2)), map[int64]string{}
	for i := range 60 {
		s := nodes[r.IntN(2)]
		name := []string{"a", "b", "c"}[r.IntN(3)]
		switch id := r.Int64N(int64(len(names)) + 2); {
		case names[id] == "":
			names[addNamed(t, s, name)] = name
		case names[id] == "gone":
		case i%4 == 0:
			commit(t, s, func(tx *store.Tx) error {
				g, err := store.Get(ctx, tx, gadgets, id)
				if err != nil {
					return err
				}
				return tx.Delete(ctx, gadgets.Schema, g)
			})
			names[id] = "gone"
		default:
			rename(t, s, id, name)
			names[id] = name
		}
		for _, name := range []string{"a", "b", "c"} {
			var want []int64
			for id := range names {
				if names[id] == name {
					want = append(want, id)
				}
			}
			slices.Sort(want)
			text := "per_page=100&name=" + name
			if got, _ := listed(t, s, text); !slices.Equal(got, want) {
				t.Fatalf("%s where it was changed: got %v, want %v", text, got, want)
			}
			for _, s := range nodes {
				appears(t, s, text, want...)
			}
		}
	}
}

// TestFeedSearch: what a node has found and kept by words follows the changes of
// another, and a new start of its memory.
func TestFeedSearch(t *testing.T) {
	t.Parallel()
	_, one, other := twoNodes(t)
	commit(t, one, func(tx *store.Tx) (err error) {
		for range 1200 {
			if err == nil {
				err = tx.Insert(ctx, gadgets.Schema, &gadget{Name: "a", Chip: "word", State: "New"}, now)
			}
		}
		return err
	})
	q, _ := gadgets.ParseQuery("q=word&name=a&sort_by=name", now)
	finds := func(what string, want int) {
		t.Helper()
		changed := time.Now()
		mustertest.Eventually(t, what, func() bool {
			late := time.Since(changed) > time.Second
			page, err := other.List(ctx, gadgets.Schema, q, nil)
			if err != nil || late && page.Total != want {
				t.Fatalf("%s: got %d, %v after more than a second, want %d", what, page.Total, err, want)
			}
			return page.Total == want
		})
	}
	finds("all", 1200)
	is(t, "another word", change(one, gadgets, 7, now, func(g *gadget) { g.Chip = "another" }), nil)
	finds("one less by its words", 1199)
	rename(t, one, 8, "b")
	finds("one less by its name", 1198)
	remove(t, one, gadgets, 9)
	finds("one less", 1197)
	other.Away(time.Hour)
	is(t, "the word again", change(one, gadgets, 7, now, func(g *gadget) { g.Chip = "word" }), nil)
	finds("one more while memory is read anew", 1198)
	if got := other.Stats().Lists[store.FromMemory]; got < 3 {
		t.Errorf("got %d lists from memory", got)
	}
}

// TestFeedOrder commits a change last that was begun first: a node that has seen
// all others still sees it. One that never ends is in nobody's way.
func TestFeedOrder(t *testing.T) {
	t.Parallel()
	_, one, other := twoNodes(t)
	begun, end, ended, a := make(chan int64), make(chan struct{}), make(chan error),
		&gadget{Name: "first", State: "New"}
	go func() {
		ended <- one.Update(ctx, func(tx *store.Tx) error {
			err := tx.Insert(ctx, gadgets.Schema, a, now)
			if err == nil {
				// it has its place in the feed
				err = tx.Exec(ctx, "INSERT INTO feed (kind, ids) VALUES ('roads', '{1}')")
			}
			begun <- a.ID
			<-end
			return err
		})
	}()
	first := <-begun
	for i := range 5 {
		name := fmt.Sprint("later", i)
		id := addNamed(t, one, name)
		appears(t, other, "name="+name, id)
	}
	close(end)
	is(t, "the first change", <-ended, nil)
	if got, ok := listed(t, one, "name=first"); !slices.Equal(got, []int64{first}) || !ok {
		t.Errorf("where it was made: got %v, %v, want %d from memory", got, ok, first)
	}
	appears(t, other, "name=first", first)
}

// TestFeedBehind keeps a node from looking at the feed: its lists come from the
// tables, its own changes at once, until it can look again.
func TestFeedBehind(t *testing.T) {
	t.Parallel()
	_, one, other := twoNodes(t)
	other.Wait(time.Second)
	release := sync.OnceFunc(other.Hold())
	defer release()
	first := addNamed(t, one, "a")
	appears(t, other, "name=a", first)
	second := addNamed(t, other, "a")
	for range 3 {
		if got, ok := listed(t, other, "name=a"); !slices.Equal(got, []int64{first, second}) || ok {
			t.Errorf("behind: got %v, from memory %v, want both from the tables", got, ok)
		}
	}
	if behind := other.Stats().Behind; behind < time.Second {
		t.Errorf("behind: got %v, want more than a second", behind)
	}
	release()
	mustertest.Eventually(t, "lists are read from memory again", func() bool {
		got, ok := listed(t, other, "name=a")
		return ok && slices.Equal(got, []int64{first, second})
	})
}

// TestFeedLate looks at the feed late, as a machine does that has too much to do: a
// list waits for that rather than to read the tables.
func TestFeedLate(t *testing.T) {
	t.Parallel()
	_, one, other := twoNodes(t)
	release := sync.OnceFunc(other.Hold())
	defer release()
	id := addNamed(t, one, "a")
	mustertest.Eventually(t, "it is late", func() bool { return other.Stats().Behind > time.Second })
	q, err := gadgets.ParseQuery("name=a", now)
	is(t, "query", err, nil)
	var list sync.WaitGroup
	list.Go(func() {
		page, ok, err := other.FromIndex(ctx, gadgets.Schema, q)
		if err != nil || !ok || len(page.Records) != 1 || page.Records[0].(*gadget).ID != id {
			t.Errorf("late: got %v, from memory %v, %v, want it from memory", page.Records, ok, err)
		}
	})
	mustertest.Eventually(t, "somebody waits for a look", other.Awaited)
	release()
	list.Wait()
}

// TestFeedLateRequest answers all lists of a request after the node has looked once
// since it began, and waits only once for a look that does not come.
func TestFeedLateRequest(t *testing.T) {
	t.Parallel()
	_, one, other := twoNodes(t)
	id := addNamed(t, one, "a")
	appears(t, other, "name=a", id)
	q, err := gadgets.ParseQuery("name=a", now)
	is(t, "query", err, nil)
	request := store.WithUsage(ctx, new(store.Usage))
	if got, ok := listed(t, other, "name=a"); !ok || !slices.Equal(got, []int64{id}) {
		t.Fatalf("before: got %v, from memory %v", got, ok)
	}
	looked := other.Looks()
	mustertest.Eventually(t, "a look after the request began", func() bool { return other.Looks() > looked })
	release := sync.OnceFunc(other.Hold())
	defer release()
	mustertest.Eventually(t, "it is late", func() bool { return other.Stats().Behind > time.Second })
	if _, ok, err := other.FromIndex(request, gadgets.Schema, q); !ok || err != nil {
		t.Errorf("a request that began before: got from memory %v, %v, want it from there", ok, err)
	}
	other.Wait(time.Second)
	fromTables := func() {
		_, ok, err := other.FromIndex(ctx, gadgets.Schema, q)
		if is(t, "list", err, nil); ok {
			t.Error("a new request: got it from memory, want it from the tables")
		}
	}
	fromTables() // having waited in vain
	const lists = 20
	begun := time.Now()
	for range lists {
		fromTables()
	}
	if took := time.Since(begun); took > lists*time.Second/2 {
		t.Errorf("after waiting in vain: %d lists took %v more, as if each waited for a second", lists, took)
	}
}

// TestFeedReload changes gadgets without writing to the feed: a node that notices that the feed is incomplete
// reloads its index.
func TestFeedReload(t *testing.T) {
	t.Parallel()
	quietly := func(tx *store.Tx) error { // and what a node notices
		return tx.Exec(ctx, "UPDATE "+gadgets.Path()+" SET name = 'b', name_folded = 'b', _version = _version + 1")
	}
	for what, notice := range map[string]func(s *store.Store) error{
		"another table, as after a restore": func(s *store.Store) error {
			return s.Update(ctx, func(tx *store.Tx) error {
				if err := tx.Exec(ctx, "ALTER TABLE feed RENAME TO feed_before"); err != nil {
					return err
				}
				return tx.Exec(ctx, "CREATE TABLE feed (LIKE feed_before INCLUDING ALL)")
			})
		},
		"tables were altered": func(s *store.Store) error {
			return s.Update(ctx, func(tx *store.Tx) error { return tx.ReloadAll(ctx) })
		},
		"away for long": func(s *store.Store) error {
			s.Away(time.Hour)
			return nil
		},
		"very many changes": func(s *store.Store) error {
			return s.Update(ctx, func(tx *store.Tx) error {
				return tx.Exec(ctx, "INSERT INTO feed (kind, ids) SELECT 'roads', array_agg(n) FROM generate_series(1, 100001) n")
			})
		},
	} {
		t.Run(what, func(t *testing.T) {
			s := openIndexed(t, mustertest.Postgres.New(t))
			id := addNamed(t, s, "a")
			appears(t, s, "name=a", id)
			commit(t, s, quietly)
			if got, ok := listed(t, s, "name=a"); ok || len(got) > 0 {
				t.Fatalf("a row that matches no more: got %v, from memory %v, want none from the tables", got, ok)
			}
			is(t, what, notice(s), nil)
			mustertest.Eventually(t, "it is found from memory", func() bool {
				got, ok := listed(t, s, "name=b")
				return ok && slices.Equal(got, []int64{id})
			})
		})
	}
}

// TestFeedConnection ends the connections of a node: it follows the feed from
// where it was.
func TestFeedConnection(t *testing.T) {
	t.Parallel()
	_, one, other := twoNodes(t)
	id := addNamed(t, one, "a")
	appears(t, other, "name=a", id)
	commit(t, one, func(tx *store.Tx) error {
		return tx.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE application_name = current_setting('application_name') AND pid <> pg_backend_pid()`)
	})
	rename(t, one, id, "b")
	for _, s := range []*store.Store{one, other} {
		mustertest.Eventually(t, "a change after it is in lists from memory", func() bool {
			got, ok := listed(t, s, "name=b")
			return ok && slices.Equal(got, []int64{id})
		})
	}
}

// TestFeedFrozen changes a record as commands do, beside a node.
func TestFeedFrozen(t *testing.T) {
	t.Parallel()
	address := mustertest.Postgres.New(t)
	s := openIndexed(t, address)
	command, err := store.Open(ctx, store.Config{Database: address, Kinds: allKinds(), Frozen: true})
	is(t, "open", err, nil)
	id := addNamed(t, command, "a")
	appears(t, s, "name=a", id)
	is(t, "close", command.Close(), nil)
}

// TestFeedSweep removes old rows from the feed, and no others.
func TestFeedSweep(t *testing.T) {
	t.Parallel()
	_, s, _ := twoNodes(t)
	for range 3 {
		addNamed(t, s, "a")
	}
	commit(t, s, func(tx *store.Tx) error { return tx.Exec(ctx, "UPDATE feed SET at = at - interval '1 hour'") })
	last := addNamed(t, s, "b")
	is(t, "sweep", s.Sweep(ctx), nil)
	view(t, s, func(tx *store.Tx) error {
		n, err := tx.Int(ctx, "SELECT count(*) FROM feed")
		equal(t, "rows", n, int64(1))
		id, _ := tx.Int(ctx, "SELECT ids[1] FROM feed")
		equal(t, "the one that is left", id, last)
		return err
	})
}

// TestFeedChain adds the record of one node's change to the chain on another: a
// list of the first has it.
func TestFeedChain(t *testing.T) {
	t.Parallel()
	address := mustertest.Postgres.New(t)
	one, other := open(t, address, trailKinds...), open(t, address, trailKinds...)
	mustertest.Eventually(t, "there are indexes", func() bool { return one.HasIndexes() && other.HasIndexes() })
	q, err := audits.ParseQuery("", now)
	is(t, "query", err, nil)
	for n := range 50 {
		insert(t, one, inventory.Audits, anAudit(1, kind.Person{}))
		is(t, "chain", other.Chain(ctx, audits), nil)
		page, ok, err := one.FromIndex(ctx, audits, q)
		is(t, "list", err, nil)
		if ok {
			equal(t, "records in the list", page.Total, n+1)
		}
	}
}

// TestFeedEnds closes a store while its index is made, and one whose database
// does not answer its looks.
func TestFeedEnds(t *testing.T) {
	t.Parallel()
	address := mustertest.Postgres.New(t)
	for range 5 {
		s, err := store.Open(ctx, store.Config{Database: address, Kinds: allKinds()})
		is(t, "open", err, nil)
		is(t, "close", s.Close(), nil)
	}
	s := openIndexed(t, address)
	short, cancel := context.WithCancel(ctx)
	release := sync.OnceFunc(s.Hold())
	defer release()
	id := addNamed(t, s, "a")
	cancel()
	if s.IndexSnapshot(short, gadgets.Schema) != nil {
		t.Error("a list that nobody waits for: got an answer from memory, want none")
	}
	release()
	appears(t, s, "", id)
}

// TestFollowerTells: the log says when a node's memory is behind, and when it is
// not any more, once each.
func TestFollowerTells(t *testing.T) {
	t.Parallel()
	log := &mustertest.Log{}
	s, err := store.Open(ctx, store.Config{
		Database: mustertest.Postgres.New(t), Kinds: allKinds(), Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustertest.Eventually(t, "there is an index", s.HasIndexes)
	s.Away(time.Hour)
	mustertest.Eventually(t, "memory is told to be good again",
		func() bool { return strings.Contains(log.String(), "from memory again") })
	if got := strings.Count(log.String(), "\n"); got != 2 || !strings.Contains(log.String(), "memory is behind") {
		t.Errorf("got %q, want two lines", log)
	}
}
