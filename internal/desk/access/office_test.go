package access_test

import (
	"context"
	"log/slog"
	"testing"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/desk/agents"
	"muster/internal/desk/seal"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

var ctx = context.Background()

// program is who acts without being a user.
var program = desk.Caller{Origin: "import"}

// An office is a desk with those who may come in, an agent token, and a clock of its own.
type office struct {
	*desk.Desk
	access *access.Service
	agents *agents.Service
	store  *store.Store
	clock  *mustertest.Clock
}

func openOffice(t *testing.T, db mustertest.Database) *office {
	t.Helper()
	s, err := store.Open(ctx, store.Config{Database: db.Made(t), Kinds: inventory.All()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	o := &office{store: s, clock: mustertest.NewClock()}
	o.Desk = o.desk(t)
	o.access = openAccess(t, o.Desk)
	if o.agents, err = agents.Open(ctx, o.Desk); err != nil {
		t.Fatal(err)
	}
	if _, _, err := o.agents.AddToken(ctx, program, agents.NewToken{Name: "agents"}); err != nil {
		t.Fatal(err)
	}
	return o
}

// desk returns a further desk of the office, which knows nothing of what the
// others have in memory.
func (o *office) desk(t *testing.T) *desk.Desk {
	t.Helper()
	d, err := desk.Open(ctx, desk.Config{
		Store: o.store, Key: make([]byte, seal.KeySize), Realm: "Muster", Now: o.clock.Now,
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// openAccess returns what lets people in on a desk.
func openAccess(t *testing.T, d *desk.Desk) *access.Service {
	t.Helper()
	s, err := access.Open(ctx, d, access.Config{HashCost: mustertest.CheapHash})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// auditsOf returns the audit records about one sort of records, in their order.
func (o *office) auditsOf(t *testing.T, item string) (all []*inventory.Audit) {
	t.Helper()
	page, err := o.List(ctx, program, inventory.Audits.Schema, &kind.Query{Page: 1, PerPage: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range page.Records {
		if a := rec.(*inventory.Audit); a.RecordType == item {
			whole, err := o.Get(ctx, program, inventory.Audits.Schema, a.ID) // a list has some of many changes
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, whole.(*inventory.Audit))
		}
	}
	return all
}
