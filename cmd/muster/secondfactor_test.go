//go:build full

package main_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// TestResetSecondFactor turns the second factor of the administrator on, and off
// again by a command: while the server runs, and while it does not. Until then
// the API does not take the password for signing in.
func TestResetSecondFactor(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve()
	reset := []string{"user", "reset-second-factor", admin}
	for _, running := range []bool{false, true} {
		s.stop()
		f.turnOn(admin)
		if got := f.feed(password, "user", "passwd", admin, "--password-stdin"); got.status != 0 {
			t.Fatalf("user passwd: got %+v", got)
		}
		if !running {
			f.must(reset...)
		}
		s = f.serve()
		if running {
			signsIn(t, s, admin, password, false)
			f.must(reset...)
		}
		f.refused(reset, admin+" has no second factor")
		if got := f.feed(password, "user", "passwd", admin, "--password-stdin"); got.status != 0 {
			t.Fatalf("user passwd: got %+v", got)
		}
		signsIn(t, s, admin, password, true)
	}
}

// turnOn turns on a user's second factor, as they do in the web application,
// while no server runs.
func (f *folder) turnOn(email string) {
	f.t.Helper()
	ctx := context.Background()
	st, err := store.Open(ctx, store.Config{Database: f.data("muster.db"), Kinds: inventory.All()})
	if err != nil {
		f.t.Fatal(err)
	}
	defer st.Close()
	key, err := server.ReadKey(f.data("server.key"))
	if err != nil {
		f.t.Fatal(err)
	}
	d, err := desk.Open(ctx,
		desk.Config{Store: st, Key: key, Realm: "Muster", Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.t.Fatal(err)
	}
	defer d.Close()
	s, err := access.Open(ctx, d, access.Config{})
	if err != nil {
		f.t.Fatal(err)
	}
	user, err := s.User(ctx, email)
	if err != nil {
		f.t.Fatal(err)
	}
	who := desk.Caller{User: user, Origin: "web", ByPassword: true}
	secret, _, err := s.BeginSecondFactor(ctx, who)
	if err == nil {
		_, err = s.ConfirmSecondFactor(ctx, who, mustertest.Code(f.t, secret, time.Now()))
	}
	if err != nil {
		f.t.Fatal(err)
	}
}
