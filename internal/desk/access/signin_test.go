package access

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"muster/internal/argon"
	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/store"
)

// addAnn makes a user with a password.
func addAnn(t *testing.T, s *Service, password string) {
	t.Helper()
	addPerson(t, s, "ann@example.com", password)
}

func addPerson(t *testing.T, s *Service, email, password string) {
	t.Helper()
	user := inventory.Users.New()
	user.Email = email
	if _, err := s.Users().Add(context.Background(), desk.Caller{Origin: "command"}, user, password); err != nil {
		t.Fatal(err)
	}
}

// TestUnknownUserTakesAsLong: the work that takes long is done for unknown and
// disabled users too, once. It measures memory, which no other test may use meanwhile.
func TestUnknownUserTakesAsLong(t *testing.T) {
	ctx, s := context.Background(), open(t, nil)
	const hash = 16 << 20
	s.passwords.cost.Memory = hash >> 10
	addAnn(t, s, "long password")
	const ann, bob, nobody, noAddress = "ann@example.com", "bob@example.com", "nobody@example.com", "nöbody"
	addPerson(t, s, bob, "long password")
	if err := s.Users().Disable(ctx, desk.Caller{Origin: "command"}, bob); err != nil {
		t.Fatal(err)
	}
	allocated := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	for _, email := range []string{ann, bob, nobody, noAddress} {
		before := allocated()
		if _, _, err := s.SignIn(ctx, SignIn{Email: email, Password: "a wrong password"}); err != ErrSignIn {
			t.Errorf("%s: got error %v, want %v", email, err, ErrSignIn)
		}
		if got := allocated() - before; got < hash || got > hash*3/2 {
			t.Errorf("%s: took %d bytes, want the %d of one hash", email, got, hash)
		}
	}
	if somebodys, nobodys := s.passwords.cost.Hash("long password"),
		s.passwords.cost.Dummy(); len(nobodys) != len(somebodys) {
		t.Errorf("got %s of somebody and %s of nobody, want the same work for both", somebodys, nobodys)
	}
}

// TestDefaultCost: a server with the defaults makes hashes that are hard to guess.
func TestDefaultCost(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s, err := Open(ctx, open(t, nil).desk, Config{})
	if err != nil {
		t.Fatal(err)
	}
	addAnn(t, s, "long password")
	known, err := s.signInOf(ctx, "ann@example.com")
	if want := "$argon2id$v=19$m=19456,t=2,p=1$"; err != nil || !strings.HasPrefix(known.SignIn, want) {
		t.Errorf("got the hash %s, error %v, want one that begins with %s", known.SignIn, err, want)
	}
}

// TestSignInWaits: passwords are hashed few at a time, and nobody waits longer
// than they want to.
func TestSignInWaits(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	addAnn(t, s, "long password")
	for range argon.AtOnce() {
		s.passwords.hashing <- struct{}{}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if ok, err := s.passwords.proves(ctx, "long password", argon.Default.Dummy()); ok ||
		!errors.Is(err, store.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, error %v, want %v", ok, err, store.ErrUnavailable)
	}
	<-s.passwords.hashing
	if _, _, err := s.SignIn(context.Background(),
		SignIn{Email: "ann@example.com", Password: "long password"}); err != nil {
		t.Errorf("when there is room: %v", err)
	}
}

// TestSignInMeanwhile: a password that was changed, or a user who was disabled or
// deleted, after the password was found right, lets nobody in.
func TestSignInMeanwhile(t *testing.T) {
	t.Parallel()
	ctx, command := context.Background(), desk.Caller{Origin: "command"}
	for name, change := range map[string]func(s *Service) error{
		"another password": func(s *Service) error {
			_, err := s.Users().SetPassword(ctx, command, "ann@example.com", PasswordChange{})
			return err
		},
		"disabled": func(s *Service) error { return s.Users().Disable(ctx, command, "ann@example.com") },
		"gone": func(s *Service) error {
			return s.desk.Store().Update(ctx, func(tx *store.Tx) error { return tx.DeleteCredentials(ctx, 1) })
		},
	} {
		s := open(t, nil)
		addAnn(t, s, "long password")
		known, err := s.signInOf(ctx, "ann@example.com")
		if err == nil {
			err = change(s)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if secret, s, err := s.begin(ctx, known, SignIn{}); err != ErrSignIn || secret != "" || s != nil {
			t.Errorf("%s: got session %v, error %v, want %v", name, s, err, ErrSignIn)
		}
	}
}
