package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// A gadget is a record of a kind that only tests know: it has a field of every
// type, names that tables use for themselves, and nested fields whose names
// meet others.
type gadget struct {
	kind.Record
	Code, Name, State, Chip, Version string
	Count                            kind.Int
	Live                             kind.Bool
	SeenAt, BoughtOn                 time.Time
	Owner, Keeper                    kind.Person
	Note, Secret                     string
	Cards                            []card
	Lights                           []light
	Price                            kind.Decimal
	Maker                            kind.Ref
	RetiredOn                        time.Time
	Phase                            string        // follows from the dates
	Rooms                            []kind.Linked // of one kind
	Places                           []kind.Linked // of two kinds
	Visits                           []light       // computed
	Load                             kind.Int      // computed
	LastVisit                        string        // an address
	Trace                            string        // apart, as SeenAt is
}

type card struct {
	Name   string
	Slot   kind.Int
	Good   kind.Bool
	At, On time.Time
	Cost   kind.Decimal
}

type light struct{ Name, Colour string }

// A thing is a record that gadgets refer to.
type thing struct {
	kind.Record
	Name string
}

func (r *thing) fields(f *kind.Fields) {
	f.Record(&r.Record)
	f.Text("name", &r.Name).Filter()
	f.Stamps(&r.Record)
}

var (
	makers = kind.Define("test-maker", "test-makers", "", (*thing).fields)
	rooms  = kind.Define("test-room", "test-rooms", "", (*thing).fields)
	roads  = kind.Define("test-road", "test-roads", "", (*thing).fields)
	lanes  = kind.Define("test-lane", "test-lanes", "", (*thing).fields)
)

var gadgets = kind.Define("test-gadget", "test-gadgets", "Gadgets List", func(g *gadget, f *kind.Fields) {
	f.Record(&g.Record)
	f.Text("code", &g.Code).Unique().Filter()
	f.Text("name", &g.Name).Required().Filter()
	f.Text("state", &g.State).OneOf("New", "Used").Default("New")
	f.Text("chip-set", &g.Chip).Padded().FilterAs("chip")
	f.Text("version", &g.Version).Filter()
	f.Int("item-count", &g.Count).Filter()
	f.Bool("live", &g.Live).Filter()
	f.Time("seen-at", &g.SeenAt).Filter().Apart()
	phase := f.Text("phase", &g.Phase)
	f.Date("bought-on", &g.BoughtOn).Filter()
	f.Date("retired-on", &g.RetiredOn)
	phase.ByDay(f.Past("retired-on", "Re-tired"), f.Coming("bought-on", "retained"), kind.Always("Straße")).Filter()
	f.Decimal("price", &g.Price).Filter()
	f.Ref("maker", &g.Maker, makers.Schema).Filter()
	kind.Links(f, "rooms", "room", &g.Rooms, rooms.Schema)
	kind.Links(f, "places", "place", &g.Places, roads.Schema, lanes.Schema)
	f.Int("load", &g.Load).Computed()
	f.Address("last-visit-href", &g.LastVisit)
	f.Person("owner", &g.Owner).Filter()
	f.Stamps(&g.Record)
	f.Link("tools-href", "/tools")

	f.Detail()
	f.LongText("note", &g.Note)
	f.Person("keeper", &g.Keeper)
	kind.Many(f, "cards", "card", &g.Cards, func(c *card, f *kind.Fields) {
		f.Text("name", &c.Name).FilterAs("card")
		f.Int("slot", &c.Slot)
		f.Bool("good", &c.Good)
		f.Time("at", &c.At)
		f.Date("on", &c.On)
		f.Decimal("cost", &c.Cost)
	})
	kind.Many(f, "lights", "light", &g.Lights, func(l *light, f *kind.Fields) {
		f.Text("name", &l.Name).FilterAs("light")
		f.Text("colour", &l.Colour)
	})

	kind.Many(f, "visits", "visit", &g.Visits, func(l *light, f *kind.Fields) {
		f.Text("name", &l.Name)
		f.Text("colour", &l.Colour)
	}).Computed()

	f.Listed()
	f.Text("secret", &g.Secret).Hidden()
	f.Text("trace", &g.Trace).Hidden().Apart()
	f.Within("recent", "created-at")
	f.NotWithin("silent", "seen-at", "created-at")
})

// now is the time of changes in tests; start is what is stored of it.
var (
	start = time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	now   = start.Add(987654321).In(time.FixedZone("", 3600))
	ctx   = context.Background()
)

// allKinds are the gadgets and what they refer to.
func allKinds() []*kind.Schema { return besides(gadgets.Schema) }

// besides returns the kinds that gadgets refer to, and others. Most tests need
// no more of the product than its users: to make the tables of all its kinds
// takes seconds when the race detector looks on.
func besides(k ...*kind.Schema) []*kind.Schema {
	return append([]*kind.Schema{inventory.Users.Schema, makers.Schema, rooms.Schema, roads.Schema, lanes.Schema}, k...)
}

// wholeKinds are the kinds of the product too.
func wholeKinds() []*kind.Schema { return append(inventory.All(), allKinds()[1:]...) } // which has the users

// open opens a database until the test ends.
func open(t testing.TB, address string, kinds ...*kind.Schema) *store.Store {
	t.Helper()
	s, err := store.Open(ctx, store.Config{Database: address, Kinds: kinds})
	if err != nil {
		t.Fatalf("open %s: %v", address, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close %s: %v", address, err)
		}
	})
	return s
}

// each runs a test on a new store of every database.
func each(t *testing.T, test func(t *testing.T, s *store.Store)) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) { test(t, open(t, db.New(t), allKinds()...)) })
}

// eachWhole is each with the kinds of the product too.
func eachWhole(t *testing.T, test func(t *testing.T, s *store.Store)) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) { test(t, open(t, db.New(t), wholeKinds()...)) })
}

// update changes the database.
func update(t testing.TB, s *store.Store, f func(tx *store.Tx) error) {
	t.Helper()
	if err := s.Update(ctx, f); err != nil {
		t.Fatalf("update: %v", err)
	}
}

// view reads the database.
func view(t testing.TB, s *store.Store, f func(tx *store.Tx) error) {
	t.Helper()
	if err := s.View(ctx, f); err != nil {
		t.Fatalf("view: %v", err)
	}
}

// insert stores new records of a kind.
func insert[T any](t testing.TB, s *store.Store, k kind.Kind[T], recs ...*T) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		for _, rec := range recs {
			if err := tx.Insert(ctx, k.Schema, rec, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// get reads one record, which must exist.
func get[T any](t testing.TB, s *store.Store, k kind.Kind[T], id int64) (rec *T) {
	t.Helper()
	view(t, s, func(tx *store.Tx) (err error) {
		rec, err = store.Get(ctx, tx, k, id)
		return err
	})
	return rec
}

// change changes one record.
func change[T any](s *store.Store, k kind.Kind[T], id int64, at time.Time, f func(*T)) error {
	return s.Update(ctx, func(tx *store.Tx) error {
		old, err := store.Get(ctx, tx, k, id)
		if err != nil {
			return err
		}
		rec := k.Copy(old).(*T)
		f(rec)
		return tx.Update(ctx, k.Schema, rec, old, at)
	})
}

// remove deletes one record.
func remove[T any](t testing.TB, s *store.Store, k kind.Kind[T], id int64) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		rec, err := tx.Get(ctx, k.Schema, id)
		if err != nil {
			return err
		}
		return tx.Delete(ctx, k.Schema, rec)
	})
}

// addUser stores a user, whose name follows from the address.
func addUser(t testing.TB, s *store.Store, email, first, last string) *inventory.User {
	t.Helper()
	u := inventory.Users.New()
	u.Email, u.FirstName, u.LastName = email, first, last
	inventory.Users.Settle(u, nil)
	insert(t, s, inventory.Users, u)
	return u
}

// equal fails the test unless got is want; no items are as good as none.
func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// is fails the test unless err wraps want.
func is(t testing.TB, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got error %v, want %v", what, err, want)
	}
}

// at returns a time from its timestamp or date.
func at(stamp string) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, stamp); err == nil {
			return t
		}
	}
	panic("no time: " + stamp)
}

// fullGadget returns a gadget with every value set.
func fullGadget(owner, keeper kind.Person) *gadget {
	return &gadget{
		Code: "G-1", Name: "Press $1 ? 'or' -- <Co>", State: "Used", Chip: "  M1 ", Version: "1.0",
		Count: kind.Some[int64](1<<63 - 1), Live: kind.Some(true), SeenAt: at("0001-01-02"), BoughtOn: at("9999-12-31"),
		Owner: owner, Keeper: keeper, Note: "one\r\ntwo\t😀", Secret: "hush", Trace: "Straße\n\t1",
		Cards: []card{
			{"disk", kind.Some[int64](0), kind.Some(false), at("2026-01-01T00:00:01Z"), at("2026-01-01"), kind.Decimal{
				V: 1, Valid: true,
			}},
			{Name: "fan"},
			{Name: "FAN"},
			{Slot: kind.Some[int64](1)},
		},
		Lights: []light{{"fan", "red"}},
		Price:  kind.Decimal{V: 1<<63 - 1, Valid: true}, RetiredOn: at("2026-01-31"),
	}
}

// add stores a thing.
func add(t testing.TB, s *store.Store, k kind.Kind[thing], name string) *thing {
	t.Helper()
	rec := &thing{Name: name}
	insert(t, s, k, rec)
	return rec
}

// ref returns the reference to a thing.
func ref(to *thing) kind.Ref { return kind.Ref{ID: to.ID, Name: to.Name} }

// link returns a thing as it is linked.
func link(k kind.Kind[thing], to *thing) kind.Linked {
	return kind.Linked{Item: k.Item, ID: kind.Some(to.ID), Name: to.Name}
}
