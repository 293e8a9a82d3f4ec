package access

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"muster/internal/argon"
	"muster/internal/desk"
	"muster/internal/desk/seal"
	"muster/internal/inventory"
	"muster/internal/store"
)

// open returns the service on the desk of a new database, whose transactions observe is called with, if it is not nil.
func open(t *testing.T, observe func(store.Transaction)) *Service {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx,
		store.Config{Database: filepath.Join(t.TempDir(), "muster.db"), Kinds: inventory.All(), Observe: observe})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d, err := desk.Open(ctx, desk.Config{
		Store: s, Key: make([]byte, seal.KeySize), Realm: "Muster", Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	service, err := Open(ctx, d, Config{HashCost: argon.Cost{Time: 1, Memory: 64}})
	if err != nil {
		t.Fatal(err)
	}
	return service
}

// TestLoginOfDisabledUser notes a login that began before the user was
// disabled: it must not bring the user back.
func TestLoginOfDisabledUser(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := open(t, nil)
	const email = "anna@example.com"
	user := inventory.Users.New()
	user.Email = email
	if _, err := s.Users().Add(ctx, desk.Caller{Origin: "command"}, user, ""); err != nil {
		t.Fatal(err)
	}
	before := s.accounts.get(email)
	if s.Disabled(email) || s.Disabled("nobody@example.com") {
		t.Error("an enabled and an unknown user: got that one is disabled")
	}
	if err := s.Users().Disable(ctx, desk.Caller{Origin: "command"}, email); err != nil {
		t.Fatal(err)
	}
	s.accounts.noteLogin(ctx, before.user, time.Now())
	if !s.Disabled(email) {
		t.Error("a disabled user: got that they are not")
	}
	if s.Secret(email) != nil {
		t.Error("the secret of a disabled user: got one, want none")
	}
	if _, err := s.User(ctx, email); err == nil {
		t.Error("a disabled user: got no error, want that there is no such user")
	}
}

// TestGoneAfterwards changes a user and a setting for those who are gone as soon
// as that is stored: the change is in effect at once all the same.
func TestGoneAfterwards(t *testing.T) {
	t.Parallel()
	var gone context.CancelFunc
	s := open(t, func(tx store.Transaction) {
		if gone != nil && tx.Mode == store.Updating {
			gone()
		}
	})
	const email = "anna@example.com"
	user := inventory.Users.New()
	user.Email = email
	if _, err := s.Users().Add(context.Background(), desk.Caller{Origin: "command"}, user, ""); err != nil {
		t.Fatal(err)
	}
	once := func() context.Context {
		ctx, cancel := context.WithCancel(context.Background())
		gone = cancel
		return ctx
	}
	if err := s.Users().Disable(once(), desk.Caller{Origin: "command"}, email); err != nil || s.Secret(email) != nil {
		t.Errorf("a user disabled: got %v, and may sign in: %v", err, s.Secret(email) != nil)
	}
	if err := s.desk.Settings().Set(once(), desk.Caller{Origin: "command"}, "page-size", "7"); err != nil ||
		s.desk.Settings().PageSize() != 7 {
		t.Errorf("a page size of 7 set: got %v, and %d", err, s.desk.Settings().PageSize())
	}
}
