package trail_test

import (
	"context"
	"errors"
	"net/url"
	"testing"

	"muster/internal/desk"
	"muster/internal/desk/trail"
	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// TestReleaseTyped refuses to release what was typed of a computer that no agent
// has reported: nothing would take its place.
func TestReleaseTyped(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o, k := context.Background(), openOffice(t, db), inventory.Computers.Schema
		tech := o.User(t, "tech@example.com", inventory.Technician)
		c := inventory.Computers.New()
		c.Name, c.SerialNumber = "typed", laptop.Serial
		if err := o.Add(ctx, program, k, []any{c}); err != nil {
			t.Fatal(err)
		}
		o.edit(t, tech, k, 1, url.Values{"name": {"mine"}, "domain": {"own"}})
		for _, field := range []string{"name", "domain"} {
			f := k.Field(field)
			if desk.Releasable(o.Computers(t)[0], f) {
				t.Errorf("%s: got that it can be released, want not", field)
			}
			if _, err := o.Release(ctx, tech, 1, f); !refusedAs(err, desk.Conflict) {
				t.Errorf("%s: got %v, want a refusal", field, err)
			}
		}
		if c := o.Computers(t)[0]; c.Name != "mine" || c.Domain != "own" {
			t.Errorf("after that: got %s in %q", c.Name, c.Domain)
		}
		o.Deliver(t, laptop.XML())
		if c := o.Computers(t)[0]; c.Name != "mine" || !desk.Releasable(c, k.Field("name")) {
			t.Errorf("reported: got %s, releasable %v", c.Name, desk.Releasable(c, k.Field("name")))
		}
		if _, err := o.Release(ctx, tech, 1, k.Field("name")); err != nil {
			t.Fatal(err)
		}
		if c := o.Computers(t)[0]; c.Name != laptop.Name || c.Domain != "own" {
			t.Errorf("released: got %s in %q, want %s in own", c.Name, c.Domain, laptop.Name)
		}
	})
}

// refusedAs reports whether an error is a refusal of a sort.
func refusedAs(err error, code desk.Code) bool {
	refused, ok := errors.AsType[*desk.Error](err)
	return ok && refused.Code == code
}

// TestUndoTyped takes back what a person has changed of a computer that no agent
// has reported, whatever field it is.
func TestUndoTyped(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o, k := context.Background(), openOffice(t, db), inventory.Computers.Schema
		tech := o.User(t, "tech@example.com", inventory.Technician)
		c := inventory.Computers.New()
		c.Name = "a"
		if err := o.Add(ctx, program, k, []any{c}); err != nil {
			t.Fatal(err)
		}
		o.edit(t, tech, k, c.ID, url.Values{"name": {"b"}, "domain": {"own"}})
		c = o.undo(t, tech, c.ID)
		if c.Name != "a" || c.Domain != "" {
			t.Errorf("got %s in %q, want a in none", c.Name, c.Domain)
		}
	})
}

// undo takes back what a person has changed of a computer last, which must be
// offered to them.
func (o *office) undo(t *testing.T, who desk.Caller, id int64) *inventory.Computer {
	t.Helper()
	ctx := context.Background()
	audits, err := trail.Undoable(ctx, o.Desk, who, inventory.Computers.Schema, id)
	if err != nil || len(audits) != 1 {
		t.Fatalf("undoable: got %v, error %v, want one", audits, err)
	}
	_, rec, err := trail.Undo(ctx, o.Desk, who, audits[0])
	if err != nil {
		t.Fatal(err)
	}
	return rec.(*inventory.Computer)
}

// TestUndoReported takes back that a person has set what an agent reports: it is
// released. That they have released it is taken back too; that they have set
// it once more is not.
func TestUndoReported(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o, k := context.Background(), openOffice(t, db), inventory.Computers.Schema
		tech := o.User(t, "tech@example.com", inventory.Technician)
		tell := func(name string) {
			o.Deliver(t, with(laptop, func(m *machine) { m.Name = name }).XML())
		}
		tell("lap")
		o.edit(t, tech, k, 1, url.Values{"name": {"mine"}, "tag": {"x"}})
		if c := o.undo(t, tech, 1); c.Name != "lap" || c.Tag != "rolled-out" || desk.Releasable(c, k.Field("name")) {
			t.Errorf("set: got %s with the tag %q, set %v, want what the agent tells", c.Name, c.Tag, c.SetFields)
		}
		tell("lap2")
		if c := o.Computers(t)[0]; c.Name != "lap2" {
			t.Errorf("told anew: got %s, want lap2", c.Name)
		}
		o.edit(t, tech, k, 1, url.Values{"name": {"mine"}})
		if _, err := o.Release(ctx, tech, 1, k.Field("name")); err != nil {
			t.Fatal(err)
		}
		if c := o.undo(t, tech, 1); c.Name != "mine" || !desk.Releasable(c, k.Field("name")) {
			t.Errorf("released: got %s, set %v, want mine, which is set", c.Name, c.SetFields)
		}
		o.edit(t, tech, k, 1, url.Values{"name": {"other"}})
		if audits, err := trail.Undoable(ctx, o.Desk, tech, k, 1); audits != nil || err != nil {
			t.Errorf("set once more: got %v, error %v, want none", audits, err)
		}
		if _, _, err := trail.Undo(ctx, o.Desk, tech, o.lastAudit(t)); !refusedAs(err, desk.Conflict) {
			t.Errorf("set once more: got %v, want a refusal", err)
		}
	})
}
