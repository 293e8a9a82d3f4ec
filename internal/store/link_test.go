package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestLinks stores, reads, changes and removes what a record refers to.
func TestLinks(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		acme, hall, attic := add(t, s, makers, "Acme"), add(t, s, rooms, "Hall"), add(t, s, rooms, "Attic")
		road, lane := add(t, s, roads, "Road"), add(t, s, lanes, "Lane")
		g := &gadget{
			Name: "g", Maker: ref(acme), Rooms: []kind.Linked{link(rooms, hall), link(rooms, attic)},
			Places: []kind.Linked{link(roads, road), link(lanes, lane)},
		}
		insert(t, s, gadgets, g, &gadget{Name: "bare"})
		want := gadgets.Copy(g)
		equal(t, "read", any(get(t, s, gadgets, g.ID)), want)
		page := list(t, s, gadgets.Schema, "")
		equal(t, "list", page.Records[0], want)
		equal(t, "list: bare", page.Records[1].(*gadget).Rooms, []kind.Linked(nil))

		err := change(s, gadgets, g.ID, now, func(g *gadget) {
			g.Maker, g.Rooms, g.Places = kind.Ref{}, []kind.Linked{link(rooms, attic)}, []kind.Linked{link(lanes, lane)}
		})
		equal(t, "update", err, error(nil))
		now := get(t, s, gadgets, g.ID)
		equal(t, "changed", []any{now.Maker, now.Rooms, now.Places},
			[]any{kind.Ref{}, []kind.Linked{link(rooms, attic)}, []kind.Linked{link(lanes, lane)}})

		remove(t, s, gadgets, g.ID)
		for _, table := range []string{
			"test_gadgets_test_rooms", "test_gadgets_test_roads", "test_gadgets_test_lanes",
		} {
			equal(t, "links left in "+table, count(t, s, table), int64(0))
		}
	})
}

// count returns how many rows a table has.
func count(t testing.TB, s *store.Store, table string) (n int64) {
	t.Helper()
	view(t, s, func(tx *store.Tx) (err error) {
		n, err = tx.Int(ctx, "SELECT count(*) FROM "+table)
		return err
	})
	return n
}

// TestRenamed shows a record that is referred to by the name that it has now,
// and finds and sorts by it.
func TestRenamed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		a, b, hall := add(t, s, makers, "Äther"), add(t, s, makers, "Brand"), add(t, s, rooms, "Hall")
		insert(t, s, gadgets, &gadget{Name: "of b", Maker: ref(b)},
			&gadget{Name: "of a", Maker: ref(a), Rooms: []kind.Linked{link(rooms, hall)}}, &gadget{Name: "none"})
		equal(t, "by the old name", names(list(t, s, gadgets.Schema, "maker=äTHER")), "of a")
		equal(t, "sorted", names(list(t, s, gadgets.Schema, "sort_by=maker")), "of b of a none")
		for _, err := range []error{
			change(s, makers, a.ID, now, func(r *thing) { r.Name = "Acme" }),
			change(s, rooms, hall.ID, now, func(r *thing) { r.Name = "Lobby" }),
		} {
			equal(t, "rename", err, error(nil))
		}
		g := get(t, s, gadgets, 2)
		equal(t, "read", []any{g.Maker.Name, g.Rooms[0].Name, g.Record.Version}, []any{"Acme", "Lobby", int64(1)})
		page := list(t, s, gadgets.Schema, "maker=acm*")
		equal(t, "by the new name", names(page), "of a")
		equal(t, "list", []string{page.Records[0].(*gadget).Maker.Name, page.Records[0].(*gadget).Rooms[0].Name},
			[]string{"Acme", "Lobby"})
		for query, want := range map[string]string{
			"maker=äther": "", "maker=": "none", "maker=acme&maker=": "of a none", "sort_by=maker": "of a of b none",
			"sort_by=maker&sort_order=DESC": "of b of a none",
		} {
			equal(t, query, names(list(t, s, gadgets.Schema, query)), want)
		}
	})
}

// TestLinksMustExist holds without the rules above the store.
func TestLinksMustExist(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		hall := add(t, s, rooms, "Hall")
		for what, g := range map[string]*gadget{
			"maker": {Name: "g", Maker: kind.Ref{ID: 99}},
			"room":  {Name: "g", Rooms: []kind.Linked{link(rooms, &thing{Record: kind.Record{ID: 99}})}},
			"twice": {Name: "g", Rooms: []kind.Linked{link(rooms, hall), link(rooms, hall)}},
		} {
			if err := s.Update(ctx,
				func(tx *store.Tx) error { return tx.Insert(ctx, gadgets.Schema, g, now) }); err == nil {
				t.Errorf("%s: got no error", what)
			}
		}
		acme := add(t, s, makers, "Acme")
		insert(t, s, gadgets, &gadget{Name: "g", Maker: ref(acme), Rooms: []kind.Linked{link(rooms, hall)}})
		for what, err := range map[string]error{
			"maker": s.Update(ctx, func(tx *store.Tx) error { return tx.Delete(ctx, makers.Schema, acme) }),
			"room":  s.Update(ctx, func(tx *store.Tx) error { return tx.Delete(ctx, rooms.Schema, hall) }),
		} {
			if err == nil {
				t.Errorf("%s that is referred to: got no error for its removal", what)
			}
		}
		equal(t, "gadgets", len(ids(t, s)), 1)
	})
}

// TestManyLinks reads the links of a page, however many there are.
func TestManyLinks(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		all := make([]*thing, 1100)
		for i := range all {
			all[i] = &thing{Name: fmt.Sprint("r", i)}
		}
		insert(t, s, rooms, all...)
		recs := make([]*gadget, 60)
		for i := range recs {
			recs[i] = &gadget{Name: fmt.Sprint("g", i)}
			for _, r := range all[i : i+i%3] {
				recs[i].Rooms = append(recs[i].Rooms, link(rooms, r))
			}
		}
		for _, r := range all {
			recs[59].Rooms = append(recs[59].Rooms[:len(recs[59].Rooms):len(recs[59].Rooms)], link(rooms, r))
		}
		recs[59].Rooms = recs[59].Rooms[2:] // those that it had first
		insert(t, s, gadgets, recs...)
		page := list(t, s, gadgets.Schema, "per_page=60&sort_order=DESC")
		for i, rec := range page.Records {
			equal(t, fmt.Sprint("gadget ", 59-i), rec.(*gadget).Rooms, recs[59-i].Rooms)
		}
	})
}

// byLink asks for gadgets that are tied to a thing.
func byLink(field string, target *kind.Schema, id int64) kind.Cond {
	return kind.Cond{Field: gadgets.Field(field), Target: target, Any: []kind.Test{{Range: true, Min: id, Max: id}}}
}

// TestConditions asks what programs ask and documents do not: by linked ids, by
// ids, by one condition or another, and by tables of pairs.
func TestConditions(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		hall, road, lane := add(t, s, rooms, "Hall"), add(t, s, roads, "Road"), add(t, s, lanes, "Lane")
		acme := add(t, s, makers, "Acme")
		insert(t, s, gadgets,
			&gadget{Name: "none"},
			&gadget{Name: "hall", Rooms: []kind.Linked{link(rooms, hall)}, Live: kind.Some(true)},
			&gadget{Name: "road", Places: []kind.Linked{link(roads, road)}, Live: kind.Some(true)},
			&gadget{Name: "lane", Places: []kind.Linked{link(lanes, lane)}, Maker: ref(acme)},
			&gadget{Name: "both", Places: []kind.Linked{link(roads, road), link(lanes, lane)}},
		)
		live := kind.Cond{Field: gadgets.Field("live"), Any: []kind.Test{{Range: true, Min: 1, Max: 1}}}
		byID := kind.Cond{
			Field: gadgets.Field("id"), Any: []kind.Test{{Range: true, Min: 1, Max: 1}, {Range: true, Min: 4, Max: 4}},
		}
		byMaker := kind.Cond{Field: gadgets.Field("maker"), Any: []kind.Test{{Range: true, Min: acme.ID, Max: acme.ID}}}
		name := kind.Cond{Field: gadgets.Field("name"), Any: []kind.Test{{Text: []string{"", "a", ""}}}}
		tie := kind.Tie{Table: "test_gadgets_test_roads", Own: "id", Other: "linked_id", ID: road.ID}
		for _, c := range []struct {
			name  string
			query kind.Query
			want  string
		}{
			{"of one kind", kind.Query{Conds: []kind.Cond{byLink("rooms", nil, hall.ID)}}, "hall"},
			{"of another id", kind.Query{Conds: []kind.Cond{byLink("rooms", nil, 99)}}, ""},
			{"of the first of two kinds", kind.Query{Conds: []kind.Cond{byLink("places", roads.Schema, road.ID)}},
				"road both"},
			{"of the second of two kinds", kind.Query{Conds: []kind.Cond{byLink("places", lanes.Schema, lane.ID)}},
				"lane both"},
			{"of any kind", kind.Query{Conds: []kind.Cond{byLink("places", nil, 1)}}, "road lane both"},
			{"ids", kind.Query{Conds: []kind.Cond{byID}}, "none lane"},
			{"maker", kind.Query{Conds: []kind.Cond{byMaker}}, "lane"},
			{"either", kind.Query{Either: []kind.Cond{live, byMaker}}, "hall road lane"},
			{"either of one", kind.Query{Either: []kind.Cond{live}}, "hall road"},
			{"either and another", kind.Query{Conds: []kind.Cond{name}, Either: []kind.Cond{live, byMaker, byID}},
				"hall road lane"},
			{"tie", kind.Query{Ties: []kind.Tie{tie}}, "road both"},
			{"tie by name", kind.Query{Ties: []kind.Tie{tie}, Sort: gadgets.Field("name")}, "both road"},
			{"tie backwards", kind.Query{Ties: []kind.Tie{tie}, Sort: gadgets.Field("id"), Desc: true}, "both road"},
			{"ties", kind.Query{
				Ties: []kind.Tie{tie, {Table: "test_gadgets_test_lanes", Own: "id", Other: "linked_id", ID: lane.ID}},
			}, "both"},
			{"tie and either", kind.Query{Either: []kind.Cond{live, byMaker}, Ties: []kind.Tie{tie}}, "road"},
		} {
			c.query.Page, c.query.PerPage = 1, 9
			var page kind.Page
			view(t, s, func(tx *store.Tx) (err error) {
				page, err = tx.List(ctx, gadgets.Schema, &c.query)
				return err
			})
			equal(t, c.name, names(page), c.want)
			equal(t, c.name+": total", page.Total, len(strings.Fields(c.want)))
		}
		view(t, s, func(tx *store.Tx) error {
			page, err := tx.List(ctx, gadgets.Schema,
				&kind.Query{Ties: []kind.Tie{tie}, ByID: true, After: 3, PerPage: 9})
			equal(t, "tie behind an id", names(page), "both")
			equal(t, "tie behind an id: total", page.Total, 2)
			return err
		})
	})
}

// TestPhases finds and sorts by what follows from days, on the query's day.
func TestPhases(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		insert(t, s, gadgets,
			&gadget{Name: "undated"},
			&gadget{Name: "begins", BoughtOn: at("2026-01-31")},
			&gadget{Name: "later", BoughtOn: at("2026-02-01")},
			&gadget{Name: "ends", RetiredOn: at("2026-01-31")},
			&gadget{Name: "over", RetiredOn: at("2026-01-30"), BoughtOn: at("2026-02-01")},
		)
		for query, want := range map[string]string{
			"phase=STRASSE":                 "undated begins ends",
			"phase=re-tired":                "over",
			"phase=RET*":                    "later",
			"phase=*ta*":                    "later",
			"phase=re*":                     "later over",
			"phase=retained&phase=re-*":     "later over",
			"phase=":                        "",
			"phase=*":                       "undated begins later ends over",
			"sort_by=phase":                 "over later undated begins ends",
			"sort_by=phase&sort_order=DESC": "undated begins ends later over",
			"sort_by=phase&phase=r*&page=2&per_page=1": "later",
		} {
			page := list(t, s, gadgets.Schema, query)
			equal(t, query, names(page), want)
		}
		q, err := gadgets.ParseQuery("phase=retained", at("2026-01-30T23:59:59Z"))
		if err != nil {
			t.Fatal(err)
		}
		view(t, s, func(tx *store.Tx) error {
			page, err := tx.List(ctx, gadgets.Schema, q)
			equal(t, "the day before", names(page), "begins later over")
			return err
		})
	})
}

// TestReferrers checks who refers to a record, and who is linked to it.
func TestReferrers(t *testing.T) {
	t.Parallel()
	eachWhole(t, func(t *testing.T, s *store.Store) {
		u := addUser(t, s, "anna@example.com", "Anna", "Berg")
		acme, other, hall := add(t, s, makers, "Acme"), add(t, s, makers, "Other"), add(t, s, rooms, "Hall")
		insert(t, s, gadgets,
			&gadget{Name: "a", Maker: ref(acme), Owner: u.Person(), Keeper: u.Person(), Rooms: []kind.Linked{
				link(rooms, hall),
			}},
			&gadget{Name: "b", Maker: ref(acme), Owner: u.Person()},
			&gadget{Name: "c", Maker: ref(acme), Rooms: []kind.Linked{link(rooms, hall)}},
		)
		insert(t, s, inventory.Computers, &inventory.Computer{Name: "pc", Owner: u.Person()})
		referrers := func(k *kind.Schema, id int64) (all []string) {
			view(t, s, func(tx *store.Tx) error {
				refs, err := tx.Referrers(ctx, k, id)
				if err != nil {
					return err
				}
				linkers, err := tx.Linkers(ctx, k, id)
				for _, r := range append(refs, linkers...) {
					all = append(all, fmt.Sprint(r.Count, " ", r.Kind.Plural, " by ", r.Field.Name))
					first, err := tx.FirstTied(ctx, r.Kind, r.Tie, 2)
					if err != nil {
						return err
					}
					for _, rec := range first {
						all = append(all, r.Kind.Values(rec).Format(r.Kind.Field("name")))
					}
				}
				return err
			})
			return all
		}
		equal(t, "of a maker", referrers(makers.Schema, acme.ID), []string{"3 test-gadgets by maker", "a", "b"})
		equal(t, "of another maker", referrers(makers.Schema, other.ID), []string(nil))
		equal(t, "of a user", referrers(inventory.Users.Schema, u.ID), []string{
			"1 hardwares by owner", "pc", "2 test-gadgets by owner", "a", "b", "1 test-gadgets by keeper", "a",
		})
		equal(t, "of a room", referrers(rooms.Schema, hall.ID), []string{"2 test-gadgets by rooms", "a", "c"})
	})
}

// TestRelink puts one record in the place of another, or none.
func TestRelink(t *testing.T) {
	t.Parallel()
	eachWhole(t, func(t *testing.T, s *store.Store) {
		hall, attic := add(t, s, rooms, "Hall"), add(t, s, rooms, "Attic")
		insert(t, s, gadgets,
			&gadget{Name: "a", Rooms: []kind.Linked{link(rooms, hall)}}, &gadget{Name: "b"},
			&gadget{Name: "c", Rooms: []kind.Linked{link(rooms, hall), link(rooms, attic)}},
		)
		relink := func(from, to int64) (all []string) {
			update(t, s, func(tx *store.Tx) error {
				old, err := tx.Relink(ctx, rooms.Schema, from, to, time.Unix(1_900_000_000, 0))
				for _, l := range old {
					g := l.Old.(*gadget)
					all = append(all, fmt.Sprint(l.Kind.Plural, " ", l.Field.Name, " ", g.Name, " ", len(g.Rooms)))
				}
				return err
			})
			return all
		}
		state := func() (all []string) {
			view(t, s, func(tx *store.Tx) error {
				for id := range int64(3) {
					g, err := store.Get(ctx, tx, gadgets, id+1)
					if err != nil {
						return err
					}
					text := fmt.Sprint(g.Name, " ", g.Record.Version, " ", g.UpdatedAt.Unix() == 1_900_000_000)
					for _, l := range g.Rooms {
						text += " " + l.Name
					}
					all = append(all, text)
				}
				return nil
			})
			return all
		}
		equal(t, "the one for the other", relink(hall.ID, attic.ID),
			[]string{"test-gadgets rooms a 1", "test-gadgets rooms c 2"})
		equal(t, "then", state(), []string{"a 2 true Attic", "b 1 false", "c 2 true Attic"})
		equal(t, "once more", relink(hall.ID, attic.ID), []string(nil))
		equal(t, "none for the other", relink(attic.ID, 0),
			[]string{"test-gadgets rooms a 1", "test-gadgets rooms c 1"})
		equal(t, "at last", state(), []string{"a 3 true", "b 1 false", "c 3 true"})
	})
}

// TestTwoLinksToOneKind panics: both would be in one table.
func TestTwoLinksToOneKind(t *testing.T) {
	t.Parallel()
	type twice struct {
		kind.Record
		A, B []kind.Linked
	}
	k := kind.Define("twice", "twices", "", func(r *twice, f *kind.Fields) {
		f.Record(&r.Record)
		kind.Links(f, "a", "b", &r.A, rooms.Schema)
		kind.Links(f, "c", "d", &r.B, rooms.Schema)
		f.Stamps(&r.Record)
	})
	defer func() {
		if got, want := recover(), "store: twice: two fields link to test-rooms"; got != want {
			t.Errorf("got panic %v, want %s", got, want)
		}
	}()
	_, _ = store.Open(ctx, store.Config{Database: mustertest.SQLite.New(t), Kinds: besides(k.Schema)})
}
