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
	"muster/internal/mustertest"
	"muster/internal/store"
)

// turnOn sets up a second factor, and returns its secret and the recovery codes.
func (o *office) turnOn(t *testing.T, who desk.Caller) (secret string, recovery []string) {
	t.Helper()
	secret, _, err := o.access.BeginSecondFactor(ctx, who)
	if err == nil {
		recovery, err = o.access.ConfirmSecondFactor(ctx, who, mustertest.Code(t, secret, o.clock.Now()))
	}
	if err != nil {
		t.Fatal(err)
	}
	o.clock.Advance(time.Minute) // so that the app shows another code
	return secret, recovery
}

// wantRefused checks that an error is a refusal for people with a text in it.
func wantRefused(t *testing.T, what string, err error, code desk.Code, text string) {
	t.Helper()
	if refused, ok := errors.AsType[*desk.Error](err); !ok || refused.Code != code ||
		!strings.Contains(err.Error(), text) {
		t.Errorf("%s: got error %v, want a refusal %d with %q", what, err, code, text)
	}
}

// TestSecondFactor follows a second factor from its setup to its end.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann := o.user(t, "ann@example.com", inventory.Requester)
		here, session := o.signIn(t, ann, false)
		there, _ := o.signIn(t, ann, true)
		ann.Session = session
		_, err := o.access.ConfirmSecondFactor(ctx, ann, "123456")
		wantRefused(t, "without a beginning", err, desk.Conflict, "begin it first")
		secret, address, err := o.access.BeginSecondFactor(ctx, ann)
		if err != nil || !strings.Contains(address, "secret="+secret) {
			t.Fatalf("got address %s, error %v", address, err)
		}
		if _, err := o.access.ConfirmSecondFactor(ctx, ann,
			mustertest.Code(t, secret, o.clock.Now().Add(-time.Hour))); err != access.ErrCode {
			t.Errorf("an old code: got error %v, want %v", err, access.ErrCode)
		}
		if f, err := o.access.SecondFactor(ctx, ann); err != nil || f.On {
			t.Errorf("before it is confirmed: got %+v, error %v", f, err)
		}
		begun := o.clock.Now()
		code := mustertest.Code(t, secret, o.clock.Now())
		recovery, err := o.access.ConfirmSecondFactor(ctx, ann, " "+code[:3]+" "+code[3:])
		if err != nil || len(recovery) != 10 {
			t.Fatalf("got %d recovery codes, error %v", len(recovery), err)
		}
		if f, err := o.access.SecondFactor(ctx, ann); err != nil ||
			f != (access.SecondFactor{On: true, Since: begun, CodesLeft: 10}) {
			t.Errorf("got %+v, error %v", f, err)
		}
		o.wantSession(t, "in which it was turned on", here, true)
		o.wantSession(t, "another browser", there, false)
		_, _, err = o.access.BeginSecondFactor(ctx, ann)
		wantRefused(t, "a second one", err, desk.Conflict, "on already")
		_, err = o.access.ConfirmSecondFactor(ctx, ann, mustertest.Code(t, secret, o.clock.Now()))
		wantRefused(t, "again", err, desk.Conflict, "on already")

		half, s := o.signIn(t, ann, true)
		if user, due, err := o.access.Session(ctx, half, "192.0.2.1"); user != nil || !s.CodeDue || due == nil ||
			*due != *s || err != access.ErrCodeDue {
			t.Fatalf("after the password: got user %v, session %v, error %v, want %v", user, due, err,
				access.ErrCodeDue)
		}
		if _, _, err := o.access.CompleteSignIn(ctx, half, code); err != access.ErrCode {
			t.Errorf("a code that was used: got error %v, want %v", err, access.ErrCode)
		}
		o.clock.Advance(time.Minute)
		full, s, err := o.access.CompleteSignIn(ctx, half, mustertest.Code(t, secret, o.clock.Now()))
		if err != nil || full == half || s.CodeDue || !s.Stay || s.Agent != "Firefox" ||
			!s.Expires.Equal(o.clock.Now().Add(30*24*time.Hour)) {
			t.Fatalf("got session %+v, error %v", s, err)
		}
		o.wantSession(t, "the secret of before", half, false)
		o.wantSession(t, "complete", full, true)
		_, _, err = o.access.CompleteSignIn(ctx, full, mustertest.Code(t, secret, o.clock.Now()))
		wantRefused(t, "complete it again", err, desk.Conflict, "before")

		ann.Session = s
		if err := o.access.EndSecondFactor(ctx, ann); err != nil {
			t.Error(err)
		}
		wantRefused(t, "end it again", o.access.EndSecondFactor(ctx, ann), desk.Conflict, "has no second factor")
		if _, s := o.signIn(t, ann, false); s.CodeDue {
			t.Error("the code is due without a second factor")
		}
		o.wantSentences(t, secret, "Second factor turned off",
			"Second factor turned on; the API needs a generated password from now on")
	})
}

// wantSentences checks what the last audit records say, latest first, and that
// none has a secret.
func (o *office) wantSentences(t *testing.T, secret string, want ...string) {
	t.Helper()
	all := o.auditsOf(t, inventory.Users.Item)
	for _, a := range all {
		if text := fmt.Sprintf("%+v", a); strings.Contains(text, secret) || strings.Contains(text, annPassword) {
			t.Errorf("got a secret in %s", text)
		}
	}
	for i, sentence := range want {
		if a := all[len(all)-1-i]; a.Message != sentence || a.RecordName != "ann@example.com" ||
			a.Action != inventory.Updated {
			t.Errorf("audit record %d from the end: got %+v, want %s", i, a, sentence)
		}
	}
}

// TestRecoveryCodes are good once each, also when other codes are not looked at.
func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann, bob := o.user(t, "ann@example.com", inventory.Technician),
			o.user(t, "bob@example.com", inventory.Technician)
		secret, codes := o.turnOn(t, ann)
		_, others := o.turnOn(t, bob)
		half, _ := o.signIn(t, ann, false)
		for _, wrong := range []string{"", "AAAA-BBBB-CCCC-DDDD", others[0]} {
			if _, _, err := o.access.CompleteSignIn(ctx, half, wrong); err != access.ErrCode {
				t.Errorf("%q: got error %v, want %v", wrong, err, access.ErrCode)
			}
		}
		typed := strings.ToLower(strings.NewReplacer("-", " ", "O", "0", "I", "1", "B", "8").Replace(codes[3]))
		if _, _, err := o.access.CompleteSignIn(ctx, half, typed); err != nil {
			t.Fatalf("%s: %v", typed, err)
		}
		o.wantSentences(t, secret, "Recovery code used, 9 left")
		half, _ = o.signIn(t, ann, false)
		if _, _, err := o.access.CompleteSignIn(ctx, half, codes[3]); err != access.ErrCode {
			t.Errorf("again: got error %v, want %v", err, access.ErrCode)
		}
		_, ann.Session, _ = o.access.CompleteSignIn(ctx, half, codes[4])
		anew, err := o.access.RenewRecoveryCodes(ctx, ann)
		if err != nil || len(anew) != 10 {
			t.Fatalf("new codes: got %v, error %v", anew, err)
		}
		half, _ = o.signIn(t, ann, false)
		if _, _, err := o.access.CompleteSignIn(ctx, half, codes[5]); err != access.ErrCode {
			t.Errorf("one of before: got error %v, want %v", err, access.ErrCode)
		}
		if _, _, err := o.access.CompleteSignIn(ctx, half, anew[0]); err != nil {
			t.Errorf("a new one: %v", err)
		}
		if err := o.access.EndSecondFactor(ctx, ann); err != nil {
			t.Error(err)
		}
		if f, err := o.access.SecondFactor(ctx, ann); err != nil || f != (access.SecondFactor{}) {
			t.Errorf("got %+v, error %v", f, err)
		}
	})
}

// TestWrongCodes: after some no code is looked at for a while, but for recovery
// codes; and the session ends in which none was right.
func TestWrongCodes(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann := o.user(t, "ann@example.com", inventory.Technician)
		secret, codes := o.turnOn(t, ann)
		wrong := func(session string, times int) {
			t.Helper()
			for range times {
				if _, _, err := o.access.CompleteSignIn(ctx, session,
					mustertest.Code(t, secret, o.clock.Now().Add(-time.Hour))); err != access.ErrCode {
					t.Fatalf("got error %v, want %v", err, access.ErrCode)
				}
			}
		}
		first, _ := o.signIn(t, ann, false)
		wrong(first, 4)
		if _, _, err := o.access.CompleteSignIn(ctx, first, mustertest.Code(t, secret, o.clock.Now())); err != nil {
			t.Fatalf("after four wrong codes: %v", err)
		}
		second, _ := o.signIn(t, ann, false)
		wrong(second, 3)
		third, _ := o.signIn(t, ann, false)
		wrong(third, 2)
		o.clock.Advance(time.Minute)
		_, _, err := o.access.CompleteSignIn(ctx, third, mustertest.Code(t, secret, o.clock.Now()))
		wantRefused(t, "a right code after five wrong ones", err, desk.Conflict, "wait for 14 minutes")
		if _, _, err := o.access.CompleteSignIn(ctx, third, codes[0]); err != nil {
			t.Errorf("a recovery code after five wrong codes: %v", err)
		}
		o.clock.Advance(9 * time.Minute)
		_, _, err = o.access.CompleteSignIn(ctx, second, codes[1])
		if !errors.Is(err, access.ErrNoSession) {
			t.Errorf("ten minutes after the password: got error %v, want %v", err, access.ErrNoSession)
		}
		o.clock.Advance(5 * time.Minute)
		fourth, _ := o.signIn(t, ann, false)
		wrong(fourth, 4)
		if _, _, err := o.access.CompleteSignIn(ctx, fourth, mustertest.Code(t, secret, o.clock.Now())); err != nil {
			t.Errorf("after a while: %v", err)
		}
	})
}

// TestCodesAtOnce: of two who give one code at the same time one is let in.
func TestCodesAtOnce(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann := o.user(t, "ann@example.com", inventory.Technician)
		secret, _ := o.turnOn(t, ann)
		results := make(chan error)
		for range 4 {
			half, _ := o.signIn(t, ann, false)
			go func() {
				_, _, err := o.access.CompleteSignIn(ctx, half, mustertest.Code(t, secret, o.clock.Now()))
				results <- err
			}()
		}
		in := 0
		for range 4 {
			if err := <-results; err == nil {
				in++
			} else if err != access.ErrCode {
				t.Error(err)
			}
		}
		if in != 1 {
			t.Errorf("got %d let in, want 1", in)
		}
	})
}

// TestRequiredSecondFactor: those who must have a second factor can do nothing
// else before they have set it up.
func TestRequiredSecondFactor(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		tech, asker := o.user(t, "ann@example.com", inventory.Technician),
			o.user(t, "bob@example.com", inventory.Requester)
		for _, c := range []struct {
			setting     string
			tech, asker error
		}{
			{"optional", nil, nil},
			{"Staff", access.ErrSetUpDue, nil},
			{"everyone", access.ErrSetUpDue, access.ErrSetUpDue},
		} {
			if err := o.Settings().Set(ctx, program, "second-factor", c.setting); err != nil {
				t.Fatal(err)
			}
			for who, want := range map[*desk.Caller]error{&tech: c.tech, &asker: c.asker} {
				secret, _ := o.signIn(t, *who, false)
				user, s, err := o.access.Session(ctx, secret, "192.0.2.1")
				if err != want || user == nil || s == nil {
					t.Errorf("%s, %s: got user %v, session %v, error %v, want %v", c.setting, who.User.Role, user, s,
						err, want)
				}
				if f, err := o.access.SecondFactor(ctx, *who); err != nil || f.Required != (want != nil) {
					t.Errorf("%s, %s: got %+v, error %v", c.setting, who.User.Role, f, err)
				}
			}
		}
		if err := o.Settings().Set(ctx, program, "second-factor", "no"); err == nil ||
			!strings.Contains(err.Error(), "must be optional, staff or everyone") {
			t.Errorf("another value: got error %v", err)
		}
		secret, session := o.signIn(t, tech, false)
		tech.Session = session
		o.turnOn(t, tech)
		o.wantSession(t, "set up", secret, true)
	})
}

// TestResetSecondFactor: an administrator helps who has lost their telephone.
func TestResetSecondFactor(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann := o.user(t, "ann@example.com", inventory.Technician)
		secret, codes := o.turnOn(t, ann)
		half, _ := o.signIn(t, ann, false)
		if err := o.access.ResetSecondFactor(ctx, program, "Ann@example.com"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := o.access.CompleteSignIn(ctx, half, codes[0]); !errors.Is(err, access.ErrNoSession) {
			t.Errorf("a session of before: got error %v, want %v", err, access.ErrNoSession)
		}
		o.wantSentences(t, secret, "Second factor reset")
		full, _ := o.signIn(t, ann, false)
		o.wantSession(t, "the password alone", full, true)
		wantRefused(t, "again", o.access.ResetSecondFactor(ctx, program, "ann@example.com"), desk.Conflict,
			"has no second factor")
		wantRefused(t, "nobody", o.access.ResetSecondFactor(ctx, program, "no@example.com"), desk.NotFound,
			"there is no user")
	})
}

// TestSecondFactorOfDeleted: nothing is left of a second factor that a user had
// begun to set up before they were deleted.
func TestSecondFactorOfDeleted(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		admin, ann := o.user(t, "admin@example.com", inventory.Administrator),
			o.user(t, "ann@example.com", inventory.Technician)
		if _, _, err := o.access.BeginSecondFactor(ctx, ann); err != nil {
			t.Fatal(err)
		}
		if _, err := o.Delete(ctx, admin, desk.Target{Kind: inventory.Users.Schema, ID: ann.User.ID}); err != nil {
			t.Fatal(err)
		}
		err := o.store.View(ctx, func(tx *store.Tx) error {
			_, err := tx.SecondFactorOf(ctx, ann.User.ID)
			return err
		})
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("got error %v, want %v", err, store.ErrNotFound)
		}
	})
}
