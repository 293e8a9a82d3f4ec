package imports_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/desk/seal"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// An office is a desk on a database of its own.
type office struct {
	*desk.Desk
	access *access.Service
	store  *store.Store
}

// program is who acts without being a user.
var program = desk.Caller{Origin: "import"}

func openOffice(t *testing.T, db mustertest.Database) *office {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{Database: db.Made(t), Kinds: inventory.All()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d, err := desk.Open(ctx, desk.Config{
		Store: s, Key: make([]byte, seal.KeySize), Realm: "Muster", Now: mustertest.NewClock().Now,
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	service, err := access.Open(ctx, d, access.Config{HashCost: mustertest.CheapHash})
	if err != nil {
		t.Fatal(err)
	}
	return &office{d, service, s}
}

// administrator returns a user who may do everything.
func (o *office) administrator(t *testing.T) desk.Caller {
	t.Helper()
	ctx := context.Background()
	if _, err := o.access.Users().FirstAdministrator(ctx, "admin@localhost"); err != nil {
		t.Fatal(err)
	}
	user, err := o.access.User(ctx, "admin@localhost")
	if err != nil {
		t.Fatal(err)
	}
	return desk.Caller{User: user, Origin: "api", ByPassword: true}
}

// exact checks all counts.
func (o *office) exact(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	err := o.store.View(ctx, func(tx *store.Tx) error {
		differences, err := desk.Recount(ctx, tx)
		if len(differences) > 0 {
			t.Errorf("a recount: %s", strings.Join(differences, "; "))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
