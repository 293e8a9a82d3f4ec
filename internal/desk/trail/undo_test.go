package trail_test

import (
	"context"
	"errors"
	"net/url"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/trail"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// edit changes a record as a form does.
func (o *office) edit(t *testing.T, who desk.Caller, k *kind.Schema, id int64, form url.Values) {
	t.Helper()
	_, err := o.Update(context.Background(), who, desk.Target{Kind: k, ID: id},
		func() (*kind.Patch, error) { return k.ReadForm(form), nil })
	if err != nil {
		t.Fatal(err)
	}
}

// TestUndo takes a change of several fields back, those included that followed
// from it.
func TestUndo(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o, k := context.Background(), openOffice(t, db), inventory.Tickets.Schema
		tech := o.User(t, "tech@example.com", inventory.Technician)
		ticket := inventory.Tickets.New()
		ticket.Name, ticket.Requester, ticket.Priority = "Beamer", tech.User.Person(), "Low"
		if err := o.Add(ctx, program, k, []any{ticket}); err != nil {
			t.Fatal(err)
		}
		o.edit(t, tech, k, ticket.ID,
			url.Values{"assignee": {tech.User.Email}, "priority": {"High"}, "due-at": {"2026-03-04T08:00:00Z"}})
		audits, err := trail.Undoable(ctx, o.Desk, tech, k, ticket.ID)
		if err != nil || len(audits) != 1 {
			t.Fatalf("undoable: got %v, error %v, want one", audits, err)
		}
		_, rec, err := trail.Undo(ctx, o.Desk, tech, audits[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := rec.(*inventory.Ticket); got.State != inventory.TicketNew || got.Priority != "Low" ||
			got.Assignee.ID != 0 || !got.DueAt.IsZero() || got.Version != 3 {
			t.Errorf("after the undo: got %+v", got)
		}
	})
}

// TestUndoRefused refuses to take back what is somebody else's, old, changed
// since, or nothing that can be taken back.
func TestUndoRefused(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o, k := context.Background(), openOffice(t, db), inventory.Computers.Schema
		tech, other := o.User(t, "tech@example.com", inventory.Technician),
			o.User(t, "other@example.com", inventory.Technician)
		for _, test := range []struct {
			name  string
			form  url.Values // that tech changes
			after func(id int64)
			by    desk.Caller
			want  desk.Code
		}{
			{"by another", url.Values{"site": {"Leipzig"}}, nil, other, desk.Forbidden},
			{"much later", url.Values{"site": {"Leipzig"}}, func(int64) { o.Clock.Advance(2 * time.Hour) }, tech,
				desk.Conflict},
			{"changed since", url.Values{"site": {"Leipzig"}}, func(id int64) {
				o.edit(t, other, k, id, url.Values{"tag": {"x"}})
			}, tech, desk.Changed},
			{"nested items", url.Values{"drives": {""}, "drives.0.name": {"C:"}}, nil, tech, desk.Conflict},
		} {
			c := inventory.Computers.New()
			c.Name = "a"
			if err := o.Add(ctx, program, k, []any{c}); err != nil {
				t.Fatal(err)
			}
			o.edit(t, tech, k, c.ID, test.form)
			last := o.lastAudit(t)
			if test.after != nil {
				test.after(c.ID)
			}
			_, _, err := trail.Undo(ctx, o.Desk, test.by, last)
			if refused, ok := errors.AsType[*desk.Error](err); !ok || refused.Code != test.want {
				t.Errorf("%s: got %v, want a refusal of code %d", test.name, err, test.want)
			}
		}
		if got, err := trail.Undoable(ctx, o.Desk, o.User(t, "ask@example.com", inventory.Requester), k,
			1); got != nil || err != nil {
			t.Errorf("of a requester: got %v, error %v, want none", got, err)
		}
	})
}

// lastAudit returns the id of the newest audit record.
func (o *office) lastAudit(t *testing.T) int64 {
	t.Helper()
	head, err := trail.Head(context.Background(), o.Desk)
	if err != nil {
		t.Fatal(err)
	}
	return head.Count
}

// TestUndoMany finds the changes of many records.
func TestUndoMany(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o, k := context.Background(), openOffice(t, db), inventory.Vendors.Schema
		tech := o.User(t, "tech@example.com", inventory.Technician)
		var ids []int64
		for _, name := range []string{"a", "b", "c"} {
			v := inventory.Vendors.New()
			v.Name = name
			if err := o.Add(ctx, program, k, []any{v}); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, v.ID)
		}
		for _, id := range ids {
			o.edit(t, tech, k, id, url.Values{"country": {"DE"}})
		}
		audits, err := trail.Undoable(ctx, o.Desk, tech, k, ids[:2]...)
		if err != nil || len(audits) != 2 || audits[1] != audits[0]+1 {
			t.Fatalf("got %v, error %v, want those of the first two", audits, err)
		}
		if got, err := trail.Undoable(ctx, o.Desk, tech, k, ids[0], 4711); got != nil || err != nil {
			t.Errorf("with one that was not changed: got %v, error %v, want none", got, err)
		}
	})
}
