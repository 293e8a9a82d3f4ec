package store_test

import (
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestGlance shows the newest of the very many gadgets that have a word, also while gadgets come, change and go,
// and finds and counts the others as a list does.
func TestGlance(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, testGlance)
}

func testGlance(t *testing.T, db mustertest.Database) {
	const all, many, old = 900, 100, 400
	s := openIndexed(t, db.New(t))
	s.GlanceMany(many)
	word := func(name, chip string) *gadget { return &gadget{Name: name, Chip: chip, State: "New"} }
	commit(t, s, func(tx *store.Tx) error {
		for i := range all {
			g := word("common", "")
			switch {
			case i < 5:
				g.Chip = "rare"
			case i < old:
				g.Chip = "former"
			}
			if err := tx.Insert(ctx, gadgets.Schema, g, now); err != nil {
				return err
			}
		}
		return nil
	})
	glance := func(query string) kind.Page {
		t.Helper()
		q, err := gadgets.ParseQuery(query+"&per_page=3&sort_by=id&sort_order=DESC", now)
		if err != nil {
			t.Fatal(err)
		}
		page, err := s.Glance(ctx, gadgets.Schema, q, nil)
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	newest := func(step string, want ...int64) {
		t.Helper()
		page := glance("q=comm")
		equal(t, step, glanced(page.Records), want)
		equal(t, step+": many", page.Many, true)
	}
	newest("at first", all, all-1, all-2)
	change := func(id int64, name string) {
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
	change(all-1, "another")
	newest("one has lost the word", all, all-2, all-3)
	commit(t, s, func(tx *store.Tx) error { return tx.Insert(ctx, gadgets.Schema, word("common", ""), now) })
	newest("one more", all+1, all, all-2)
	commit(t, s, func(tx *store.Tx) error {
		old, err := store.Get(ctx, tx, gadgets, all)
		if err != nil {
			return err
		}
		return tx.Delete(ctx, gadgets.Schema, old)
	})
	newest("one less", all+1, all-2, all-3)
	change(all-1, "a common one")
	newest("one has it again", all+1, all-1, all-2)

	page := glance("q=form")
	equal(t, "none of the newest: many", page.Many, true)
	equal(t, "none of the newest", len(page.Records), 3)
	for _, id := range glanced(page.Records) {
		if id <= 5 || id > old {
			t.Errorf("none of the newest: got %d, which does not have the word", id)
		}
	}
	for _, test := range []struct {
		query string
		want  []int64
		total int
	}{
		{"q=rar", []int64{5, 4, 3}, 5},
		{"q=common+rar", []int64{5, 4, 3}, 5},
		{"q=comm&chip=rare", []int64{5, 4, 3}, 5},
		{"q=absent", nil, 0},
	} {
		page := glance(test.query)
		equal(t, test.query, glanced(page.Records), test.want)
		equal(t, test.query+": total", page.Total, test.total)
		equal(t, test.query+": many", page.Many, false)
	}
	s.GlanceMany(all)
	if page := glance("q=comm"); page.Many || page.Total != all {
		t.Errorf("not so many: got %d, many: %v", page.Total, page.Many)
	}
}

// glanced returns the ids of gadgets.
func glanced(recs []any) (all []int64) {
	for _, rec := range recs {
		all = append(all, gadgets.Meta(rec).ID)
	}
	return all
}

// TestGlanceBeside shows tickets by the words of their comments too, while these come and change.
func TestGlanceBeside(t *testing.T) {
	t.Parallel()
	eachWhole(t, func(t *testing.T, s *store.Store) {
		const all, many = 150, 100
		is(t, "wait", s.Warm(ctx), nil)
		s.GlanceMany(many)
		anna := addUser(t, s, "anna@example.com", "Anna", "Berg").Person()
		commit(t, s, func(tx *store.Tx) error {
			for range all {
				one := &inventory.Ticket{Name: "printer", Requester: anna}
				if err := tx.Insert(ctx, inventory.Tickets.Schema, one, now); err != nil {
					return err
				}
				said := &inventory.Comment{Body: "It drank the toner", Ticket: kind.Ref{ID: one.ID}}
				if err := tx.Insert(ctx, inventory.Comments.Schema, said, now); err != nil {
					return err
				}
			}
			return nil
		})
		q, _ := inventory.Tickets.ParseQuery("q=tone&per_page=2&sort_by=id&sort_order=DESC", now)
		q.Search.Beside = []kind.Beside{{Kind: inventory.Comments.Schema, Ref: inventory.Comments.Field("ticket")}}
		shows := func(step string, want ...int64) {
			t.Helper()
			page, err := s.Glance(ctx, inventory.Tickets.Schema, q, nil)
			var got []int64
			for _, rec := range page.Records {
				got = append(got, inventory.Tickets.Meta(rec).ID)
			}
			is(t, step, err, nil)
			equal(t, step, got, want)
			equal(t, step+": many", page.Many, true)
		}
		shows("at first", all, all-1)
		is(t, "say", change(s, inventory.Comments, all, now, func(r *inventory.Comment) { r.Body = "Who drank it?" }), nil)
		shows("another comment", all-1, all-2)
		insert(t, s, inventory.Tickets, &inventory.Ticket{Name: "coffee", Requester: anna})
		shows("another ticket", all-1, all-2)
		insert(t, s, inventory.Comments, &inventory.Comment{Body: "Toner", Ticket: kind.Ref{ID: all + 1}})
		shows("a comment on it", all+1, all-1)
	})
}
