package desk

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"muster/internal/inventory"
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
	d, err := Open(ctx, Config{Store: s, Key: make([]byte, KeySize), Realm: "Muster", Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// TestLoginOfDisabledUser notes a login that began before the user was
// disabled: it must not bring the user back.
func TestLoginOfDisabledUser(t *testing.T) {
	ctx := context.Background()
	d := newDesk(t)
	const email = "anna@example.com"
	user := inventory.Users.New()
	user.Email = email
	if _, err := d.AddUser(ctx, Caller{Origin: "command"}, user, ""); err != nil {
		t.Fatal(err)
	}
	before := d.accounts.get(email)
	if d.Disabled(email) || d.Disabled("nobody@example.com") {
		t.Error("an enabled and an unknown user: got that one is disabled")
	}
	if err := d.DisableUser(ctx, Caller{Origin: "command"}, email); err != nil {
		t.Fatal(err)
	}
	d.noteLogin(ctx, before.user, time.Now())
	if !d.Disabled(email) {
		t.Error("a disabled user: got that they are not")
	}
	if d.Secret(email) != nil {
		t.Error("the secret of a disabled user: got one, want none")
	}
	if _, err := d.User(ctx, email); err == nil {
		t.Error("a disabled user: got no error, want that there is no such user")
	}
}
