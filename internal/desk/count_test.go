package desk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"muster/internal/desk/seal"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// newDesk returns a desk on a new database.
func newDesk(t *testing.T) *Desk {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{Database: filepath.Join(t.TempDir(), "muster.db"), Kinds: inventory.All()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d, err := Open(ctx, Config{
		Store: s, Key: make([]byte, seal.KeySize), Realm: "Muster", Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// TestCounts: records are counted by the values of a field as far as the caller
// may see them.
func TestCounts(t *testing.T) {
	t.Parallel()
	ctx, d := context.Background(), newDesk(t)
	users := []*inventory.User{inventory.Users.New(), inventory.Users.New()}
	err := d.store.Update(ctx, func(tx *store.Tx) error {
		for i, u := range users {
			u.Email, u.Role = fmt.Sprintf("%d@x", i), inventory.Requester
			inventory.Users.Settle(u, nil)
			if err := tx.Insert(ctx, inventory.Users.Schema, u, time.Now()); err != nil {
				return err
			}
		}
		for i, state := range []string{"New", "New", "Closed", "On Hold"} {
			ticket := inventory.Tickets.New()
			ticket.Name, ticket.State, ticket.Requester = "t", state, users[i%2].Person()
			if err := tx.Insert(ctx, inventory.Tickets.Schema, ticket, time.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	of := func(value string, n int) kind.Count { return kind.Count{Value: value, Label: value, Records: n} }
	admin := inventory.Users.New()
	admin.Role = inventory.Administrator
	for _, c := range []struct {
		user         *inventory.User
		query, field string
		want         []kind.Count
	}{
		{admin, "", "state", []kind.Count{of("New", 2), of("Closed", 1), of("On Hold", 1)}},
		{admin, "per_page=1", "state", []kind.Count{of("New", 2)}},
		{admin, "state=new", "requester", []kind.Count{of("0@x", 1), of("1@x", 1)}},
		{users[1], "", "state", []kind.Count{of("New", 1), of("On Hold", 1)}},
	} {
		q, err := inventory.Tickets.ParseQuery(c.query, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Counts(ctx, Caller{User: c.user}, inventory.Tickets.Schema, q, inventory.Tickets.Field(c.field))
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s of %q for a %s: got %v, error %v, want %v", c.field, c.query, c.user.Role, got, err, c.want)
		}
	}
	q := &kind.Query{Page: 1, PerPage: 10}
	_, err = d.Counts(ctx, Caller{User: users[0]}, inventory.Vendors.Schema, q, inventory.Vendors.Field("vendor-type"))
	if refusal, ok := errors.AsType[*Error](err); !ok || refusal.Code != Forbidden {
		t.Errorf("vendors for a requester: got %v, want a refusal", err)
	}
	_, err = d.Counts(ctx, Caller{User: admin}, inventory.Tickets.Schema, q, inventory.Tickets.Field("description"))
	if _, ok := errors.AsType[*kind.BadQuery](err); !ok {
		t.Errorf("by descriptions: got %v, want a refusal", err)
	}
}
