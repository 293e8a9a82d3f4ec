package desk

import (
	"context"
	"errors"
	"time"

	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
)

// A UserAccess tells an administrator how a user comes in.
type UserAccess struct {
	Password    bool      // they can sign in
	APIPassword bool      // their programs can, with a password
	APIUsed     time.Time // when one last did, to the hour; zero for never
	Factor      SecondFactor
	Sessions    []*Session // that have not ended
}

// UserAccess tells how a user comes in, to administrators, also to those who may
// only read.
func (d *Desk) UserAccess(ctx context.Context, who Caller, user *inventory.User) (a *UserAccess, err error) {
	if who.User != nil && who.User.Role != inventory.Administrator {
		return nil, Refuse(Forbidden, "a %s may not see how others sign in", message.Word(who.User.Role))
	}
	a = &UserAccess{}
	err = d.store.View(ctx, func(tx *store.Tx) error {
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
	as := Caller{User: user}
	if a.Factor, err = d.SecondFactor(ctx, as); err != nil {
		return nil, err
	}
	a.Sessions, err = d.Sessions(ctx, as)
	return a, err
}

// SignOutUser ends all sessions of a user. Administrators alone may do that.
func (d *Desk) SignOutUser(ctx context.Context, who Caller, email string) error {
	return d.store.Update(ctx, func(tx *store.Tx) error {
		if err := d.Administers(ctx, tx, who, "a %s may not change user records"); err != nil {
			return err
		}
		user, err := findUser(ctx, tx, email)
		if err != nil {
			return err
		}
		if err := tx.RemoveSessionsOf(ctx, user.ID, 0); err != nil {
			return err
		}
		return d.noteUser(ctx, tx, who, user, message.New("Signed out on all devices"))
	})
}
