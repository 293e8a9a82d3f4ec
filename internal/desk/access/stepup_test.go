package access_test

import (
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// wantStepUp fails unless an error asks for something.
func wantStepUp(t *testing.T, what string, err error, need desk.Need) {
	t.Helper()
	if e, ok := errors.AsType[*desk.StepUp](err); !ok || e.Need != need {
		t.Errorf("%s: got error %v, want a step-up %d", what, err, need)
	}
}

// TestConfirm: what a person signs in with counts for ten minutes, in its session
// alone. Wrong input counts for nothing.
func TestConfirm(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann := o.user(t, "ann@example.com", inventory.Technician)
		here, there := ann, ann
		_, here.Session = o.signIn(t, ann, true)
		_, there.Session = o.signIn(t, ann, true)
		makes := func(who desk.Caller) error {
			_, err := o.access.MakeAPIPassword(ctx, who)
			return err
		}
		o.clock.Advance(10*time.Minute - time.Second)
		if err := makes(here); err != nil {
			t.Errorf("just signed in: %v", err)
		}
		o.clock.Advance(time.Second)
		wantStepUp(t, "ten minutes later", makes(here), desk.NeedProof)
		if _, err := o.access.Confirm(ctx, here, access.Proof{Password: annPassword + "!"}); err != access.ErrPassword {
			t.Errorf("a wrong password: got error %v, want %v", err, access.ErrPassword)
		}
		s, err := o.access.Confirm(ctx, here, access.Proof{Password: annPassword, Code: "of no use"})
		if err != nil || !s.ConfirmedAt.Equal(o.clock.Now()) {
			t.Fatalf("got %+v, error %v, want it confirmed now", s, err)
		}
		wantStepUp(t, "another session", makes(there), desk.NeedProof)
		here.Session = s
		secret, codes := o.turnOn(t, here)
		o.clock.Advance(10 * time.Minute)
		wantStepUp(t, "later", makes(here), desk.NeedProof)
		for _, code := range []string{"", "000000", mustertest.Code(t, secret, o.clock.Now().Add(-time.Hour))} {
			if _, err := o.access.Confirm(ctx, here,
				access.Proof{Password: annPassword, Code: code}); err != access.ErrCode {
				t.Errorf("code %q: got error %v, want %v", code, err, access.ErrCode)
			}
		}
		for _, code := range []string{mustertest.Code(t, secret, o.clock.Now()), codes[0]} {
			if _, err := o.access.Confirm(ctx, here, access.Proof{Password: annPassword, Code: code}); err != nil {
				t.Errorf("code %s: %v", code, err)
			}
			if _, err := o.access.Confirm(ctx, here,
				access.Proof{Password: annPassword, Code: code}); err != access.ErrCode {
				t.Errorf("code %s again: got error %v, want %v", code, err, access.ErrCode)
			}
		}
		if err := o.access.SignOutEverywhere(ctx, ann, nil); err != nil {
			t.Fatal(err)
		}
		_, err = o.access.Confirm(ctx, here, access.Proof{Password: annPassword, Code: codes[1]})
		wantRefused(t, "a session that has ended", err, desk.Forbidden, "sign in again")
	})
}

// TestStepUpOfOthers: a session of before the upgrade is valid and must be confirmed; who
// has proved nothing, or came with a token, is refused.
func TestStepUpOfOthers(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann := o.user(t, "ann@example.com", inventory.Administrator)
		hash := sha256.Sum256([]byte("a secret of before"))
		err := o.store.Update(ctx, func(tx *store.Tx) error {
			return tx.AddSession(ctx,
				&store.Session{
					UserID: ann.User.ID, Hash: hash[:], CreatedAt: o.clock.Now(),
					Expires: o.clock.Now().Add(time.Hour), LastUsed: o.clock.Now(),
				})
		})
		if err != nil {
			t.Fatal(err)
		}
		_, session, err := o.access.Session(ctx, "a secret of before", "192.0.2.1")
		if err != nil || !session.ConfirmedAt.IsZero() {
			t.Fatalf("got %+v, error %v, want a session that nobody has confirmed", session, err)
		}
		_, token, err := o.access.Bearer(ctx, o.userToken(t, "script"), "192.0.2.1")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			what string
			who  desk.Caller
			need desk.Need
		}{
			{"a session of before", desk.Caller{User: ann.User, Session: session, ByPassword: true}, desk.NeedProof},
			{"nothing", desk.Caller{User: ann.User, Origin: "web"}, desk.NeedDigest},
			{"a token", desk.Caller{User: ann.User, Token: token, ByPassword: true}, desk.NeedDigest},
		} {
			_, _, err := o.agents.AddToken(ctx, c.who, agents.NewToken{})
			wantStepUp(t, c.what, err, c.need)
		}
		if s, err := o.access.Confirm(ctx, desk.Caller{User: ann.User, Session: session},
			access.Proof{Password: annPassword}); err != nil {
			t.Error(err)
		} else if _, again, err := o.access.Session(ctx, "a secret of before", "192.0.2.1"); err != nil ||
			*again != *s {
			t.Errorf("got %+v, error %v, want %+v", again, err, s)
		}
	})
}
