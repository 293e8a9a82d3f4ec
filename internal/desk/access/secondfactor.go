package access

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
)

// Who must have a second factor: nobody, those who work for others, or all.
const (
	factorOptional = "optional"
	factorStaff    = "staff"
	factorEveryone = "everyone"
)

var secondFactor = desk.ChoiceSetting([]string{factorOptional, factorStaff, factorEveryone}, "second-factor",
	"who must sign in to the web application with a second factor: optional (nobody, but everybody may), "+
		"staff (administrators and technicians) or everyone").Guarding()

// A SecondFactor shows a user the second factor by which they sign in.
type SecondFactor struct {
	On        bool
	Since     time.Time // when it was turned on
	CodesLeft int       // recovery codes
	Required  bool      // the user may not be without
}

// SecondFactor returns the caller's second factor.
func (s *Service) SecondFactor(ctx context.Context, who desk.Caller) (f SecondFactor, err error) {
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		stored, err := tx.SecondFactorOf(ctx, who.User.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		left, err := tx.RecoveryCodes(ctx, who.User.ID)
		f = SecondFactor{!stored.ConfirmedAt.IsZero(), stored.ConfirmedAt, int(left), s.codes.required(who.User)}
		return err
	})
	return f, err
}

// required reports whether a user must have a second factor.
func (c *codes) required(user *inventory.User) bool {
	switch c.desk.Settings().Value(&secondFactor) {
	case factorEveryone:
		return true
	case factorStaff:
		return !desk.Limited(user)
	}
	return false
}

// setUpDue reports whether a user must have a second factor and has none.
func (c *codes) setUpDue(ctx context.Context, user *inventory.User) (due bool, err error) {
	if !c.required(user) {
		return false, nil
	}
	err = c.desk.Store().Read(ctx, func(tx *store.Tx) error {
		on, err := desk.HasSecondFactor(ctx, tx, user.ID)
		due = !on
		return err
	})
	return due, err
}

// BeginSecondFactor returns a new secret for the app that shows the caller their
// codes, as text and as an address. It is asked for once ConfirmSecondFactor was
// given a code. Both ask for step-up.
func (s *Service) BeginSecondFactor(ctx context.Context, who desk.Caller) (secret, address string, err error) {
	if who.PlainHTTP {
		return "", "", desk.Refuse(desk.Forbidden, "a second factor is set up over HTTPS alone")
	}
	plain := make([]byte, secretSize)
	rand.Read(plain)
	err = s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		user, err := s.ownAccess(ctx, tx, who)
		if err != nil {
			return err
		}
		on, err := desk.HasSecondFactor(ctx, tx, user.ID)
		if err != nil {
			return err
		}
		if on {
			return errIsOn
		}
		sealed := s.desk.Sealer().Seal(plain, codeSealedFor(user.ID))
		return tx.SetSecondFactor(ctx, store.SecondFactor{UserID: user.ID, Secret: sealed})
	})
	if err != nil {
		return "", "", err
	}
	secret = codeSecretText(plain)
	return secret, codeURL(s.desk.Realm(), who.User.Email, secret), nil
}

var errIsOn = desk.Refuse(desk.Conflict, "the second factor is on already: turn it off first")

// ConfirmSecondFactor turns the second factor of the caller on, once a code shows
// that their app has the secret, and returns recovery codes, each good once,
// which are kept nowhere. Their other sessions end, in which nobody has given a
// code; and so does the API password, since it may be the one for signing in.
func (s *Service) ConfirmSecondFactor(
	ctx context.Context, who desk.Caller, code string,
) (recovery []string, err error) {
	err = s.changeOwnAccess(ctx, who, func(tx *store.Tx, user *inventory.User) (err error) {
		recovery = nil
		if err := s.codes.confirm(ctx, tx, user.ID, code); err != nil {
			return err
		}
		if recovery, err = addRecoveryCodes(ctx, tx, user.ID); err != nil {
			return err
		}
		if err := dropAPIPassword(ctx, tx, user.ID); err != nil {
			return err
		}
		if err := tx.RemoveSessionsOf(ctx, user.ID, who.SessionID()); err != nil {
			return err
		}
		return noteUser(ctx, s.desk, tx, who, user, message.New("Second factor turned on; the API needs a generated "+
			"password from now on"))
	})
	return recovery, err
}

// confirm turns on the second factor that a user has begun to set up.
func (c *codes) confirm(ctx context.Context, tx *store.Tx, userID int64, code string) error {
	f, err := tx.LockedSecondFactor(ctx, userID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return desk.Refuse(desk.Conflict, "the setup of the second factor was not begun: begin it first")
	case err != nil:
		return err
	case !f.ConfirmedAt.IsZero():
		return errIsOn
	}
	secret, err := c.secret(f)
	if err != nil {
		return err
	}
	now := c.desk.Now()
	step := stepOf(secret, plainCode(code), now, f.LastStep)
	if step == 0 {
		return ErrCode
	}
	f.ConfirmedAt, f.LastStep = now, step
	return tx.SetSecondFactor(ctx, f)
}

// dropAPIPassword leaves a user without an API password.
func dropAPIPassword(ctx context.Context, tx *store.Tx, userID int64) error {
	c, err := tx.CredentialsOf(ctx, userID)
	if err != nil {
		return err
	}
	c.Digest = nil
	return tx.SetCredentials(ctx, c)
}

// EndSecondFactor turns the second factor of the caller off. It asks for step-up.
func (s *Service) EndSecondFactor(ctx context.Context, who desk.Caller) error {
	return s.changeOwnAccess(ctx, who, func(tx *store.Tx, user *inventory.User) error {
		return s.codes.turnOff(ctx, tx, who, user, message.New("Second factor turned off"))
	})
}

// RenewRecoveryCodes returns new recovery codes of the caller in place of those
// that are left. It asks for step-up.
func (s *Service) RenewRecoveryCodes(ctx context.Context, who desk.Caller) (recovery []string, err error) {
	err = s.changeOwnAccess(ctx, who, func(tx *store.Tx, user *inventory.User) error {
		on, err := desk.HasSecondFactor(ctx, tx, user.ID)
		if err != nil {
			return err
		}
		if !on {
			return desk.Refuse(desk.Conflict, "%s has no second factor", user.Email)
		}
		if err := tx.RemoveRecoveryCodes(ctx, user.ID); err != nil {
			return err
		}
		if recovery, err = addRecoveryCodes(ctx, tx, user.ID); err != nil {
			return err
		}
		return noteUser(ctx, s.desk, tx, who, user, message.New("Recovery codes made anew"))
	})
	return recovery, err
}

// ResetSecondFactor turns the second factor of a user off who has lost what they
// prove it with, and ends their sessions. Administrators alone may do that. It asks
// for step-up.
func (s *Service) ResetSecondFactor(ctx context.Context, who desk.Caller, email string) error {
	return s.desk.ChangeUsers(ctx, func(tx *store.Tx) error {
		if err := s.desk.Administers(ctx, tx, who, "a %s may not change user records"); err != nil {
			return err
		}
		user, err := desk.FindUser(ctx, tx, email)
		if err != nil {
			return err
		}
		if err := s.desk.StepUp(ctx, tx, who, user.ID); err != nil {
			return err
		}
		if err := s.codes.turnOff(ctx, tx, who, user, message.New("Second factor reset")); err != nil {
			return err
		}
		return tx.RemoveSessionsOf(ctx, user.ID, 0)
	})
}

// turnOff removes a user's second factor.
func (c *codes) turnOff(
	ctx context.Context, tx *store.Tx, who desk.Caller, user *inventory.User, text message.Text,
) error {
	_, err := tx.LockedSecondFactor(ctx, user.ID)
	if errors.Is(err, store.ErrNotFound) {
		return desk.Refuse(desk.Conflict, "%s has no second factor", user.Email)
	}
	if err != nil {
		return err
	}
	if err := tx.RemoveSecondFactor(ctx, user.ID); err != nil {
		return err
	}
	return noteUser(ctx, c.desk, tx, who, user, text)
}
