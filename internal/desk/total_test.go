package desk_test

import (
	"testing"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// TestTotal counts what a list would have, for whom it would.
func TestTotal(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, k := openOffice(t, db), inventory.Tickets.Schema
		tech, asks := o.User(t, "tech@example.com", inventory.Technician),
			o.User(t, "asks@example.com", inventory.Requester)
		for i, state := range []string{"New", "New", "Closed", "On Hold"} {
			ticket := inventory.Tickets.New()
			ticket.Name, ticket.State, ticket.Requester = "printer", state, []desk.Caller{tech, asks}[i%2].User.Person()
			if err := o.Add(ctx, program, k, []any{ticket}); err != nil {
				t.Fatal(err)
			}
		}
		for _, test := range []struct {
			who   desk.Caller
			query string
			want  int
		}{
			{tech, "", 4}, {tech, "state=new", 2}, {tech, "state=new&page=9&per_page=1&sort_by=name", 2},
			{tech, "q=printer", 4},
			{tech, "q=printer&state=closed", 1}, {tech, "after=3", 4}, {tech, "name=nothing", 0}, {asks, "", 2},
			{asks, "state=new", 1},
		} {
			q, err := k.ParseQuery(test.query, o.Clock.Now())
			if err != nil {
				t.Fatal(err)
			}
			if got, err := o.Total(ctx, test.who, k, q); err != nil || got != test.want {
				t.Errorf("%q of a %s: got %d, error %v, want %d", test.query, test.who.User.Role, got, err, test.want)
			}
		}
		q, err := inventory.Vendors.ParseQuery("", o.Clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Total(ctx, asks, inventory.Vendors.Schema, q); err == nil {
			t.Error("vendors of a requester: got a total, want a refusal")
		}
	})
}
