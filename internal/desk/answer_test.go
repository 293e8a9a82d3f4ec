package desk_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// form is what a form says of a record.
func form(k *kind.Schema, values url.Values) desk.Document {
	return func() (*kind.Patch, error) { return k.ReadForm(values), nil }
}

// TestAnswer says something and changes the ticket with it, or does neither:
// what is wrong with one of both keeps the other from being stored.
func TestAnswer(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o, k := context.Background(), openOffice(t, db), inventory.Tickets.Schema
		tech, ask := o.User(t, "tech@example.com", inventory.Technician),
			o.User(t, "ask@example.com", inventory.Requester)
		ticket := inventory.Tickets.New()
		ticket.Name, ticket.Requester = "Beamer", ask.User.Person()
		if err := o.Add(ctx, program, k, []any{ticket}); err != nil {
			t.Fatal(err)
		}
		version := func(v int64) func(int64) bool { return func(now int64) bool { return now == v } }
		for _, test := range []struct {
			name        string
			who         desk.Caller
			body, state string
			version     int64
			want        string // part of the refusal, "" for none
			now         string // the state afterwards
			said        int
		}{
			{"both", tech, "On its way", inventory.TicketAwaiting, 1, "", inventory.TicketAwaiting, 1},
			{"an old version", tech, "Closed", inventory.TicketClosed, 1, "not in the version",
				inventory.TicketAwaiting, 1},
			{"no words", tech, "", inventory.TicketClosed, 3, "Body can't be blank", inventory.TicketAwaiting, 1},
			{"a wrong state", tech, "Gone", "Forgotten", 3, "State", inventory.TicketAwaiting, 1},
			{"a state that is not theirs", ask, "Wait", inventory.TicketOnHold, 3, "may not set state",
				inventory.TicketAwaiting, 1},
			// since they were awaited
			{"words alone, of any version", ask, "Thanks", "", 1, "", inventory.TicketNew, 2},
			{"the requester's both", ask, "It works", inventory.TicketClosed, 4, "", inventory.TicketClosed, 3},
		} {
			a := desk.Answer{Ticket: ticket.ID, If: version(test.version), Comment: form(inventory.Comments.Schema,
				url.Values{"body": {test.body}})}
			if test.state != "" {
				a.Change = form(k, url.Values{"state": {test.state}})
			}
			err := o.Answer(ctx, test.who, a)
			if test.want == "" && err != nil || test.want != "" &&
				(err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%s: got the error %v, want %q in it", test.name, err, test.want)
			}
			rec, err := o.Get(ctx, tech, k, ticket.ID)
			if err != nil {
				t.Fatal(err)
			}
			if now := rec.(*inventory.Ticket); now.State != test.now || len(now.Comments) != test.said {
				t.Errorf("%s: got the state %s and %d comments, want %s and %d", test.name, now.State,
					len(now.Comments), test.now, test.said)
			}
		}
		once := &desk.Once{Path: "/x", Key: "k", Body: []byte("b")}
		for range 2 { // the second is the same, although the ticket is another by then
			err := o.Answer(ctx, tech, desk.Answer{Ticket: ticket.ID, If: version(6), Once: once,
				Comment: form(inventory.Comments.Schema, url.Values{"body": {"Once"}}),
				Change:  form(k, url.Values{"state": {inventory.TicketNew}})})
			if err != nil {
				t.Errorf("an answer that is repeated: got %v", err)
			}
		}
		if rec, err := o.Get(ctx, tech, k, ticket.ID); err != nil || len(rec.(*inventory.Ticket).Comments) != 4 {
			t.Errorf("after an answer that is repeated: got %+v (%v), want 4 comments", rec, err)
		}
		other := o.User(t, "other@example.com", inventory.Requester)
		err := o.Answer(ctx, other,
			desk.Answer{Ticket: ticket.ID, Comment: form(inventory.Comments.Schema, url.Values{"body": {"Mine"}})})
		if refused, ok := errors.AsType[*desk.Error](err); !ok || refused.Code != desk.NotFound {
			t.Errorf("a ticket of somebody else: got %v, want that there is none", err)
		}
	})
}
