package desk

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/store"
)

// addAnn makes a user with a password.
func addAnn(t *testing.T, d *Desk, password string) {
	t.Helper()
	addPerson(t, d, "ann@example.com", password)
}

func addPerson(t *testing.T, d *Desk, email, password string) {
	t.Helper()
	user := inventory.Users.New()
	user.Email = email
	if _, err := d.AddUser(context.Background(), Caller{Origin: "command"}, user, password); err != nil {
		t.Fatal(err)
	}
}

// TestVerifyPassword reads the parameters from the hash, and takes nothing else
// for one.
func TestVerifyPassword(t *testing.T) {
	t.Parallel()
	const cheap = "$argon2id$v=19$m=64,t=1,p=2$c2FsdHNhbHQ$jKnAAfjS8iou1nq5ihTqjfwPdfUqDZZmSkzYB2O3v6o"
	own := defaultCost.hash("long password")
	for _, c := range []struct {
		password, stored string
		want             bool
	}{
		{"long password", own, true},
		{"Long password", own, false},
		{"", own, false},
		{"long password", strings.Replace(own, "t=2", "t=3", 1), false},
		{"long password", strings.Replace(own, "argon2id", "argon2i", 1), false},
		{"long password", strings.Replace(own, "t=2", "t=0", 1), false},
		{"long password", strings.Replace(own, "p=1", "p=0", 1), false},
		{"long password", own[:strings.LastIndex(own, "$")+1], false},
		{"long password", defaultCost.nobodys(), false},
		{"long password", cheap, true},
		{"another", cheap, false},
		{"", "", false},
		{"", "$$$$$", false},
	} {
		if got := verifyPassword(c.password, c.stored); got != c.want {
			t.Errorf("%q against %s: got %v, want %v", c.password, c.stored, got, c.want)
		}
	}
}

// TestUnknownUserTakesAsLong: the work that takes long is done for unknown and
// disabled users too, once. Its memory tells, which no other test may use meanwhile.
func TestUnknownUserTakesAsLong(t *testing.T) {
	ctx, d := context.Background(), newDesk(t, nil)
	const hash = 16 << 20
	d.hashCost.Memory = hash >> 10
	addAnn(t, d, "long password")
	const ann, bob, nobody, noAddress = "ann@example.com", "bob@example.com", "nobody@example.com", "nöbody"
	addPerson(t, d, bob, "long password")
	if err := d.DisableUser(ctx, Caller{Origin: "command"}, bob); err != nil {
		t.Fatal(err)
	}
	allocated := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	for _, email := range []string{ann, bob, nobody, noAddress} {
		before := allocated()
		if _, _, err := d.SignIn(ctx, SignIn{Email: email, Password: "a wrong password"}); err != ErrSignIn {
			t.Errorf("%s: got error %v, want %v", email, err, ErrSignIn)
		}
		if got := allocated() - before; got < hash || got > hash*3/2 {
			t.Errorf("%s: took %d bytes, want the %d of one hash", email, got, hash)
		}
	}
	if somebodys, nobodys := d.hashCost.hash("long password"), d.hashCost.nobodys(); len(nobodys) != len(somebodys) {
		t.Errorf("got %s of somebody and %s of nobody, want the same work for both", somebodys, nobodys)
	}
}

// TestDefaultCost: a server that is told nothing makes hashes that are hard to guess.
func TestDefaultCost(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d, err := Open(ctx, Config{Store: newDesk(t, nil).store, Key: make([]byte, KeySize), Realm: "Muster", Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	addAnn(t, d, "long password")
	known, err := d.signInOf(ctx, "ann@example.com")
	if want := "$argon2id$v=19$m=19456,t=2,p=1$"; err != nil || !strings.HasPrefix(known.SignIn, want) {
		t.Errorf("got the hash %s, error %v, want one that begins with %s", known.SignIn, err, want)
	}
}

// TestSignInWaits: passwords are hashed few at a time, and nobody waits longer
// than they want to.
func TestSignInWaits(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	addAnn(t, d, "long password")
	for range HashesAtOnce() {
		d.hashing <- struct{}{}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if ok, err := d.proves(ctx, "long password", defaultCost.nobodys()); ok || !errors.Is(err, store.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, error %v, want %v", ok, err, store.ErrUnavailable)
	}
	<-d.hashing
	if _, _, err := d.SignIn(context.Background(), SignIn{Email: "ann@example.com", Password: "long password"}); err != nil {
		t.Errorf("when there is room: %v", err)
	}
}

// TestSignInMeanwhile: a password that was changed, or a user who was disabled or
// deleted, after the password was found right, lets nobody in.
func TestSignInMeanwhile(t *testing.T) {
	t.Parallel()
	ctx, command := context.Background(), Caller{Origin: "command"}
	for name, change := range map[string]func(d *Desk) error{
		"another password": func(d *Desk) error {
			_, err := d.SetPassword(ctx, command, "ann@example.com", PasswordChange{})
			return err
		},
		"disabled": func(d *Desk) error { return d.DisableUser(ctx, command, "ann@example.com") },
		"gone": func(d *Desk) error {
			return d.store.Update(ctx, func(tx *store.Tx) error { return tx.DeleteCredentials(ctx, 1) })
		},
	} {
		d := newDesk(t, nil)
		addAnn(t, d, "long password")
		known, err := d.signInOf(ctx, "ann@example.com")
		if err == nil {
			err = change(d)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if secret, s, err := d.begin(ctx, known, SignIn{}); err != ErrSignIn || secret != "" || s != nil {
			t.Errorf("%s: got session %v, error %v, want %v", name, s, err, ErrSignIn)
		}
	}
}
