package desk

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// How long it counts that a person gave what they sign in with, and for how long
// what they have typed is kept until they give it again.
const (
	confirmedFor = 10 * time.Minute
	typedFor     = 30 * time.Minute
)

// A StepUp is the refusal of a change that gives somebody access: whoever asks for
// it must first prove again that it is they, in a way that its Need names. It is no
// *Error, so that nobody takes it for a refusal that is final.
type StepUp struct {
	Need   Need
	Email  string // of who asks
	UserID int64  // whose access it is about, 0 for a new user or something else
}

// A Need is what a StepUp asks for.
type Need uint8

// Needs.
const (
	NeedProof  Need = iota // Confirm in the same session
	NeedDigest             // the password by digest authentication, not a token
	NeedPage               // the web application, since the API asks for no second factor
)

// Error returns the text for the client.
func (e *StepUp) Error() string {
	switch e.Need {
	case NeedDigest:
		return "this change needs the password of the user by HTTP digest authentication: a token is not enough"
	case NeedPage:
		return fmt.Sprintf("the user %s signs in with a second factor, which the API does not ask for: make this change in the web application", e.Email)
	}
	return "this change needs what the user signs in with once more"
}

// StepUp returns a *StepUp unless the caller has just proved who they are. All that
// gives access asks it, in the transaction of the change. The user is the one whom
// the change is about, see StepUp. Commands, which have no user, are not asked:
// whoever gives them can read the database.
func (d *Desk) StepUp(ctx context.Context, tx *store.Tx, who Caller, userID int64) error {
	if who.User == nil || who.confirmed {
		return nil
	}
	refused := &StepUp{Need: NeedProof, Email: who.User.Email, UserID: userID}
	if who.Session != nil {
		if d.now().Sub(who.Session.ConfirmedAt) < confirmedFor {
			return nil
		}
		return refused
	}
	on, err := hasSecondFactor(ctx, tx, who.User.ID)
	switch {
	case err != nil:
		return err
	case on:
		refused.Need = NeedPage
		return refused
	case who.Token != nil || !who.ByPassword:
		refused.Need = NeedDigest
		return refused
	}
	return nil
}

// ownAccess returns the caller as they are, who changes how they themselves come in.
func (d *Desk) ownAccess(ctx context.Context, tx *store.Tx, who Caller) (*inventory.User, error) {
	user, err := enabled(ctx, tx, who)
	if err != nil {
		return nil, err
	}
	return user, d.StepUp(ctx, tx, who, user.ID)
}

// changeOwnAccess changes how the caller comes in.
func (d *Desk) changeOwnAccess(ctx context.Context, who Caller, change func(*store.Tx, *inventory.User) error) error {
	return d.changeUsers(ctx, func(tx *store.Tx) error {
		user, err := d.ownAccess(ctx, tx, who)
		if err != nil {
			return err
		}
		return change(tx, user)
	})
}

// ConfirmImport returns the caller for WriteImport, or a *StepUp: who imports users
// may make administrators. It holds for the whole import, however long that takes.
func (d *Desk) ConfirmImport(ctx context.Context, who Caller, k *kind.Schema) (Caller, error) {
	if k != inventory.Users.Schema {
		return who, nil
	}
	err := d.store.Read(ctx, func(tx *store.Tx) error { return d.StepUp(ctx, tx, who, 0) })
	who.confirmed = err == nil
	return who, err
}

// A Proof is what a person gives to prove again that it is they.
type Proof struct{ Password, Code string }

// Proofs say which parts of a Proof a person signs in with.
type Proofs struct{ Password, Code bool }

// Proofs returns what the caller signs in with.
func (d *Desk) Proofs(ctx context.Context, who Caller) (Proofs, error) {
	p := Proofs{Password: true}
	err := d.store.Read(ctx, func(tx *store.Tx) (err error) {
		p.Code, err = hasSecondFactor(ctx, tx, who.User.ID)
		return err
	})
	return p, err
}

// Confirm notes in the session of the caller that they gave what they sign in with,
// and returns the session. Else the error is ErrPassword or ErrCode.
func (d *Desk) Confirm(ctx context.Context, who Caller, p Proof) (*Session, error) {
	s, err := d.confirmSession(ctx, who, p)
	switch {
	case errors.Is(err, ErrPassword) || errors.Is(err, ErrCode):
		d.log.Info("confirmation refused", "user", who.User.Email, "session", who.Session.ID, "reason", err)
	case err == nil:
		d.log.Info("confirmed", "user", who.User.Email, "session", s.ID)
	}
	return s, err
}

func (d *Desk) confirmSession(ctx context.Context, who Caller, p Proof) (*Session, error) {
	known, ok, err := d.isPassword(ctx, who.User, p.Password)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrPassword
	}
	s := *who.Session
	s.ConfirmedAt = d.now()
	err = d.store.Update(ctx, func(tx *store.Tx) error {
		user, err := enabled(ctx, tx, who)
		if err != nil {
			return err
		}
		holds, err := known.hold(ctx, tx)
		if err != nil {
			return err
		}
		if !holds {
			return ErrPassword
		}
		if ok, err = d.codeHoldsIfAny(ctx, tx, user, p.Code); err != nil || !ok {
			return err
		}
		return tx.ConfirmSession(ctx, s.ID, s.ConfirmedAt)
	})
	if err == nil && !ok {
		err = ErrCode
	}
	if err != nil {
		return nil, err
	}
	return &s, nil
}

// codeHoldsIfAny is codeHolds of a user who need not have a second factor.
func (d *Desk) codeHoldsIfAny(ctx context.Context, tx *store.Tx, user *inventory.User, code string) (bool, error) {
	on, err := hasSecondFactor(ctx, tx, user.ID)
	if err != nil || !on {
		return err == nil, err
	}
	return d.codeHolds(ctx, tx, user, code)
}

// ErrTyped is the answer for what was typed too long ago, in another session or for
// another form.
var ErrTyped = Refuse(Conflict, "what was entered is no longer kept: go back and enter it again")

// KeepTyped returns what a person has typed into a form, passwords too, as a text
// that their browser keeps and cannot read until they have confirmed who they are:
// sealed, for their session, the form's own path, and a short time.
func (d *Desk) KeepTyped(s *Session, path, typed string) string {
	plain := binary.BigEndian.AppendUint64(nil, uint64(d.now().Unix()))
	return base64.RawURLEncoding.EncodeToString(d.sealer.seal(append(plain, typed...), typedBy(s, path)))
}

// Typed returns what KeepTyped was given, or ErrTyped.
func (d *Desk) Typed(s *Session, path, kept string) (string, error) {
	sealed, err := base64.RawURLEncoding.DecodeString(kept)
	if err != nil {
		return "", ErrTyped
	}
	plain, err := d.sealer.open(sealed, typedBy(s, path))
	if err != nil || len(plain) < 8 {
		return "", ErrTyped
	}
	if at := time.Unix(int64(binary.BigEndian.Uint64(plain)), 0); d.now().Sub(at) >= typedFor {
		return "", ErrTyped
	}
	return string(plain[8:]), nil
}

// typedBy says to which form of whom sealed input belongs.
func typedBy(s *Session, path string) string {
	return fmt.Sprintf("form of user %d in session %d at %s", s.UserID, s.ID, path)
}
