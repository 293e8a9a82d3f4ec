package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

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

// A Session is a browser in which a user has signed in.
type Session struct {
	ID, UserID int64
	Stay       bool // for weeks, rather than for the day
	CodeDue    bool // nobody is let in before CompleteSignIn
	CreatedAt  time.Time
	Expires    time.Time // when it ends at the latest
	LastUsed   time.Time // renewed every few minutes
	Agent      string    // the browser, as it calls itself
	Address    string    // from which the user signed in
	// LastAddress is from where it was used when LastUsed was renewed, "" when it was not.
	LastAddress string
	// ConfirmedAt is when the user last gave in it what they sign in with, zero for
	// never, see Confirm.
	ConfirmedAt time.Time
	PasswordDue bool // the user is to choose a password of their own, see ChoosePassword
}

// newSession returns what may be known of a stored session.
func newSession(s store.Session) *Session {
	return &Session{s.ID, s.UserID, s.Stay, s.Due, s.CreatedAt, s.Expires, s.LastUsed, s.Agent, s.Address, s.LastAddress, s.ConfirmedAt, s.Printed}
}

// UsedFrom returns the address from which the session was last used.
func (s *Session) UsedFrom() string { return cmp.Or(s.LastAddress, s.Address) }

// ended reports whether the session is good for nothing any more.
func (s *Session) ended(now time.Time) bool {
	return !now.Before(s.Expires) || !s.Stay && now.Sub(s.LastUsed) >= sessionIdle
}

// Session returns the user that a session's secret lets in, with the session,
// and notes its use from an address. Both are read from the database each time, so that a session
// that was ended anywhere is at once dead everywhere. A session that is not good
// for everything comes with ErrCodeDue, ErrPasswordDue or ErrSetUpDue.
func (d *Desk) Session(ctx context.Context, secret, address string) (*inventory.User, *Session, error) {
	s, err := d.findSession(ctx, secret)
	if err != nil {
		return nil, nil, err
	}
	if s.CodeDue {
		return nil, s, ErrCodeDue
	}
	user, err := d.userOf(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	now := d.now()
	d.noteSession(ctx, s, address, now)
	d.noteLogin(ctx, user, now)
	if s.PasswordDue {
		return user, s, ErrPasswordDue
	}
	if due, err := d.setUpDue(ctx, user); err != nil {
		return nil, nil, err
	} else if due {
		return user, s, ErrSetUpDue
	}
	return user, s, nil
}

// findSession returns the session of a secret that has not ended.
func (d *Desk) findSession(ctx context.Context, secret string) (*Session, error) {
	hash := HashToken(secret)
	var stored store.Session
	err := d.store.Read(ctx, func(tx *store.Tx) (err error) {
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
	if s.ended(d.now()) {
		return nil, fmt.Errorf("%w: it has ended", ErrNoSession)
	}
	return s, nil
}

// userOf returns the user of a session, who may still sign in.
func (d *Desk) userOf(ctx context.Context, s *Session) (user *inventory.User, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
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
func (d *Desk) noteSession(ctx context.Context, s *Session, address string, now time.Time) {
	now = now.UTC().Truncate(time.Second)
	if now.Sub(s.LastUsed) < sessionEvery {
		return
	}
	if _, underWay := d.renewing.LoadOrStore(s.ID, true); underWay {
		return
	}
	defer d.renewing.Delete(s.ID)
	ctx, cancel := context.WithTimeout(ctx, LoginTime)
	defer cancel()
	err := d.store.Update(ctx, func(tx *store.Tx) error { return tx.UseSession(ctx, s.ID, address, now, now.Add(-sessionEvery)) })
	if err != nil {
		d.log.Warn("the use of a session was not stored", "session", s.ID, "error", err)
	}
}

// sessionHolds returns a refusal when the session in which a change was asked for
// was ended. Nobody ends it before the change is made.
func sessionHolds(ctx context.Context, tx *store.Tx, s *Session) error {
	if s == nil {
		return nil
	}
	err := tx.SessionShared(ctx, s.ID)
	if errors.Is(err, store.ErrNotFound) {
		return Refuse(Forbidden, "the session has ended: sign in again")
	}
	return err
}

// SignOut ends the session of a secret, if there is one.
func (d *Desk) SignOut(ctx context.Context, secret string) error {
	hash := HashToken(secret)
	var s store.Session
	err := d.store.Update(ctx, func(tx *store.Tx) (err error) {
		if s, err = tx.Session(ctx, hash[:]); err != nil {
			return err
		}
		return tx.RemoveSession(ctx, s.UserID, s.ID)
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err == nil {
		d.log.Info("signed out", "user_id", s.UserID, "session", s.ID)
	}
	return err
}

// SignOutEverywhere ends all sessions of the caller, but one if it is not nil.
func (d *Desk) SignOutEverywhere(ctx context.Context, who Caller, except *Session) error {
	var kept int64
	if except != nil {
		kept = except.ID
	}
	err := d.store.Update(ctx, func(tx *store.Tx) error { return tx.RemoveSessionsOf(ctx, who.User.ID, kept) })
	if err == nil {
		d.log.Info("signed out everywhere", "user", who.User.Email, "kept_session", kept)
	}
	return err
}

// Sessions returns the sessions of the caller that have not ended, in the order
// in which they began.
func (d *Desk) Sessions(ctx context.Context, who Caller) (sessions []*Session, err error) {
	var stored []store.Session
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		stored, err = tx.SessionsOf(ctx, who.User.ID)
		return err
	})
	for _, one := range stored {
		if s := newSession(one); !s.ended(d.now()) && !s.CodeDue {
			sessions = append(sessions, s)
		}
	}
	return sessions, err
}

// EndSession ends one session of the caller.
func (d *Desk) EndSession(ctx context.Context, who Caller, id int64) error {
	err := d.store.Update(ctx, func(tx *store.Tx) error { return tx.RemoveSession(ctx, who.User.ID, id) })
	if errors.Is(err, store.ErrNotFound) {
		return Refuse(NotFound, "there is no session with the id %d: it may have ended", id)
	}
	if err == nil {
		d.log.Info("signed out", "user", who.User.Email, "session", id)
	}
	return err
}
