package access

import (
	"context"
	"crypto/rand"
	"errors"
	"time"
	"unicode/utf8"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// ErrPassword is the answer for a wrong password of somebody who is signed in.
var ErrPassword = desk.Refuse(desk.Forbidden, "the password is not right")

// SetOwnPassword changes the caller's password, see setPassword. All their sessions
// end; the one in which they act goes on under a new secret.
func (s *Service) SetOwnPassword(
	ctx context.Context, who desk.Caller, p PasswordChange,
) (done PasswordChanged, err error) {
	if err := s.passwords.checkNew(who, p.New); err != nil {
		return done, err
	}
	known, ok, err := s.passwords.isPassword(ctx, who.User, p.Old)
	if err != nil {
		return done, err
	}
	if !ok {
		return done, ErrPassword
	}
	return s.replaceOwn(ctx, who, p, known)
}

// checkNew returns what is wrong with a new password of the caller.
func (p *passwords) checkNew(who desk.Caller, password string) error {
	if faults := p.faults(who, who.User, password); faults != nil {
		return &kind.Invalid{Faults: faults}
	}
	if !utf8.ValidString(password) {
		return kind.NewInvalid(message.Says("must be text in UTF-8").Of(passwordWord))
	}
	return nil
}

// replaceOwn changes the caller's password, unless it is another by now than the one
// that was looked at.
func (s *Service) replaceOwn(
	ctx context.Context, who desk.Caller, p PasswordChange, known proved,
) (done PasswordChanged, err error) {
	hash := ""
	if err := s.passwords.inTurn(ctx, func() { hash = s.passwords.cost.Hash(p.New) }); err != nil {
		return done, err
	}
	err = s.desk.ChangeUsers(ctx, func(tx *store.Tx) error {
		holds, err := known.isCurrent(ctx, tx)
		if err != nil {
			return err
		}
		if !holds {
			return ErrPassword
		}
		done, err = s.setOwn(ctx, tx, who, p, hash)
		return err
	})
	return done, err
}

// isPassword reports whether a text is a user's password for signing in, with the
// credentials that say so.
func (p *passwords) isPassword(ctx context.Context, user *inventory.User, text string) (c proved, ok bool, err error) {
	err = p.desk.Store().Read(ctx, func(tx *store.Tx) error {
		c.Credentials, err = tx.CredentialsOf(ctx, user.ID)
		return err
	})
	if errors.Is(err, store.ErrNotFound) || err == nil && utf8.RuneCountInString(text) < minPassword {
		return c, false, nil
	}
	if err != nil {
		return c, false, err
	}
	ok, err = p.proves(ctx, text, c.SignIn)
	return c, ok, err
}

// proved are credentials by which a password was right a moment ago.
type proved struct{ store.Credentials }

// isCurrent reports whether the password is the same by now.
func (c proved) isCurrent(ctx context.Context, tx *store.Tx) (bool, error) {
	now, err := tx.CredentialsOf(ctx, c.UserID)
	return err == nil && now.SignIn == c.SignIn, err
}

// setOwn stores the caller's new password, of which the hash for signing in is
// given.
func (s *Service) setOwn(
	ctx context.Context, tx *store.Tx, who desk.Caller, p PasswordChange, hash string,
) (done PasswordChanged, err error) {
	known, err := desk.EnabledUser(ctx, tx, who)
	if err != nil {
		return done, err
	}
	user := *known
	user.Password, user.KeepTokens = p.New, kind.Some(p.KeepTokens)
	if err := noteUser(ctx, s.desk, tx, who, &user, message.New("Sign-in password changed")); err != nil {
		return done, err
	}
	if err := s.setPassword(ctx, tx, who, &user, hash); err != nil {
		return done, err
	}
	done = PasswordChanged{Password: p.New, Revoked: user.TokensRevoked.V}
	if err := tx.RemoveSessionsOf(ctx, user.ID, 0); err != nil {
		return done, err
	}
	if who.Session != nil {
		done.Session, err = s.renewSession(ctx, tx, who.Session)
	}
	return done, err
}

// renewSession stores a session under a new secret, whose user has just given their
// password. Without a second factor that is all that they sign in with.
func (service *Service) renewSession(ctx context.Context, tx *store.Tx, s *desk.Session) (secret string, err error) {
	renewed := store.Session{
		UserID: s.UserID, Stay: s.Stay, CreatedAt: s.CreatedAt, Expires: s.Expires, LastUsed: service.desk.Now(),
		Agent: s.Agent, Address: s.Address, LastAddress: s.LastAddress, ConfirmedAt: s.ConfirmedAt,
	}
	on, err := desk.HasSecondFactor(ctx, tx, s.UserID)
	if err != nil {
		return "", err
	}
	if !on {
		renewed.ConfirmedAt = service.desk.Now()
	}
	secret, _, err = addSession(ctx, tx, renewed)
	return secret, err
}

// MakeAPIPassword gives the caller a new password for the API alone, and returns
// it; it is kept nowhere. The one for signing in stays as it is. It asks for step-up.
func (s *Service) MakeAPIPassword(ctx context.Context, who desk.Caller) (string, error) {
	if who.PlainHTTP {
		return "", desk.Refuse(desk.Forbidden, "an API password is made over HTTPS alone")
	}
	password := rand.Text()
	err := s.changeOwnAccess(ctx, who, func(tx *store.Tx, user *inventory.User) error {
		c, err := tx.CredentialsOf(ctx, user.ID)
		if err != nil {
			return err
		}
		if c.Digest, err = s.passwords.apiPassword(user, password); err != nil {
			return err
		}
		c.API = store.APIMade
		if err := tx.SetCredentials(ctx, c); err != nil {
			return err
		}
		return noteUser(ctx, s.desk, tx, who, user, message.New("API password made"))
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
func (s *Service) APIPassword(ctx context.Context, who desk.Caller) (p APIPassword, err error) {
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		c, err := tx.CredentialsOf(ctx, who.User.ID)
		p = APIPassword{len(c.Digest) > 0 && c.API == store.APIOlder, c.APIUsed}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return APIPassword{}, nil
	}
	return p, err
}
