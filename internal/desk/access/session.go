package access

import (
	"context"
	"errors"
	"fmt"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/store"
)

// How long a session lasts: in all, and without being used. Of one that stays
// both are the same.
const (
	sessionLife = 24 * time.Hour
	sessionIdle = 12 * time.Hour
	stayLife    = 30 * 24 * time.Hour
	codeTime    = 10 * time.Minute // for the code of the second factor
)

// sessionEvery is how often the time of a session's last use is renewed.
const sessionEvery = 5 * time.Minute

// ErrNoSession is wrapped by the answer for a secret that lets nobody in: there
// was no such session, or it has ended. The rest of it is for the log.
var ErrNoSession = errors.New("no session")

// Errors of sessions in which but one thing may be done. With ErrCodeDue there
// is a session without a user: the code of the second factor is due, see
// CompleteSignIn. With ErrSetUpDue there are both: the user must have a second
// factor and has none, see BeginSecondFactor.
var (
	ErrCodeDue  = errors.New("the code of the second factor is due")
	ErrSetUpDue = errors.New("a second factor must be set up")
	// ErrPasswordDue comes with both too: the user has signed in with the password that
	// the first start printed, see ChoosePassword.
	ErrPasswordDue = errors.New("a password of the user's own is due")
)

// newSession returns what may be known of a stored session.
func newSession(s store.Session) *desk.Session {
	return &desk.Session{
		ID: s.ID, UserID: s.UserID, Stay: s.Stay, CodeDue: s.Due, CreatedAt: s.CreatedAt, Expires: s.Expires,
		LastUsed: s.LastUsed, Agent: s.Agent, Address: s.Address, LastAddress: s.LastAddress,
		ConfirmedAt: s.ConfirmedAt, PasswordDue: s.Printed,
	}
}

// ended reports whether the session is good for nothing any more.
func ended(s *desk.Session, now time.Time) bool {
	return !now.Before(s.Expires) || !s.Stay && now.Sub(s.LastUsed) >= sessionIdle
}

// Session returns the user that a session's secret lets in, with the session,
// and notes its use from an address. Both are read from the database each time, so that a session
// that was ended anywhere is at once dead everywhere. A session that is not good
// for everything comes with ErrCodeDue, ErrPasswordDue or ErrSetUpDue.
func (service *Service) Session(ctx context.Context, secret, address string) (*inventory.User, *desk.Session, error) {
	s, err := service.findSession(ctx, secret)
	if err != nil {
		return nil, nil, err
	}
	if s.CodeDue {
		return nil, s, ErrCodeDue
	}
	user, err := service.userOf(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	now := service.desk.Now()
	service.noteSession(ctx, s, address, now)
	service.accounts.noteLogin(ctx, user, now)
	if s.PasswordDue {
		return user, s, ErrPasswordDue
	}
	if due, err := service.codes.setUpDue(ctx, user); err != nil {
		return nil, nil, err
	} else if due {
		return user, s, ErrSetUpDue
	}
	return user, s, nil
}

// findSession returns the session of a secret that has not ended.
func (service *Service) findSession(ctx context.Context, secret string) (*desk.Session, error) {
	hash := desk.HashToken(secret)
	var stored store.Session
	err := service.desk.Store().Read(ctx, func(tx *store.Tx) (err error) {
		stored, err = tx.Session(ctx, hash[:])
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("%w: there is none of this secret", ErrNoSession)
	}
	if err != nil {
		return nil, err
	}
	s := newSession(stored)
	if ended(s, service.desk.Now()) {
		return nil, fmt.Errorf("%w: it has ended", ErrNoSession)
	}
	return s, nil
}

// userOf returns the user of a session, who may still sign in.
func (service *Service) userOf(ctx context.Context, s *desk.Session) (user *inventory.User, err error) {
	err = service.desk.Store().Read(ctx, func(tx *store.Tx) error {
		user, err = store.Get(ctx, tx, inventory.Users, s.UserID)
		return err
	})
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, fmt.Errorf("%w: its user is gone", ErrNoSession)
	case err == nil && user.Disabled.V:
		return nil, fmt.Errorf("%w: its user is disabled", ErrNoSession)
	}
	return user, err
}

// noteSession renews the time of a session's last use as noteLogin does that of
// a login. Of many requests at once, one stores it.
func (service *Service) noteSession(ctx context.Context, s *desk.Session, address string, now time.Time) {
	now = now.UTC().Truncate(time.Second)
	if now.Sub(s.LastUsed) < sessionEvery {
		return
	}
	if _, underWay := service.renewing.LoadOrStore(s.ID, true); underWay {
		return
	}
	defer service.renewing.Delete(s.ID)
	ctx, cancel := context.WithTimeout(ctx, desk.LoginTime)
	defer cancel()
	err := service.desk.Store().Update(ctx, func(tx *store.Tx) error {
		return tx.UseSession(ctx, s.ID, address, now,
			now.Add(-sessionEvery))
	})
	if err != nil {
		service.desk.Log().Warn("the use of a session was not stored", "session", s.ID, "error", err)
	}
}

// SignOut ends the session of a secret, if there is one.
func (service *Service) SignOut(ctx context.Context, secret string) error {
	hash := desk.HashToken(secret)
	var s store.Session
	err := service.desk.Store().Update(ctx, func(tx *store.Tx) (err error) {
		if s, err = tx.Session(ctx, hash[:]); err != nil {
			return err
		}
		return tx.RemoveSession(ctx, s.UserID, s.ID)
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err == nil {
		service.desk.Log().Info("signed out", "user_id", s.UserID, "session", s.ID)
	}
	return err
}

// SignOutEverywhere ends all sessions of the caller, but one if it is not nil.
func (s *Service) SignOutEverywhere(ctx context.Context, who desk.Caller, except *desk.Session) error {
	var kept int64
	if except != nil {
		kept = except.ID
	}
	err := s.desk.Store().Update(ctx, func(tx *store.Tx) error { return tx.RemoveSessionsOf(ctx, who.User.ID, kept) })
	if err == nil {
		s.desk.Log().Info("signed out everywhere", "user", who.User.Email, "kept_session", kept)
	}
	return err
}

// Sessions returns the sessions of the caller that have not ended, in the order
// in which they began.
func (service *Service) Sessions(ctx context.Context, who desk.Caller) (sessions []*desk.Session, err error) {
	var stored []store.Session
	err = service.desk.Store().Read(ctx, func(tx *store.Tx) error {
		stored, err = tx.SessionsOf(ctx, who.User.ID)
		return err
	})
	for _, one := range stored {
		if s := newSession(one); !ended(s, service.desk.Now()) && !s.CodeDue {
			sessions = append(sessions, s)
		}
	}
	return sessions, err
}

// EndSession ends one session of the caller.
func (s *Service) EndSession(ctx context.Context, who desk.Caller, id int64) error {
	err := s.desk.Store().Update(ctx, func(tx *store.Tx) error { return tx.RemoveSession(ctx, who.User.ID, id) })
	if errors.Is(err, store.ErrNotFound) {
		return desk.Refuse(desk.NotFound, "there is no session with the id %d: it may have ended", id)
	}
	if err == nil {
		s.desk.Log().Info("signed out", "user", who.User.Email, "session", id)
	}
	return err
}

// PeekSession returns the user of a session that has not ended, as Session does, but
// is no use of it: a page that is left open keeps no session alive.
func (service *Service) PeekSession(ctx context.Context, secret string) (*inventory.User, error) {
	s, err := service.findSession(ctx, secret)
	if err != nil {
		return nil, err
	}
	if s.CodeDue {
		return nil, fmt.Errorf("%w: its code is due", ErrNoSession)
	}
	user, err := service.userOf(ctx, s)
	if err != nil {
		return nil, err
	}
	due, err := service.codes.setUpDue(ctx, user)
	if err == nil && due {
		err = fmt.Errorf("%w: a second factor is due", ErrNoSession)
	}
	return user, err
}
