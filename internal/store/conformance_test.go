package store_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestRecord stores, reads, changes and removes a record with every value.
func TestRecord(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		anna, bert := addUser(t, s, "anna@example.com", "Anna", "Berg"), addUser(t, s, "bert@example.com", "", "")
		g := fullGadget(anna.Person(), bert.Person())
		insert(t, s, gadgets, g)
		want := fullGadget(anna.Person(), bert.Person())
		want.Record = kind.Record{ID: 1, Version: 1, CreatedAt: start, UpdatedAt: start}
		equal(t, "inserted", g, want)
		equal(t, "read", get(t, s, gadgets, 1), want)

		later := start.Add(time.Hour)
		change := change(s, gadgets, 1, later.Add(time.Millisecond),
			func(g *gadget) { *g = gadget{Record: g.Record, Name: "bare"} })
		equal(t, "update", change, error(nil))
		// which are apart
		bare := &gadget{Record: kind.Record{ID: 1, Version: 2, CreatedAt: start, UpdatedAt: later}, Name: "bare",
			SeenAt: want.SeenAt, Trace: want.Trace}
		equal(t, "changed", get(t, s, gadgets, 1), bare)

		remove(t, s, gadgets, 1)
		err := s.View(ctx, func(tx *store.Tx) error {
			_, err := tx.Get(ctx, gadgets.Schema, 1)
			return err
		})
		is(t, "get of a removed record", err, store.ErrNotFound)
		for _, table := range []string{"test_gadgets_cards_name", "test_gadgets_lights_name", "test_gadgets_apart"} {
			view(t, s, func(tx *store.Tx) error {
				n, err := tx.Int(ctx, "SELECT count(*) FROM "+table)
				equal(t, "values left in "+table, n, int64(0))
				return err
			})
		}
	})
}

// TestNull distinguishes null from 0, false and absence.
func TestNull(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		zero := &gadget{Name: "zero", Count: kind.Some[int64](0), Live: kind.Some(false), SeenAt: at("1970-01-01"),
			Cards: []card{{}}}
		null := &gadget{Name: "null"}
		insert(t, s, gadgets, zero, null)
		equal(t, "zero", get(t, s, gadgets, zero.ID), zero)
		equal(t, "null", get(t, s, gadgets, null.ID), null)
		equal(t, "items", len(get(t, s, gadgets, zero.ID).Cards), 1)
		view(t, s, func(tx *store.Tx) error {
			recs, err := tx.Rows(ctx, gadgets.Schema, []int64{null.ID, zero.ID})
			zero.Cards = nil // not in lists
			equal(t, "rows", recs, []any{null, zero})
			return err
		})
	})
}

// TestComputer stores a computer with every field filled.
func TestComputer(t *testing.T) {
	t.Parallel()
	eachWhole(t, func(t *testing.T, s *store.Store) {
		u := addUser(t, s, "anna@example.com", "Anna", "Berg")
		c := inventory.Computers.New()
		c.AssetID, c.Name, c.CPU, c.Memory = "MUS-000001", "pc1", "  Intel", kind.Some[int64](4096)
		c.Owner, c.TechnicalContact = u.Person(), u.Person()
		c.Networks = []inventory.Network{{MAC: "AA:BB", Status: "Up"}, {Description: "lo"}}
		c.BIOSes = []inventory.BIOS{{SSN: "S1", Manufacturer: "Acme"}}
		inventory.Computers.Settle(c, nil)
		c.DetectedAt = at("2026-01-30T12:00:00Z")
		insert(t, s, inventory.Computers, c)
		equal(t, "computer", get(t, s, inventory.Computers, c.ID), c)
		found := list(t, s, inventory.Computers.Schema,
			"mac_address=aa:bb&owner=anna+berg&serial_number=s1&processor=intel")
		equal(t, "total", found.Total, 1)
	})
}

// TestPersonIsTrue reads what the user is now, not what it was when the record
// was stored.
func TestPersonIsTrue(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		u := addUser(t, s, "anna@example.com", "Anna", "Berg")
		g := fullGadget(u.Person(), u.Person())
		insert(t, s, gadgets, g)
		err := change(s, inventory.Users, u.ID, now, func(u *inventory.User) {
			u.Email, u.FirstName, u.Phone, u.LastLogin = "anne@example.com", "Anne", "1", at("2026-01-02T03:04:05Z")
			inventory.Users.Settle(u, nil)
		})
		equal(t, "rename", err, error(nil))
		want := kind.Person{
			ID: u.ID, Email: "anne@example.com", Name: "Anne Berg", FirstName: "Anne", LastName: "Berg",
			Phone: "1", LastLogin: at("2026-01-02T03:04:05Z"),
		}
		equal(t, "keeper", get(t, s, gadgets, g.ID).Keeper, want)
		page := list(t, s, gadgets.Schema, "owner=ANNE@example.com")
		equal(t, "owners", []kind.Person{page.Records[0].(*gadget).Owner}, []kind.Person{want})
		equal(t, "records of the old name", list(t, s, gadgets.Schema, "owner=Anna+Berg").Total, 0)
	})
}

// TestPersonMustExist holds without the rules above the store.
func TestPersonMustExist(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		err := s.Update(ctx, func(tx *store.Tx) error {
			return tx.Insert(ctx, gadgets.Schema, &gadget{Name: "g", Owner: kind.Person{ID: 99}}, now)
		})
		if err == nil {
			t.Error("got no error for an owner that does not exist")
		}
	})
}

// TestUnique refuses a value in another case even when nobody looked before.
func TestUnique(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		insert(t, s, gadgets, &gadget{Name: "a", Code: "Straße"}, &gadget{Name: "b"}, &gadget{Name: "c"})
		code := gadgets.Field("code")
		view(t, s, func(tx *store.Tx) error {
			for _, c := range []struct {
				value        string
				except, want int64
			}{{"STRASSE", 0, 1}, {"strasse", 2, 1}, {"Straße", 1, 0}, {"other", 0, 0}, {"' OR 1=1 --", 0, 0}} {
				id, err := tx.Taken(ctx, gadgets.Schema, code, c.value, c.except)
				equal(t, fmt.Sprintf("Taken(%q, %d)", c.value, c.except), id, c.want)
				if err != nil {
					return err
				}
			}
			return nil
		})
		err := s.Update(ctx, func(tx *store.Tx) error {
			return tx.Insert(ctx, gadgets.Schema, &gadget{Name: "d", Code: "STRASSE"}, now)
		})
		if err == nil || errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrNotFound) {
			t.Errorf("got error %v for a value that is taken", err)
		}
		equal(t, "records", ids(t, s), []int64{1, 2, 3})
	})
}

// ids returns the ids of all gadgets.
func ids(t testing.TB, s *store.Store) (ids []int64) {
	t.Helper()
	view(t, s, func(tx *store.Tx) (err error) {
		ids, err = tx.IDs(ctx, gadgets.Schema)
		return err
	})
	return ids
}

// TestIDs never come back, and an error undoes all that a change did.
func TestIDs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		empty := func() (empty bool) {
			view(t, s, func(tx *store.Tx) (err error) {
				empty, err = tx.Empty(ctx, gadgets.Schema)
				return err
			})
			return empty
		}
		equal(t, "empty at first", empty(), true)
		insert(t, s, gadgets, &gadget{Name: "a"}, &gadget{Name: "b"}, &gadget{Name: "c"})
		equal(t, "ids", ids(t, s), []int64{1, 2, 3})
		remove(t, s, gadgets, 3)
		remove(t, s, gadgets, 2)
		g := &gadget{Name: "d"}
		insert(t, s, gadgets, g)
		equal(t, "id after the last was removed", g.ID, int64(4))
		equal(t, "empty", empty(), false)

		failed := errors.New("failed")
		err := s.Update(ctx, func(tx *store.Tx) error {
			return errors.Join(tx.Insert(ctx, gadgets.Schema, fullGadget(kind.Person{}, kind.Person{}), now), failed)
		})
		is(t, "update", err, failed)
		equal(t, "ids after a failure", ids(t, s), []int64{1, 4})
	})
}

// TestRows keeps the order of the ids, leaves out what is missing, and reads
// more than one statement takes.
func TestRows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		var recs []*gadget
		for i := range 30 {
			recs = append(recs, &gadget{Name: fmt.Sprint("g", i)})
		}
		insert(t, s, gadgets, recs...)
		for _, gap := range []int{0, 1, 40, 1000} { // ids without a record after each
			asked := []int64{math.MaxInt64, -1}
			var want, got []string
			for _, g := range slices.Backward(recs) {
				asked = append(asked, g.ID)
				want = append(want, g.Name)
				for i := range gap {
					asked = append(asked, int64(1000*len(asked)+i))
				}
			}
			view(t, s, func(tx *store.Tx) error {
				rows, err := tx.Rows(ctx, gadgets.Schema, asked)
				for _, rec := range rows {
					got = append(got, rec.(*gadget).Name)
				}
				return err
			})
			if !slices.Equal(got, want) {
				t.Errorf("with %d ids between: got %v, want %v", gap, got, want)
			}
		}
	})
}

// TestConcurrentUpdates lets no update of a record get lost.
func TestConcurrentUpdates(t *testing.T) {
	t.Parallel()
	const writers, rounds = 24, 5
	each(t, func(t *testing.T, s *store.Store) {
		insert(t, s, gadgets, &gadget{Name: "g", Count: kind.Some[int64](0)})
		var wg sync.WaitGroup
		for range writers {
			wg.Go(func() {
				for range rounds {
					if err := change(s, gadgets, 1, now, func(g *gadget) { g.Count.V++ }); err != nil {
						t.Errorf("update: %v", err)
					}
				}
			})
		}
		wg.Wait()
		g := get(t, s, gadgets, 1)
		equal(t, "count", g.Count.V, int64(writers*rounds))
		equal(t, "version", g.Record.Version, int64(writers*rounds+1))
	})
}

// TestRunAgain runs an update again whose record was changed between its read
// and its write. SQLite has one writer, so that it cannot happen there.
func TestRunAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		if !s.Shared() {
			return
		}
		insert(t, s, gadgets, &gadget{Name: "g"})
		runs := 0
		err := change(s, gadgets, 1, now, func(g *gadget) {
			if runs++; runs == 1 {
				if err := change(s, gadgets, 1, now, func(g *gadget) { g.Chip = "other" }); err != nil {
					t.Errorf("update between: %v", err)
				}
			}
			g.Note = "mine"
		})
		equal(t, "update", err, error(nil))
		g := get(t, s, gadgets, 1)
		equal(t, "runs, chip, note", []any{runs, g.Chip, g.Note}, []any{2, "other", "mine"})
	})
}

// TestStale refuses a record that was not read in the transaction and has
// changed since.
func TestStale(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		insert(t, s, gadgets, &gadget{Name: "g"})
		stale := get(t, s, gadgets, 1)
		if err := change(s, gadgets, 1, now, func(g *gadget) { g.Note = "new" }); err != nil {
			t.Fatal(err)
		}
		is(t, "update", s.Update(ctx, func(tx *store.Tx) error {
			return tx.Update(ctx, gadgets.Schema, gadgets.Copy(stale), stale, now)
		}), store.ErrUnavailable)
		is(t, "delete", s.Update(ctx, func(tx *store.Tx) error {
			return tx.Delete(ctx, gadgets.Schema, stale)
		}), store.ErrUnavailable)
		equal(t, "note", get(t, s, gadgets, 1).Note, "new")
	})
}

// TestUnopened panics: a programmer's mistake.
func TestUnopened(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := open(t, db.New(t), inventory.All()...)
		defer func() {
			if recover() == nil {
				t.Error("got no panic for a kind that was not opened")
			}
		}()
		_ = s.View(ctx, func(tx *store.Tx) error {
			_, err := tx.Get(ctx, gadgets.Schema, 1)
			return err
		})
	})
}
