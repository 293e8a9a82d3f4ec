package access

import (
	"context"
	"errors"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
)

// A Summary shows an administrator how a user comes in.
type Summary struct {
	Password    bool      // they can sign in
	APIPassword bool      // their programs can, with a password
	APIUsed     time.Time // when one last did, to the hour; zero for never
	Factor      SecondFactor
	Sessions    []*desk.Session // that have not ended
}

// Summary returns how a user comes in, to administrators, also to those who may
// only read.
func (s *Service) Summary(ctx context.Context, who desk.Caller, user *inventory.User) (a *Summary, err error) {
	if who.User != nil && who.User.Role != inventory.Administrator {
		return nil, desk.Refuse(desk.Forbidden, "a %s may not see how others sign in", message.Word(who.User.Role))
	}
	a = &Summary{}
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		c, err := tx.CredentialsOf(ctx, user.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		a.Password, a.APIPassword, a.APIUsed = c.SignIn != "", len(c.Digest) > 0, c.APIUsed
		return nil
	})
	if err != nil {
		return nil, err
	}
	as := desk.Caller{User: user}
	if a.Factor, err = s.SecondFactor(ctx, as); err != nil {
		return nil, err
	}
	a.Sessions, err = s.Sessions(ctx, as)
	return a, err
}

// SignOutUser ends all sessions of a user. Administrators alone may do that.
func (s *Service) SignOutUser(ctx context.Context, who desk.Caller, email string) error {
	return s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		if err := s.desk.Administers(ctx, tx, who, "a %s may not change user records"); err != nil {
			return err
		}
		user, err := desk.FindUser(ctx, tx, email)
		if err != nil {
			return err
		}
		if err := tx.RemoveSessionsOf(ctx, user.ID, 0); err != nil {
			return err
		}
		return noteUser(ctx, s.desk, tx, who, user, message.New("Signed out on all devices"))
	})
}
