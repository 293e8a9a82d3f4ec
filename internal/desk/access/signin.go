package access

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/digest"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// A SignIn is what somebody gives to be let in to the web application.
type SignIn struct {
	Email, Password string
	Stay            bool   // for weeks, rather than for the day
	Agent           string // the browser, as it calls itself
	Address         string // from which they come
}

// ErrSignIn is the answer for an unknown user, for a disabled one and for a
// wrong password alike.
var ErrSignIn = desk.Refuse(desk.Forbidden, "the e-mail address or the password is not right")

// SignIn begins a session of a user who proves their password, and returns its
// secret, which is kept nowhere. It takes as long when there is no such user. Of
// a user with a second factor the code is still due.
func (service *Service) SignIn(ctx context.Context, in SignIn) (secret string, s *desk.Session, err error) {
	known, err := service.signInOf(ctx, in.Email)
	if err != nil {
		return "", nil, err
	}
	ok, err := service.passwords.proves(ctx, in.Password, cmp.Or(known.SignIn, service.passwords.cost.Dummy()))
	if err != nil {
		return "", nil, err
	}
	if !ok || known.SignIn == "" {
		err = ErrSignIn
	} else {
		secret, s, err = service.begin(ctx, known, in)
	}
	switch {
	case errors.Is(err, ErrSignIn):
		service.desk.Log().Info("sign-in refused", "user", in.Email, "address", in.Address)
	case err == nil && s.CodeDue:
		service.desk.Log().Info("the password is right, the code is due", "user", in.Email, "session", s.ID,
			"address", in.Address)
	case err == nil:
		service.desk.Log().Info("signed in", "user", in.Email, "session", s.ID, "address", in.Address)
	}
	return secret, s, err
}

// signInOf returns the credentials of a user who may sign in, else none.
func (s *Service) signInOf(ctx context.Context, email string) (c store.Credentials, err error) {
	email = strings.ToLower(strings.TrimSpace(email))
	if !desk.IsPrintableASCII(email) { // there can be no such user
		email = ""
	}
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		c, err = tx.CredentialsNamed(ctx, email)
		return err
	})
	if errors.Is(err, store.ErrNotFound) || s.Disabled(email) {
		return store.Credentials{}, nil
	}
	return c, err
}

// begin begins a session of a user whose password was right a moment ago,
// unless they have another one by now, or may not sign in any more. Nobody
// changes that before the session is stored, so that it ends with such a change.
func (service *Service) begin(
	ctx context.Context, known store.Credentials, in SignIn,
) (secret string, s *desk.Session, err error) {
	err = service.desk.Store().Update(ctx, func(tx *store.Tx) error {
		user, err := tx.GetShared(ctx, inventory.Users.Schema, known.UserID)
		if err != nil {
			return err
		}
		now, err := tx.CredentialsOf(ctx, known.UserID)
		if err != nil {
			return err
		}
		if now.SignIn != known.SignIn || user.(*inventory.User).Disabled.V {
			return ErrSignIn
		}
		if err := service.noteAPIPassword(ctx, tx, now, user.(*inventory.User), in.Password); err != nil {
			return err
		}
		on, err := desk.HasSecondFactor(ctx, tx, known.UserID)
		if err != nil {
			return err
		}
		secret, s, err = addSession(ctx, tx, service.newSession(known.UserID, in, on))
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = ErrSignIn
	}
	if err != nil {
		return "", nil, err
	}
	return secret, s, nil
}

// noteAPIPassword notes whether an API password that an earlier version stored is
// the password that a user signs in with.
func (s *Service) noteAPIPassword(
	ctx context.Context, tx *store.Tx, c store.Credentials, user *inventory.User, password string,
) error {
	if len(c.Digest) == 0 || c.API != store.APIUnknown {
		return nil
	}
	stored, err := s.passwords.digestSecret(c)
	if err != nil {
		return err
	}
	c.API = store.APIOlder
	if *stored == *digest.NewSecret(user.Email, s.desk.Realm(), password) {
		c.API = store.APISame
	}
	return tx.SetCredentials(ctx, c)
}

// newSession returns a session that begins now.
func (service *Service) newSession(userID int64, in SignIn, due bool) store.Session {
	now, life := service.desk.Now(), sessionLife
	if in.Stay {
		life = stayLife
	}
	s := store.Session{
		UserID: userID, Stay: in.Stay, Due: due, CreatedAt: now, Expires: now.Add(life), LastUsed: now,
		Agent: desk.OneLine(in.Agent), Address: desk.OneLine(in.Address), ConfirmedAt: now,
	}
	if due {
		s.Expires, s.ConfirmedAt = now.Add(codeTime), time.Time{}
	}
	return s
}

// addSession stores a session under a new secret.
func addSession(ctx context.Context, tx *store.Tx, s store.Session) (string, *desk.Session, error) {
	secret := rand.Text() + rand.Text() // 260 bits
	hash := desk.HashToken(secret)
	s.Hash = hash[:]
	err := tx.AddSession(ctx, &s)
	return secret, newSession(s), err
}

// CompleteSignIn lets a user in who has proved their password, and proves their
// second factor by a code. The session gets a new secret.
func (service *Service) CompleteSignIn(
	ctx context.Context, secret, code string,
) (renewed string, s *desk.Session, err error) {
	half, err := service.findSession(ctx, secret)
	if err != nil {
		return "", nil, err
	}
	if !half.CodeDue {
		return "", nil, desk.Refuse(desk.Conflict, "the code was given before")
	}
	err = service.desk.Store().Update(ctx, func(tx *store.Tx) error {
		renewed, s = "", nil
		user, err := desk.PresentUser(ctx, tx, &inventory.User{Record: kind.Record{ID: half.UserID}})
		if err != nil {
			return err
		}
		ok, err := service.codes.check(ctx, tx, user, code)
		if err != nil || !ok {
			return err
		}
		if err := tx.RemoveSession(ctx, half.UserID, half.ID); err != nil {
			return err
		}
		in := SignIn{Stay: half.Stay, Agent: half.Agent, Address: half.Address}
		renewed, s, err = addSession(ctx, tx, service.newSession(half.UserID, in, false))
		return err
	})
	switch {
	case errors.Is(err, store.ErrNotFound):
		err = fmt.Errorf("%w: it was ended meanwhile", ErrNoSession)
	case err == nil && s == nil:
		service.desk.Log().Info("code refused", "user_id", half.UserID, "session", half.ID, "address", half.Address)
		err = ErrCode
	case err == nil:
		service.desk.Log().Info("signed in", "user_id", half.UserID, "session", s.ID, "address", s.Address)
	}
	return renewed, s, err
}
