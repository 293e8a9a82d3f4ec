package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// TestMeta keeps values of the whole database, by exact name.
func TestMeta(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		for _, value := range []string{"\x00\xff one", "two", ""} {
			update(t, s, func(tx *store.Tx) error { return tx.SetMeta(ctx, "Key", []byte(value)) })
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Meta(ctx, "Key")
				equal(t, "value", string(got), value)
				return err
			})
		}
		err := s.View(ctx, func(tx *store.Tx) error {
			_, err := tx.Meta(ctx, "key")
			return err
		})
		is(t, "value of another name", err, store.ErrNotFound)
	})
}

// TestCounters rise without gaps: a change that fails gives its number back.
func TestCounters(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		count := func(outcome error) (n int64) {
			err := s.Update(ctx, func(tx *store.Tx) (err error) {
				n, err = tx.Count(ctx, "tickets")
				return errors.Join(err, outcome)
			})
			is(t, "count", err, outcome)
			return n
		}
		got := []int64{count(nil), count(nil), count(errors.New("failed")), count(nil)}
		equal(t, "numbers", got, []int64{1, 2, 3, 3})
		view(t, s, func(tx *store.Tx) error {
			tickets, err := tx.Counter(ctx, "tickets")
			other, otherErr := tx.Counter(ctx, "other")
			equal(t, "counters", []int64{tickets, other}, []int64{3, 0})
			return errors.Join(err, otherErr)
		})
	})
}

// TestCredentials are replaced whole.
func TestCredentials(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		for _, c := range []store.Credentials{
			{UserID: 2, Digest: []byte{0, 255}, SignIn: "hash"},
			{UserID: 1, Digest: []byte("old"), SignIn: "old"},
			{UserID: 1},
		} {
			update(t, s, func(tx *store.Tx) error { return tx.SetCredentials(ctx, c) })
		}
		var got []store.Credentials
		view(t, s, func(tx *store.Tx) error {
			return tx.Credentials(ctx, func(c store.Credentials) error {
				got = append(got, c)
				return nil
			})
		})
		slices.SortFunc(got, func(a, b store.Credentials) int { return int(a.UserID - b.UserID) })
		equal(t, "credentials", got,
			[]store.Credentials{{UserID: 1}, {UserID: 2, Digest: []byte{0, 255}, SignIn: "hash"}})

		stop := errors.New("stop")
		calls := 0
		err := s.View(ctx, func(tx *store.Tx) error {
			return tx.Credentials(ctx, func(store.Credentials) error {
				calls++
				return stop
			})
		})
		is(t, "credentials", err, stop)
		equal(t, "calls until an error", calls, 1)
	})
}

// TestNestedQuery is an error on both databases: PostgreSQL cannot run a query
// while the rows of another are being read.
func TestNestedQuery(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx *store.Tx) error { return tx.SetCredentials(ctx, store.Credentials{UserID: 1}) })
		err := s.View(ctx, func(tx *store.Tx) error {
			return tx.Credentials(ctx, func(store.Credentials) error {
				_, err := tx.IDs(ctx, gadgets.Schema)
				return err
			})
		})
		if err == nil {
			t.Error("got no error for a query within the rows of another")
		}
		equal(t, "ids after it", ids(t, s), []int64{})
	})
}

// TestPeople finds users by id, else by address, else by name.
func TestPeople(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		addUser(t, s, "anna@example.com", "Anna", "Groß")
		addUser(t, s, "bert@example.com", "ANNA", "GROSS")
		for _, c := range []struct {
			person kind.Person
			want   []int64
		}{
			{kind.Person{ID: 2, Email: "anna@example.com"}, []int64{2}},
			{kind.Person{ID: 3, Email: "anna@example.com"}, nil},
			{kind.Person{Email: "ANNA@example.com", Name: "x"}, []int64{1}},
			{kind.Person{Email: "anna"}, nil},
			{kind.Person{Name: "anna gross"}, []int64{1, 2}},
			{kind.Person{Name: "anna*"}, nil},
			{kind.Person{Name: "%"}, nil},
			{kind.Person{}, nil},
		} {
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.People(ctx, &c.person)
				equal(t, "people for "+c.person.Email+" "+c.person.Name, got, c.want)
				return err
			})
		}
	})
}

// TestSetTime changes one time and nothing else.
func TestSetTime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		u := addUser(t, s, "anna@example.com", "Anna", "Berg")
		login := inventory.Users.Field("last-login")
		for _, c := range []struct{ set, want time.Time }{{now, start}, {time.Time{}, time.Time{}}} {
			update(t, s, func(tx *store.Tx) error {
				return tx.SetTime(ctx, inventory.Users.Schema, u.ID, login, c.set)
			})
			u.LastLogin = c.want
			equal(t, "user", get(t, s, inventory.Users, u.ID), u)
		}
		view(t, s, func(tx *store.Tx) error {
			n, err := tx.Int(ctx, "SELECT count(*) FROM users WHERE last_login IS NULL")
			equal(t, "users without a last login", n, int64(1))
			return err
		})
	})
}
