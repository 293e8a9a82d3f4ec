package desk

import (
	"context"
	"errors"
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
	const cheap = "$argon2id$v=19$m=64,t=1,p=2$c2FsdHNhbHQ$jKnAAfjS8iou1nq5ihTqjfwPdfUqDZZmSkzYB2O3v6o"
	own := hashPassword("long password")
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
		{"long password", nobodysPassword, false},
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

// TestUnknownUserTakesAsLong: what takes long is done for unknown and disabled
// users too. Of each the fastest of some tries counts: what disturbs only makes
// slower.
func TestUnknownUserTakesAsLong(t *testing.T) {
	ctx, d := context.Background(), newDesk(t, nil)
	addAnn(t, d, "long password")
	const ann, bob, nobody = "ann@example.com", "bob@example.com", "nobody@example.com"
	addPerson(t, d, bob, "long password")
	if err := d.DisableUser(ctx, Caller{Origin: "command"}, bob); err != nil {
		t.Fatal(err)
	}
	fastest := map[string]time.Duration{ann: time.Hour, bob: time.Hour, nobody: time.Hour}
	for range 10 { // turn by turn, since the machine may have other work for a while
		for email, best := range fastest {
			start := time.Now()
			if _, _, err := d.SignIn(ctx, SignIn{Email: email, Password: "a wrong password"}); err != ErrSignIn {
				t.Fatalf("%s: got error %v, want %v", email, err, ErrSignIn)
			}
			fastest[email] = min(best, time.Since(start))
		}
	}
	wrong := fastest[ann]
	for _, email := range []string{bob, nobody} {
		if took := fastest[email]; took < wrong/3 || took > wrong*3 {
			t.Errorf("%s: took %v, and a wrong password %v", email, took, wrong)
		}
	}
}

// TestSignInWaits: passwords are hashed few at a time, and nobody waits longer
// than they want to.
func TestSignInWaits(t *testing.T) {
	d := newDesk(t, nil)
	addAnn(t, d, "long password")
	for range hashesAtOnce {
		d.hashing <- struct{}{}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if ok, err := d.proves(ctx, "long password", nobodysPassword); ok || !errors.Is(err, store.ErrUnavailable) || !errors.Is(err, context.Canceled) {
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
	ctx, command := context.Background(), Caller{Origin: "command"}
	for name, change := range map[string]func(d *Desk) error{
		"another password": func(d *Desk) error {
			_, err := d.SetPassword(ctx, command, "ann@example.com", "")
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
