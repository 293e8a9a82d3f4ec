package access_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/digest"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestPasswords: a change of the password for signing in, whichever way, is one of
// the API's too, or with a second factor its end; other sessions end, and tokens
// unless they are to be kept.
func TestPasswords(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann := o.user(t, "ann@example.com", inventory.Technician)
		o.wantAPIPassword(t, "at first", annPassword)
		token := o.userToken(t, "script")

		first, session := o.signIn(t, ann, true)
		other, _ := o.signIn(t, ann, true)
		ann.Session = session
		o.clock.Advance(time.Hour)
		for _, p := range []struct {
			old, new, want string
		}{{annPassword + "!", "another long one", access.ErrPassword.Error()}, {annPassword, "short", "too short"}, {
			annPassword, "not \xff a text", "UTF-8",
		}} {
			if _, err := o.access.SetOwnPassword(ctx, ann,
				access.PasswordChange{Old: p.old, New: p.new}); err == nil || !strings.Contains(err.Error(), p.want) {
				t.Errorf("%q to %q: got error %v, want %s", p.old, p.new, err, p.want)
			}
		}
		o.wantSession(t, "after what was refused", first, true)
		o.wantToken(t, "after what was refused", token, true)
		done, err := o.access.SetOwnPassword(ctx, ann,
			access.PasswordChange{Old: annPassword, New: "another long one", KeepTokens: true})
		if err != nil || done.Revoked != 0 {
			t.Fatalf("got %+v, error %v, want no token revoked", done, err)
		}
		o.wantSession(t, "the secret of before", first, false)
		o.wantSession(t, "another browser", other, false)
		_, again, err := o.access.Session(ctx, done.Session, "192.0.2.1")
		if err != nil || !again.Expires.Equal(session.Expires) || !again.Stay || again.Agent != "Firefox" {
			t.Fatalf("got session %+v, error %v, want one like %+v", again, err, session)
		}
		o.wantAPIPassword(t, "after their own change", "another long one")
		o.wantToken(t, "that was kept", token, true)
		_, err = o.access.SetOwnPassword(ctx, ann, access.PasswordChange{Old: "another long one", New: annPassword})
		wantRefused(t, "in a session that has ended", err, desk.Forbidden, "sign in again")
		ann.Session = again
		made, err := o.access.MakeAPIPassword(ctx, ann)
		if err != nil {
			t.Fatal(err)
		}
		o.wantAPIPassword(t, "when one was made", made)
		o.wantSession(t, "when an API password was made", done.Session, true)
		o.wantSentences(t, made, "API password made", "Sign-in password changed", "Token script added")

		if done, err = o.access.SetOwnPassword(ctx, ann,
			access.PasswordChange{Old: "another long one", New: annPassword}); err != nil || done.Revoked != 1 {
			t.Fatalf("got %+v, error %v, want one token revoked", done, err)
		}
		o.wantAPIPassword(t, "after another change of their own", annPassword)
		o.wantToken(t, "that was not kept", token, false)
		token = o.userToken(t, "script")
		for _, keep := range []bool{true, false} {
			set, err := o.access.Users().SetPassword(ctx, program, "ann@example.com",
				access.PasswordChange{New: "set for her by another", KeepTokens: keep})
			if err != nil || (set.Revoked == 0) != keep {
				t.Errorf("kept %v: got %+v, error %v", keep, set, err)
			}
			o.wantToken(t, "when another set it", token, keep)
		}
		o.wantAPIPassword(t, "when another set it", "set for her by another")
		ann.Session = nil
		_, codes := o.turnOn(t, ann)
		o.wantAPIPassword(t, "with a second factor", "")
		for name, change := range map[string]func() error{
			"their own": func() error {
				_, err := o.access.SetOwnPassword(ctx, ann,
					access.PasswordChange{Old: "set for her by another", New: annPassword})
				return err
			},
			"another's": func() error {
				_, err := o.access.Users().SetPassword(ctx, program, "ann@example.com",
					access.PasswordChange{New: "set for her by another"})
				return err
			},
		} {
			if _, err := o.access.Users().SetPassword(ctx, program, "ann@example.com",
				access.PasswordChange{New: "set for her by another"}); err != nil {
				t.Fatal(err)
			}
			half, _, err := o.access.SignIn(ctx,
				access.SignIn{Email: "ann@example.com", Password: "set for her by another"})
			if err == nil {
				_, ann.Session, err = o.access.CompleteSignIn(ctx, half, codes[0])
			}
			if err != nil {
				t.Fatal(err)
			}
			codes = codes[1:]
			if made, err = o.access.MakeAPIPassword(ctx, ann); err != nil {
				t.Fatal(err)
			}
			o.wantAPIPassword(t, "when one was made with a second factor", made)
			if err := change(); err != nil {
				t.Errorf("%s change: %v", name, err)
			}
			o.wantAPIPassword(t, "with a second factor after a change of "+name, "")
		}
		if err := o.access.ResetSecondFactor(ctx, program, "ann@example.com"); err != nil {
			t.Fatal(err)
		}
		if _, err := o.access.Users().SetPassword(ctx, program, "ann@example.com",
			access.PasswordChange{New: annPassword}); err != nil {
			t.Fatal(err)
		}
		o.wantAPIPassword(t, "without a second factor", annPassword)
	})
}

// TestOlderAPIPassword: an API password that an earlier version let stay is noticed
// when its user signs in, and ends with their next change.
func TestOlderAPIPassword(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann, bob := o.user(t, "ann@example.com", inventory.Technician),
			o.user(t, "bob@example.com", inventory.Technician)
		var older []byte
		change := func(id int64, set func(*store.Credentials)) {
			err := o.store.Update(ctx, func(tx *store.Tx) error {
				c, err := tx.CredentialsOf(ctx, id)
				if err != nil {
					return err
				}
				set(&c)
				return tx.SetCredentials(ctx, c)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		change(ann.User.ID, func(c *store.Credentials) { older = c.Digest })
		if _, err := o.access.Users().SetPassword(ctx, program, "ann@example.com",
			access.PasswordChange{New: "another long one"}); err != nil {
			t.Fatal(err)
		}
		change(ann.User.ID, func(c *store.Credentials) { c.Digest, c.API = older, store.APIUnknown })
		change(bob.User.ID, func(c *store.Credentials) { c.API = store.APIUnknown })
		wantOlder := func(what string, who desk.Caller, want bool) {
			t.Helper()
			if got, err := o.access.APIPassword(ctx, who); err != nil || got.Older != want {
				t.Errorf("%s: got %v, error %v, want %v", what, got, err, want)
			}
		}
		wantOlder("before she signs in", ann, false)
		if _, _, err := o.access.SignIn(ctx,
			access.SignIn{Email: "ann@example.com", Password: "another long one"}); err != nil {
			t.Fatal(err)
		}
		o.signIn(t, bob, false)
		wantOlder("of another password", ann, true)
		wantOlder("of the same password", bob, false)
		if _, err := o.access.SetOwnPassword(ctx, ann,
			access.PasswordChange{Old: "another long one", New: "a third one for her"}); err != nil {
			t.Fatal(err)
		}
		wantOlder("after the next change", ann, false)
		o.wantAPIPassword(t, "after the next change", "a third one for her")
	})
}

// userToken makes a token of Ann and returns its secret.
func (o *office) userToken(t *testing.T, name string) string {
	t.Helper()
	secret, err := o.access.AddToken(ctx, program, access.NewToken{Email: "ann@example.com", Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

// wantToken checks whether a token lets Ann in.
func (o *office) wantToken(t *testing.T, what, secret string, want bool) {
	t.Helper()
	if _, _, err := o.access.Bearer(ctx, secret, "192.0.2.1"); (err == nil) != want {
		t.Errorf("a token %s: got error %v, want that it is good: %v", what, err, want)
	}
}

// wantAPIPassword checks what the API password of Ann is, "" for none, also for a
// server that starts now.
func (o *office) wantAPIPassword(t *testing.T, what, password string) {
	t.Helper()
	for _, s := range []*access.Service{o.access, openAccess(t, o.desk(t))} {
		got := s.Secret("ann@example.com")
		if password == "" && got != nil {
			t.Errorf("%s: got an API password, want none", what)
		}
		if want := digest.NewSecret("ann@example.com", "Muster", password); password != "" &&
			(got == nil || fmt.Sprint(*got) != fmt.Sprint(*want)) {
			t.Errorf("%s: got another API password than %q", what, password)
		}
	}
}
