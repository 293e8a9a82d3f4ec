package desk

import (
	"cmp"
	"context"
	"errors"
	"time"

	"muster/internal/inventory"
	"muster/internal/store"
)

// A Caller is on whose behalf the desk acts, and the origin of the call.
type Caller struct {
	User   *inventory.User
	Origin string // as in audit records: api, web, command
	// Triple is what proved the request, and is good for one change on whichever
	// node; nil when there is nothing that could be sent again.
	Triple *store.Triple
	Token  *Token // by which the user came in, nil for none
	// Session is that in which the user acts, nil for none.
	Session *Session
	// ByPassword says that the request itself proves the user's password, as digest
	// authentication does.
	ByPassword bool
	// Exposed says that others may have read the request on its way.
	PlainHTTP bool
	// confirmed says that step-up was asked for when something began that takes long.
	confirmed bool

	Report *ReportOrigin // nil for who is no agent
}

// A ReportOrigin says in audit records where what an agent reports comes from.
type ReportOrigin struct {
	Number         int64 // that no other report of the computer has
	Token, Address string
	Agent          int64 // 0 before it is stored
}

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

// UsedFrom returns the address from which the session was last used.
func (s *Session) UsedFrom() string { return cmp.Or(s.LastAddress, s.Address) }

// checkSession returns a refusal when the session in which a change was asked for
// was ended. Nobody ends it before the change is made.
func checkSession(ctx context.Context, tx *store.Tx, s *Session) error {
	if s == nil {
		return nil
	}
	err := tx.SessionShared(ctx, s.ID)
	if errors.Is(err, store.ErrNotFound) {
		return Refuse(Forbidden, "the session has ended: sign in again")
	}
	return err
}

// A Token lets whoever has its secret act as a user, with at most the user's
// rights.
type Token struct {
	ID        int64
	Name      string
	Email     string // of the user
	Disabled  bool   // the user is
	Reader    bool   // the user may only read
	ReadOnly  bool
	CreatedAt time.Time
	Expires   time.Time // from when it is good for nothing, zero for never
	LastUsed  time.Time // renewed at most hourly, zero for never
	Address   string    // from which it was used then, "" for none
}

// TokenOf returns what may be known of a stored token.
func TokenOf(t store.Token, user *inventory.User) *Token {
	return &Token{t.ID, t.Name, user.Email, user.Disabled.V, user.ReadOnly.V, t.ReadOnly, t.CreatedAt, t.Expires,
		t.LastUsed, t.LastAddress}
}

// Ended reports whether the token is good for nothing any more.
func (t *Token) Ended(now time.Time) bool { return !t.Expires.IsZero() && !now.Before(t.Expires) }

// MayChange returns a refusal when the token is for reading alone.
func (t *Token) MayChange() error {
	if t.ReadOnly {
		return Refuse(Forbidden, "the token %s may only read", t.Name)
	}
	return nil
}

// checkToken returns a refusal when the token by which a change came lets
// nobody change anything any more. Nobody revokes it before the change is made.
func (d *Desk) checkToken(ctx context.Context, tx *store.Tx, token *Token) error {
	if token == nil {
		return nil
	}
	stored, err := tx.TokenShared(ctx, token.ID)
	switch now := TokenOf(stored, &inventory.User{Email: token.Email}); {
	case errors.Is(err, store.ErrNotFound):
		return Refuse(Forbidden, "the token %s was revoked", token.Name)
	case err != nil:
		return err
	case now.Ended(d.now()):
		return Refuse(Forbidden, "the token %s has ended", token.Name)
	default:
		return now.MayChange()
	}
}

// EnabledUser returns the caller as they are, if they may do what everybody may with
// what is their own, also those who may only read. Nobody changes that before the
// transaction ends.
func EnabledUser(ctx context.Context, tx *store.Tx, who Caller) (*inventory.User, error) {
	user, err := PresentUser(ctx, tx, who.User)
	if err == nil && user.Disabled.V {
		err = Refuse(Forbidden, "the user %s is disabled", user.Email)
	}
	if err != nil {
		return nil, err
	}
	return user, checkSession(ctx, tx, who.Session)
}

// SessionID returns the id of the session in which the caller acts, 0 for none.
func (c Caller) SessionID() int64 {
	if c.Session == nil {
		return 0
	}
	return c.Session.ID
}

// CurrentUser returns the user of a caller as they are, if they may still act, and
// the session or token by which they came is valid.
func (d *Desk) CurrentUser(ctx context.Context, tx *store.Tx, who Caller) (*inventory.User, error) {
	user, err := EnabledUser(ctx, tx, who)
	if err != nil {
		return nil, err
	}
	return user, d.checkToken(ctx, tx, who.Token)
}

// PresentUser returns a user as they are, or a refusal when they are gone; nobody
// changes them before the transaction ends.
func PresentUser(ctx context.Context, tx *store.Tx, user *inventory.User) (*inventory.User, error) {
	rec, err := tx.GetShared(ctx, inventory.Users.Schema, user.ID)
	if errors.Is(err, store.ErrNotFound) {
		return user, Refuse(Forbidden, "the user %s does not exist any more", user.Email)
	}
	if err != nil {
		return user, err
	}
	return rec.(*inventory.User), nil
}
