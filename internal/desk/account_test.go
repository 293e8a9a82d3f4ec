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

// newDesk returns a desk on a new database, whose transactions observe is told
// of, if it is not nil.
func newDesk(t *testing.T, observe func(store.Transaction)) *Desk {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{Database: filepath.Join(t.TempDir(), "muster.db"), Kinds: inventory.All(), Observe: observe})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d, err := Open(ctx, Config{Store: s, Key: make([]byte, KeySize), Realm: "Muster", Now: time.Now, Log: slog.New(slog.DiscardHandler), HashCost: HashCost{Time: 1, Memory: 64}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// TestLoginOfDisabledUser notes a login that began before the user was
// disabled: it must not bring the user back.
func TestLoginOfDisabledUser(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newDesk(t, nil)
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

// TestGoneAfterwards changes a user and a setting for those who are gone as soon
// as that is stored: the change holds at once all the same.
func TestGoneAfterwards(t *testing.T) {
	t.Parallel()
	var gone context.CancelFunc
	d := newDesk(t, func(tx store.Transaction) {
		if gone != nil && tx.Mode == store.Updating {
			gone()
		}
	})
	const email = "anna@example.com"
	user := inventory.Users.New()
	user.Email = email
	if _, err := d.AddUser(context.Background(), Caller{Origin: "command"}, user, ""); err != nil {
		t.Fatal(err)
	}
	once := func() context.Context {
		ctx, cancel := context.WithCancel(context.Background())
		gone = cancel
		return ctx
	}
	if err := d.DisableUser(once(), Caller{Origin: "command"}, email); err != nil || d.Secret(email) != nil {
		t.Errorf("a user disabled: got %v, and may sign in: %v", err, d.Secret(email) != nil)
	}
	if err := d.SetSetting(once(), Caller{Origin: "command"}, "page-size", "7"); err != nil || d.PageSize() != 7 {
		t.Errorf("a page size of 7 set: got %v, and %d", err, d.PageSize())
	}
}
