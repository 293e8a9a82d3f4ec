package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// amongQueries are such as a table of words or pairs and memory answer together.
var amongQueries = []string{
	"q=word&live=true", "q=word&sort_by=name&per_page=7&page=3", "q=word&name=*b*&sort_by=name&sort_order=DESC",
	"q=word&live=true&after=900&per_page=9",
	"q=word", "q=word&per_page=9&page=30", "q=word&after=900&per_page=9", "q=word&sort_order=DESC",
	"card=a", "card=a&live=true&sort_by=name&per_page=9",
	"card=a&card=b&sort_by=name&sort_order=DESC&page=2&per_page=9", "card=a&after=20&per_page=9",
	"tied&live=true&per_page=9", "tied&sort_by=name&sort_order=DESC&per_page=9&page=20", "tied&sort_by=maker",
	"tied&live=&sort_by=item_count",
}

// TestAmong lists gadgets by their words, by the names of their parts, and those that are tied to another,
// during concurrent changes, and compares answers with a part from memory with those of the tables.
func TestAmong(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, testAmong)
}

// amongWriters is how many change gadgets at once.
const amongWriters = 8

func testAmong(t *testing.T, db mustertest.Database) {
	const all = 1504 // a multiple of amongWriters
	s, r := openIndexed(t, db.New(t)), rand.New(rand.NewPCG(6, 7))
	road := add(t, s, roads, "Road")
	refs := &referred{
		makers: []*thing{add(t, s, makers, "one"), add(t, s, makers, "two")}, people: make([]kind.Person, 2),
	}
	one := func(r *rand.Rand) *gadget {
		g := anyOne(r, refs)
		g.Chip, g.Places = "word "+g.Chip, []kind.Linked{link(roads, road)}
		g.Cards = []card{{Name: []string{"a", "b", "c"}[r.IntN(3)]}, {Name: []string{"A", "B"}[r.IntN(2)]}}
		return g
	}
	commit(t, s, func(tx *store.Tx) (err error) {
		for range all {
			if err == nil {
				err = tx.Insert(ctx, gadgets.Schema, one(r), now)
			}
		}
		return err
	})
	tie := kind.Tie{Table: "test_gadgets_test_roads", Own: "id", Other: "linked_id", ID: road.ID}
	done := make(chan struct{})
	var writing sync.WaitGroup
	for w := range amongWriters {
		r := rand.New(rand.NewPCG(6, uint64(w)))
		writing.Go(func() {
			for i := w; ; i += amongWriters { // each changes gadgets that no other does
				select {
				case <-done:
					return
				default:
				}
				g := one(r)
				if r.IntN(8) == 0 { // so that enough keep the word for memory to have a part
					g.Chip, g.Places = "other", nil
				}
				commit(t, s, func(tx *store.Tx) error {
					old, err := tx.Get(ctx, gadgets.Schema, int64(i%all+1))
					if err != nil {
						return err
					}
					next := *g
					next.Record = old.(*gadget).Record
					return tx.Update(ctx, gadgets.Schema, &next, old, now)
				})
			}
		})
	}
	for range 10 {
		for _, text := range amongQueries {
			sameAmong(t, s, text, tie)
		}
	}
	close(done)
	writing.Wait()
	for _, text := range amongQueries { // nothing changes any more
		if !sameAmong(t, s, text, tie) {
			t.Errorf("%s: memory has no part in it", text)
		}
	}
}

// TestAmongChanged changes a gadget behind the back of a transaction: memory has a
// part in its lists only as long as both know the same.
func TestAmongChanged(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, testAmongChanged)
}

func testAmongChanged(t *testing.T, db mustertest.Database) {
	s := openIndexed(t, db.New(t))
	commit(t, s, func(tx *store.Tx) (err error) {
		for range 1500 {
			if err == nil {
				err = tx.Insert(ctx, gadgets.Schema, &gadget{Name: "a", Chip: "word", State: "New"}, now)
			}
		}
		return err
	})
	q, _ := gadgets.ParseQuery("q=word&name=a", now)
	for _, c := range []struct {
		name   string
		change func(tx *store.Tx, old *gadget) error
		want   bool
	}{
		{"nothing", func(*store.Tx, *gadget) error { return nil }, true},
		{"a name", func(tx *store.Tx, old *gadget) error {
			g := *old
			g.Name = "b"
			return tx.Update(ctx, gadgets.Schema, &g, old, now)
		}, false},
		{"what is apart", func(tx *store.Tx, old *gadget) error {
			return tx.SetApart(ctx, gadgets.Schema, &gadget{Record: old.Record, SeenAt: now}, gadgets.Field("seen-at"))
		}, true},
		{"a gadget more", func(tx *store.Tx, old *gadget) error {
			return tx.Insert(ctx, gadgets.Schema, &gadget{Name: "a", Chip: "word", State: "New"}, now)
		}, false},
		{"a gadget less", func(tx *store.Tx, old *gadget) error { return tx.Delete(ctx, gadgets.Schema, old) }, false},
	} {
		_, err := s.WithSearchAndIndex(ctx, gadgets.Schema, q, func(tx *store.Tx) (bool, error) {
			old, err := store.Get(ctx, tx, gadgets, 1400) // from now on this is the state
			if err != nil {
				return false, err
			}
			commit(t, s, func(tx *store.Tx) error { return c.change(tx, old) })
			// which waits until memory has the change
			if _, err := s.List(ctx, gadgets.Schema, amongQuery(t, "name=b", kind.Tie{}), nil); err != nil {
				return false, err
			}
			page, ok, err := tx.Among(ctx, gadgets.Schema, q)
			// where the feed does not tell what of a record has changed
			want := c.want && (c.name == "nothing" || !s.Shared())
			if total, _, _ := tx.Find(ctx, gadgets.Schema, q); ok != want || ok && page.Total != total {
				t.Errorf("%s has changed: got %d, %v, want %d, %v", c.name, page.Total, ok, total, want)
			}
			return true, err // this once
		})
		if err != nil {
			t.Fatal(err)
		}
		if !sameAmong(t, s, "q=word&name=a", kind.Tie{}) {
			t.Errorf("after %s has changed memory has no part", c.name)
		}
	}
}

// TestAmongState changes gadgets just after a transaction has asked memory, before it
// has read anything: what it reads then is of the state that memory had.
func TestAmongState(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, testAmongState)
}

func testAmongState(t *testing.T, db mustertest.Database) {
	const all = 1500
	s := openIndexed(t, db.New(t))
	commit(t, s, func(tx *store.Tx) (err error) {
		for range all {
			if err == nil {
				err = tx.Insert(ctx, gadgets.Schema, &gadget{Name: "a", Chip: "word", State: "New"}, now)
			}
		}
		return err
	})
	q, _ := gadgets.ParseQuery("q=word", now)
	if _, err := s.List(ctx, gadgets.Schema, q, nil); err != nil { // keeps what was found
		t.Fatal(err)
	}
	ok, err := s.WithSearchAndIndex(ctx, gadgets.Schema, q, func(tx *store.Tx) (bool, error) {
		total, ok, err := tx.TotalAmong(ctx, gadgets.Schema, q)
		if !ok || err != nil {
			return ok, err
		}
		commit(t, s, func(tx *store.Tx) error {
			old, err := store.Get(ctx, tx, gadgets, 700)
			if err != nil {
				return err
			}
			g := *old
			g.Chip = "other"
			return tx.Update(ctx, gadgets.Schema, &g, old, now)
		})
		read, _, err := tx.Find(ctx, gadgets.Schema, q)
		if total != all || read != all {
			t.Errorf("got %d from memory and %d from the tables, want %d from both", total, read, all)
		}
		return true, err
	})
	if !ok || err != nil {
		t.Errorf("got %v, %v, want an answer in which memory has a part", ok, err)
	}
}

// TestAmongMended changes, adds and deletes gadgets after a search whose words are gone from their table since: the
// search is answered by what it found before, and only the words of the changed ones are looked at again.
func TestAmongMended(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, testAmongMended)
}

func testAmongMended(t *testing.T, db mustertest.Database) {
	const all = 1500
	s := openIndexed(t, db.New(t))
	word := func(chip string) *gadget { return &gadget{Name: "a", Chip: chip, State: "New"} }
	commit(t, s, func(tx *store.Tx) (err error) {
		for range all {
			if err == nil {
				err = tx.Insert(ctx, gadgets.Schema, word("word"), now)
			}
		}
		return err
	})
	q, _ := gadgets.ParseQuery("q=wor", now)
	total := func() int {
		page, err := s.List(ctx, gadgets.Schema, q, nil)
		if err != nil {
			t.Fatal(err)
		}
		return page.Total
	}
	equal(t, "at first", total(), all)
	commit(t, s, func(tx *store.Tx) error {
		return tx.Exec(ctx, "DELETE FROM test_gadgets_search WHERE rowid > 10")
	})
	change := func(id int64, chip string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			old, err := store.Get(ctx, tx, gadgets, id)
			if err != nil {
				return err
			}
			g := *old
			g.Chip = chip
			return tx.Update(ctx, gadgets.Schema, &g, old, now)
		}
	}
	for _, step := range []struct {
		name   string
		change func(tx *store.Tx) error
		want   int
	}{
		{"a gadget loses the word", change(3, "other"), all - 1},
		{"another gets one that begins alike", change(4, "wire"), all - 2},
		{"the first gets a longer one", change(3, "words"), all - 1},
		{"a gadget more", func(tx *store.Tx) error { return tx.Insert(ctx, gadgets.Schema, word("word"), now) }, all},
		{"a gadget less", func(tx *store.Tx) error {
			old, err := store.Get(ctx, tx, gadgets, 7)
			if err != nil {
				return err
			}
			return tx.Delete(ctx, gadgets.Schema, old)
		}, all - 1},
	} {
		commit(t, s, step.change)
		equal(t, step.name, total(), step.want)
	}
}

// TestAmongBeside finds tickets by the words of their comments too, among so many
// that memory has a part in it, while tickets and comments come, change and go.
func TestAmongBeside(t *testing.T) {
	t.Parallel()
	eachWhole(t, func(t *testing.T, s *store.Store) {
		const all = 1200
		is(t, "wait", s.Warm(ctx), nil)
		anna := addUser(t, s, "anna@example.com", "Anna", "Berg").Person()
		commit(t, s, func(tx *store.Tx) (err error) {
			for i := range all {
				if err == nil {
					err = tx.Insert(ctx, inventory.Tickets.Schema,
						&inventory.Ticket{Name: fmt.Sprint("printer ", i), Requester: anna}, now)
				}
			}
			return err
		})
		q, _ := inventory.Tickets.ParseQuery("q=printer&sort_by=name", now)
		q.Search.Beside = []kind.Beside{{Kind: inventory.Comments.Schema, Ref: inventory.Comments.Field("ticket")}}
		coffee := &inventory.Ticket{Name: "coffee", Requester: anna}
		said := &inventory.Comment{Body: "The printer drank it"}
		for _, step := range []struct {
			name string
			do   func()
			want int
		}{
			{"all", func() {}, all},
			{"another ticket", func() { insert(t, s, inventory.Tickets, coffee) }, all},
			{"a comment on it", func() {
				said.Ticket = kind.Ref{ID: coffee.ID}
				insert(t, s, inventory.Comments,
					said)
			}, all + 1},
			{"one that is renamed", func() {
				is(t, "rename", change(s, inventory.Tickets, 7, now, func(r *inventory.Ticket) { r.Name = "tea" }), nil)
			}, all},
			{"another comment", func() {
				is(t, "say", change(s, inventory.Comments, said.ID, now,
					func(r *inventory.Comment) { r.Body = "Who drank it?" }), nil)
			}, all - 1},
			{"one less", func() { remove(t, s, inventory.Tickets, 8) }, all - 2},
		} {
			step.do()
			total := 0
			ok, err := s.WithSearchAndIndex(ctx, inventory.Tickets.Schema, q, func(tx *store.Tx) (bool, error) {
				page, ok, err := tx.Among(ctx, inventory.Tickets.Schema, q)
				total = page.Total
				return ok, err
			})
			if !ok || err != nil || total != step.want {
				t.Errorf("%s: got %d, %v, %v, want %d from memory", step.name, total, ok, err, step.want)
			}
		}
	})
}

// TestTiedKept lists the computers of a program and of a licence again and again,
// which are so many that they are kept, while computers come, go and change what
// they have.
func TestTiedKept(t *testing.T) {
	t.Parallel()
	eachWhole(t, func(t *testing.T, s *store.Store) {
		const all = 1200
		is(t, "wait", s.Warm(ctx), nil)
		have, apps := computers(t, s, all), programs(t, s, 2)
		licence := license(t, s, installs.Item{Name: "p*"})
		commit(t, s, func(tx *store.Tx) (err error) {
			for _, c := range have {
				if err == nil {
					err = installs.Add(ctx, tx, c.ID, true, apps[:1], now)
				}
			}
			return err
		})
		first, second := apps[0].SoftwareID, apps[1].SoftwareID
		for _, step := range []struct {
			name        string
			do          func(tx *store.Tx) error
			with, under int
		}{
			{"nothing changes", func(*store.Tx) error { return nil }, all, all},
			{"one loses the program", func(tx *store.Tx) error {
				return installs.Remove(ctx, tx, have[0].ID, true, []int64{first})
			}, all - 1, all - 1},
			{"it gets the other", func(tx *store.Tx) error { return installs.Add(ctx, tx, have[0].ID, true, apps[1:], now) },
				all - 1, all},
			{"another has both", func(tx *store.Tx) error { return installs.Add(ctx, tx, have[1].ID, true, apps[1:], now) },
				all - 1, all},
			{"one does not count any more", func(tx *store.Tx) error {
				return installs.CountComputer(ctx, tx, have[2].ID, false)
			}, all - 1, all},
			{"that loses the program", func(tx *store.Tx) error {
				return installs.Remove(ctx, tx, have[2].ID, false, []int64{first})
			}, all - 2, all - 1},
			{"it counts again", func(tx *store.Tx) error { return installs.CountComputer(ctx, tx, have[2].ID, true) }, all - 2,
				all - 1},
			{"the licence is about the other program", func(tx *store.Tx) error {
				_, _, err := installs.SetLicence(ctx, tx, licence.ID, []installs.Item{{Name: "p2"}}, inventory.Gone)
				return err
			}, all - 2, 2},
			{"and about both", func(tx *store.Tx) error {
				_, _, err := installs.SetLicence(ctx, tx, licence.ID, []installs.Item{{Name: "p*"}}, inventory.Gone)
				return err
			}, all - 2, all - 1},
		} {
			commit(t, s, step.do)
			for range 2 { // found, and kept
				equal(t, step.name, []int{
					tied(t, s, installs.ComputersWith(first)), tied(t, s, installs.ComputersUnder(licence.ID)),
				}, []int{step.with, step.under})
			}
		}
		equal(t, "computers of the other program", tied(t, s, installs.ComputersWith(second)), 2)
	})
}

// tied returns how many computers a tie chooses, by a list sorted by their names.
func tied(t *testing.T, s *store.Store, tie kind.Tie) int {
	t.Helper()
	q, err := inventory.Computers.ParseQuery("sort_by=name&per_page=5", now)
	if err != nil {
		t.Fatal(err)
	}
	q.Ties = []kind.Tie{tie}
	page, err := s.List(ctx, inventory.Computers.Schema, q, nil)
	if err != nil {
		t.Fatal(err)
	}
	return page.Total
}

// sameAmong fails unless a list equals that of the tables in the same transaction, and reports whether memory
// had a part in it.
func sameAmong(t *testing.T, s *store.Store, text string, tie kind.Tie) (together bool) {
	t.Helper()
	q := amongQuery(t, text, tie)
	together, err := s.WithSearchAndIndex(ctx, gadgets.Schema, q, func(tx *store.Tx) (bool, error) {
		page, ok, err := tx.Among(ctx, gadgets.Schema, q)
		if err != nil || !ok {
			return false, err
		}
		if err := asTables(tx, q, page); err != nil {
			return false, fmt.Errorf("%s: %w", text, err)
		}
		return true, sameCounts(tx, q, text)
	})
	if err != nil {
		t.Fatal(err)
	}
	return together
}

// sameCounts returns an error unless the counts of a field's values equal those of the tables, when memory had
// a part in them.
func sameCounts(tx *store.Tx, q *kind.Query, text string) error {
	state := gadgets.Field("state")
	got, ok, err := tx.CountsAmong(ctx, gadgets.Schema, q, state)
	if err != nil || !ok {
		return err
	}
	want, err := tx.CountsFromTables(ctx, gadgets.Schema, q, state)
	if err == nil && !slices.Equal(got, want) {
		err = fmt.Errorf("%s: got counts %v, want %v", text, got, want)
	}
	return err
}

// amongQuery reads a query, of which tied is the tie.
func amongQuery(t *testing.T, text string, tie kind.Tie) *kind.Query {
	t.Helper()
	rest, isTied := strings.CutPrefix(text, "tied&")
	q, err := gadgets.ParseQuery(rest, now)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if isTied {
		q.Ties = []kind.Tie{tie}
	}
	return q
}
