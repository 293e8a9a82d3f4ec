package store_test

import (
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// TestListSessions lists the sessions that let somebody in, of all users or of one.
func TestListSessions(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		begun := now.UTC().Truncate(time.Second)
		anna, bob := addUser(t, s, "anna@x", "Anna", ""), addUser(t, s, "bob@x", "Bob", "")
		first, second, idle, expired, due, other := aSession(anna.ID, "1", begun), aSession(anna.ID, "2", begun),
			aSession(anna.ID, "3", begun),
			aSession(anna.ID, "4", begun), aSession(anna.ID, "5", begun), aSession(bob.ID, "6", begun)
		second.LastUsed, second.Stay = begun.Add(time.Minute), false
		idle.Stay, expired.Expires, due.Due = false, begun.Add(time.Minute), true
		addSessions(t, s, first, second, idle, expired, due, other, aSession(99, "of nobody", begun))
		k := inventory.Sessions
		of := func(name string) []kind.Cond {
			return []kind.Cond{{Field: k.Field("user"), Any: []kind.Test{{Text: kind.Pieces(name)}}}}
		}
		for _, c := range []struct {
			name  string
			query kind.Query
			want  []int64
			total int
		}{
			{"all", kind.Query{}, []int64{1, 2, 6}, 3},
			{"the last used first", kind.Query{Sort: k.Field("last-used"), Desc: true}, []int64{2, 1, 6}, 3},
			{"of one", kind.Query{Conds: of("ANNA@X")}, []int64{1, 2}, 2},
			{"by a part of the name", kind.Query{Conds: of("*o*b*")}, []int64{6}, 1},
			{"a page", kind.Query{Page: 2, PerPage: 2}, []int64{6}, 3},
			{"after an id", kind.Query{ByID: true, After: 1, Page: 1, PerPage: 1}, []int64{2}, 3},
		} {
			view(t, s, func(tx *store.Tx) error {
				found, total, err := tx.ListSessions(ctx, &c.query,
					store.Alive{Now: begun.Add(2 * time.Minute), Idle: begun})
				var got []int64
				for _, one := range found {
					got = append(got, one.ID)
				}
				equal(t, c.name, got, c.want)
				equal(t, c.name+": total", total, c.total)
				return err
			})
		}
	})
}
