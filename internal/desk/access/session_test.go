package access_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// annPassword is the password of the users that these tests make.
const annPassword = "correct horse battery"

// user makes a user with a role.
func (o *office) user(t *testing.T, email, role string) desk.Caller {
	t.Helper()
	user := inventory.Users.New()
	user.Email, user.Role = email, role
	if _, err := o.access.Users().Add(ctx, program, user, annPassword); err != nil {
		t.Fatal(err)
	}
	return desk.Caller{User: user, Origin: "web", ByPassword: true}
}

// signIn signs a user in.
func (o *office) signIn(t *testing.T, who desk.Caller, stay bool) (string, *desk.Session) {
	t.Helper()
	secret, s, err := o.access.SignIn(ctx,
		access.SignIn{Email: who.User.Email, Password: annPassword, Stay: stay, Agent: "Firefox", Address: "192.0.2.7"})
	if err != nil {
		t.Fatalf("sign in: %v", err)
	}
	return secret, s
}

// wantSession checks whether a secret lets somebody in.
func (o *office) wantSession(t *testing.T, what, secret string, want bool) {
	t.Helper()
	user, s, err := o.access.Session(ctx, secret, "192.0.2.1")
	if want && (err != nil || user == nil || s == nil) ||
		!want && (!errors.Is(err, access.ErrNoSession) || user != nil || s != nil) {
		t.Errorf("%s: got user %v, session %v, error %v, want one to be there: %v", what, user, s, err, want)
	}
}

// TestSignIn follows a session from its beginning to its end.
func TestSignIn(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann := o.user(t, "ann@example.com", inventory.Technician)
		secret, s, err := o.access.SignIn(ctx, access.SignIn{
			Email: " Ann@Example.com", Password: annPassword, Agent: "Fire\nfox\xff " + strings.Repeat("ä", 300),
			Address: "192.0.2.7",
		})
		if err != nil {
			t.Fatal(err)
		}
		user, same, err := o.access.Session(ctx, secret, "192.0.2.1")
		if err != nil || user.ID != ann.User.ID || *same != *s {
			t.Fatalf("got user %v, session %v, error %v, want %v", user, same, err, s)
		}
		if want := "Firefox " + strings.Repeat("ä", 247); s.Agent != want || s.Address != "192.0.2.7" ||
			!s.Expires.Equal(o.clock.Now().Add(24*time.Hour)) {
			t.Errorf("got %+v", s)
		}
		if user, _, _ := o.access.Session(ctx, secret, "192.0.2.1"); !user.LastLogin.Equal(o.clock.Now()) {
			t.Errorf("last login: got %v, want %v", user.LastLogin, o.clock.Now())
		}
		again, _ := o.signIn(t, ann, false)
		if again == secret {
			t.Error("two sessions have one secret")
		}
		for _, other := range []string{"", secret + "A", secret[1:]} {
			o.wantSession(t, "secret "+other, other, false)
		}
		for range 2 {
			if err := o.access.SignOut(ctx, secret); err != nil {
				t.Error(err)
			}
		}
		o.wantSession(t, "signed out", secret, false)
		o.wantSession(t, "another browser", again, true)
	})
}

// TestSignInRefused: who may not sign in gets the same refusal in all cases.
func TestSignInRefused(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		o.user(t, "ann@example.com", inventory.Administrator)
		o.user(t, "gone@example.com", inventory.Technician)
		bare := inventory.Users.New()
		bare.Email = "bare@example.com"
		err := o.Add(ctx, program, inventory.Users.Schema, []any{bare})
		if err == nil {
			err = o.access.Users().Disable(ctx, program, "gone@example.com")
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range []access.SignIn{
			{Email: "ann@example.com", Password: annPassword + "!"},
			{Email: "ann@example.com"},
			{Email: "gone@example.com", Password: annPassword},
			{Email: "bare@example.com"},
			{Email: "nobody@example.com", Password: annPassword},
			{Email: "", Password: annPassword},
			{Email: "ann@example.com\x00", Password: annPassword},
			{Email: "\xff", Password: "\xff"},
		} {
			if secret, s, err := o.access.SignIn(ctx, in); err != access.ErrSignIn || secret != "" || s != nil {
				t.Errorf("%q with %q: got session %v, error %v, want %v", in.Email, in.Password, s, err,
					access.ErrSignIn)
			}
		}
	})
}

// TestSessionLife: a session ends when it is not used, and in any case.
func TestSessionLife(t *testing.T) {
	t.Parallel()
	const hour = time.Hour
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann := o.user(t, "ann@example.com", inventory.Technician)
		start := o.clock.Now()
		for _, c := range []struct {
			stay bool
			used []time.Duration // after the beginning, all but the last with success
			last bool
		}{
			{false, []time.Duration{12*hour - time.Second}, true},
			{false, []time.Duration{12 * hour}, false},
			{false, []time.Duration{11 * hour, 22 * hour, 24*hour - time.Second}, true},
			{false, []time.Duration{11 * hour, 22 * hour, 24 * hour}, false},
			{true, []time.Duration{30*24*hour - time.Second}, true},
			{true, []time.Duration{20 * 24 * hour, 30 * 24 * hour}, false},
		} {
			o.clock.Set(start)
			secret, _ := o.signIn(t, ann, c.stay)
			for i, after := range c.used {
				o.clock.Set(start.Add(after))
				o.wantSession(t, fmt.Sprint(c), secret, c.last || i < len(c.used)-1)
			}
			if all, err := o.access.Sessions(ctx, ann); err != nil || len(all) > 0 != c.last {
				t.Errorf("%v: got %d sessions, error %v", c, len(all), err)
			}
			if err := o.access.SignOutEverywhere(ctx, ann, nil); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestSessionUse: the time of the last use is stored every few minutes.
func TestSessionUse(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann, start := o.user(t, "ann@example.com", inventory.Technician), o.clock.Now()
		secret, _ := o.signIn(t, ann, false)
		for _, c := range []struct{ at, want time.Duration }{{4, 0}, {5, 5}, {9, 5}, {12, 12}} {
			o.clock.Set(start.Add(c.at * time.Minute))
			o.wantSession(t, "used", secret, true)
			all, err := o.access.Sessions(ctx, ann)
			if err != nil || len(all) != 1 || !all[0].LastUsed.Equal(start.Add(c.want*time.Minute)) {
				t.Errorf("after %d minutes: got %+v, error %v, want the last use after %d", c.at, all, err, c.want)
			}
		}
	})
}

// TestEndSessions: users see and end their own sessions, and nobody else's.
func TestEndSessions(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann, bob := o.user(t, "ann@example.com", inventory.Technician),
			o.user(t, "bob@example.com", inventory.Administrator)
		first, one := o.signIn(t, ann, false)
		second, two := o.signIn(t, ann, true)
		third, _ := o.signIn(t, ann, true)
		others, _ := o.signIn(t, bob, true)
		all, err := o.access.Sessions(ctx, ann)
		if err != nil || len(all) != 3 || *all[0] != *one || *all[1] != *two {
			t.Fatalf("got %v, error %v", all, err)
		}
		if err, ok := errors.AsType[*desk.Error](o.access.EndSession(ctx, bob, one.ID)); !ok ||
			err.Code != desk.NotFound {
			t.Errorf("the session of another: got error %v, want that there is none", err)
		}
		o.wantSession(t, "after another tried to end it", first, true)
		if err := o.access.EndSession(ctx, ann, one.ID); err != nil {
			t.Error(err)
		}
		o.wantSession(t, "ended", first, false)
		if err := o.access.SignOutEverywhere(ctx, ann, two); err != nil {
			t.Error(err)
		}
		o.wantSession(t, "kept", second, true)
		o.wantSession(t, "not kept", third, false)
		if err := o.access.SignOutEverywhere(ctx, ann, nil); err != nil {
			t.Error(err)
		}
		o.wantSession(t, "the last one", second, false)
		o.wantSession(t, "of another", others, true)
	})
}

// TestSessionsEndWithChange: what a user may do, or proves themselves with, does
// not change under a session. The other node knows at once.
func TestSessionsEndWithChange(t *testing.T) {
	t.Parallel()
	set := func(field string) func(o *office, admin, ann desk.Caller) error {
		return func(o *office, admin, ann desk.Caller) error {
			_, err := o.Update(ctx, admin, desk.Target{Kind: inventory.Users.Schema, ID: ann.User.ID},
				func() (*kind.Patch, error) {
					return inventory.Users.Decode([]byte("<user>" + field + "</user>"))
				})
			return err
		}
	}
	for _, c := range []struct {
		name string
		do   func(o *office, admin, ann desk.Caller) error
		ends bool
	}{
		{"disable", func(o *office, _, _ desk.Caller) error {
			return o.access.Users().Disable(ctx, program, "ann@example.com")
		}, true},
		{"passwd", func(o *office, _, _ desk.Caller) error {
			_, err := o.access.Users().SetPassword(ctx, program, "ann@example.com", access.PasswordChange{New: ""})
			return err
		}, true},
		{"delete", func(o *office, admin, ann desk.Caller) error {
			_, err := o.Delete(ctx, admin, desk.Target{Kind: inventory.Users.Schema, ID: ann.User.ID})
			return err
		}, true},
		{"disabled", set("<disabled>true</disabled>"), true},
		{"role", set("<role>requester</role>"), true},
		{"read-only", set("<read-only>true</read-only>"), true},
		{"password", set("<password>" + annPassword + "</password>"), true},
		{"phone", set("<phone>7</phone>"), false},
		{"the same role", set("<role>technician</role><title>Dr.</title>"), false},
	} {
		mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
			t.Run(c.name, func(t *testing.T) {
				o := openOffice(t, db)
				admin, ann := o.user(t, "admin@example.com", inventory.Administrator),
					o.user(t, "ann@example.com", inventory.Technician)
				secret, _ := o.signIn(t, ann, true)
				others, _ := o.signIn(t, admin, true)
				other := openAccess(t, o.desk(t))
				if err := c.do(o, admin, ann); err != nil {
					t.Fatal(err)
				}
				o.wantSession(t, "after the change", secret, !c.ends)
				o.wantSession(t, "of another", others, true)
				if _, _, err := other.Session(ctx, secret, "192.0.2.1"); (err == nil) == c.ends {
					t.Errorf("at another node: got error %v, want the session to have ended: %v", err, c.ends)
				}
			})
		})
	}
}
