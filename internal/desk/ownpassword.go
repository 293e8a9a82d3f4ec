package desk

import (
	"context"
	"crypto/rand"
	"errors"
	"time"
	"unicode/utf8"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// ErrPassword is the answer for a wrong password of somebody who is signed in.
var ErrPassword = Refuse(Forbidden, "the password is not right")

// SetOwnPassword changes the caller's password, see setPassword. All their sessions
// end; the one in which they act goes on under a new secret.
func (d *Desk) SetOwnPassword(ctx context.Context, who Caller, p PasswordChange) (done PasswordChanged, err error) {
	if err := d.checkOwn(who, p.New); err != nil {
		return done, err
	}
	known, ok, err := d.isPassword(ctx, who.User, p.Old)
	if err != nil {
		return done, err
	}
	if !ok {
		return done, ErrPassword
	}
	return d.replaceOwn(ctx, who, p, known)
}

// checkOwn returns what is wrong with a new password of the caller.
func (d *Desk) checkOwn(who Caller, password string) error {
	if faults := d.passwordFaults(who, who.User, password); faults != nil {
		return &kind.Invalid{Faults: faults}
	}
	if !utf8.ValidString(password) {
		return kind.NewInvalid(message.Says("must be text in UTF-8").Of(passwordWord))
	}
	return nil
}

// replaceOwn changes the caller's password, unless it is another by now than the one
// that was looked at.
func (d *Desk) replaceOwn(ctx context.Context, who Caller, p PasswordChange, known proved) (done PasswordChanged, err error) {
	hash := ""
	if err := d.inTurn(ctx, func() { hash = d.hashCost.hash(p.New) }); err != nil {
		return done, err
	}
	err = d.changeUsers(ctx, func(tx *store.Tx) error {
		holds, err := known.hold(ctx, tx)
		if err != nil {
			return err
		}
		if !holds {
			return ErrPassword
		}
		done, err = d.setOwn(ctx, tx, who, p, hash)
		return err
	})
	return done, err
}

// isPassword reports whether a text is a user's password for signing in, with the
// credentials that say so.
func (d *Desk) isPassword(ctx context.Context, user *inventory.User, text string) (c proved, ok bool, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		c.Credentials, err = tx.CredentialsOf(ctx, user.ID)
		return err
	})
	if errors.Is(err, store.ErrNotFound) || err == nil && utf8.RuneCountInString(text) < minPassword {
		return c, false, nil
	}
	if err != nil {
		return c, false, err
	}
	ok, err = d.proves(ctx, text, c.SignIn)
	return c, ok, err
}

// proved are credentials by which a password was right a moment ago.
type proved struct{ store.Credentials }

// hold reports whether the password is the same by now.
func (c proved) hold(ctx context.Context, tx *store.Tx) (bool, error) {
	now, err := tx.CredentialsOf(ctx, c.UserID)
	return err == nil && now.SignIn == c.SignIn, err
}

// setOwn stores the caller's new password, of which the hash for signing in is
// given.
func (d *Desk) setOwn(ctx context.Context, tx *store.Tx, who Caller, p PasswordChange, hash string) (done PasswordChanged, err error) {
	known, err := enabled(ctx, tx, who)
	if err != nil {
		return done, err
	}
	user := *known
	user.Password, user.KeepTokens = p.New, kind.Some(p.KeepTokens)
	if err := d.noteUser(ctx, tx, who, &user, message.New("Sign-in password changed")); err != nil {
		return done, err
	}
	if err := d.setPassword(ctx, tx, who, &user, hash); err != nil {
		return done, err
	}
	done = PasswordChanged{Password: p.New, Revoked: user.TokensRevoked.V}
	if err := tx.RemoveSessionsOf(ctx, user.ID, 0); err != nil {
		return done, err
	}
	if who.Session != nil {
		done.Session, err = d.renewSession(ctx, tx, who.Session)
	}
	return done, err
}

// renewSession stores a session under a new secret, whose user has just given their
// password. Without a second factor that is all that they sign in with.
func (d *Desk) renewSession(ctx context.Context, tx *store.Tx, s *Session) (secret string, err error) {
	renewed := store.Session{
		UserID: s.UserID, Stay: s.Stay, CreatedAt: s.CreatedAt, Expires: s.Expires, LastUsed: d.now(),
		Agent: s.Agent, Address: s.Address, LastAddress: s.LastAddress, ConfirmedAt: s.ConfirmedAt,
	}
	on, err := hasSecondFactor(ctx, tx, s.UserID)
	if err != nil {
		return "", err
	}
	if !on {
		renewed.ConfirmedAt = d.now()
	}
	secret, _, err = d.addSession(ctx, tx, renewed)
	return secret, err
}

// MakeAPIPassword gives the caller a new password for the API alone, and returns
// it; it is kept nowhere. The one for signing in stays as it is. It asks for step-up.
func (d *Desk) MakeAPIPassword(ctx context.Context, who Caller) (string, error) {
	if who.Exposed {
		return "", Refuse(Forbidden, "an API password is made over HTTPS alone")
	}
	password := rand.Text()
	err := d.changeOwnAccess(ctx, who, func(tx *store.Tx, user *inventory.User) error {
		c, err := tx.CredentialsOf(ctx, user.ID)
		if err != nil {
			return err
		}
		if c.Digest, err = d.apiPassword(user, password); err != nil {
			return err
		}
		c.API = store.APIMade
		if err := tx.SetCredentials(ctx, c); err != nil {
			return err
		}
		return d.noteUser(ctx, tx, who, user, message.New("API password made"))
	})
	return password, err
}

// An APIPassword is what is known of the password of a user for the API.
type APIPassword struct {
	// Older says that it is a sign-in password of before, which an earlier version let
	// stay; that is known once they signed in.
	Older    bool
	LastUsed time.Time // to the hour, zero for never
}

// APIPassword returns what is known of the caller's password for the API.
func (d *Desk) APIPassword(ctx context.Context, who Caller) (p APIPassword, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		c, err := tx.CredentialsOf(ctx, who.User.ID)
		p = APIPassword{len(c.Digest) > 0 && c.API == store.APIOlder, c.APIUsed}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return APIPassword{}, nil
	}
	return p, err
}

// enabled returns the caller as they are, if they may do what everybody may with
// what is their own, also those who may only read. Nobody changes that before the
// transaction ends.
func enabled(ctx context.Context, tx *store.Tx, who Caller) (*inventory.User, error) {
	user, err := present(ctx, tx, who.User)
	if err == nil && user.Disabled.V {
		err = Refuse(Forbidden, "the user %s is disabled", user.Email)
	}
	if err != nil {
		return nil, err
	}
	return user, sessionHolds(ctx, tx, who.Session)
}

// sessionID returns the id of the session in which the caller acts, 0 for none.
func (c Caller) sessionID() int64 {
	if c.Session == nil {
		return 0
	}
	return c.Session.ID
}
