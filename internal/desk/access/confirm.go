package access

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/store"
)

// typedFor is how long what a person has typed is kept until they have confirmed who they are.
const typedFor = 30 * time.Minute

// ownAccess returns the caller as they are, who changes how they themselves come in.
func (s *Service) ownAccess(ctx context.Context, tx *store.Tx, who desk.Caller) (*inventory.User, error) {
	user, err := desk.EnabledUser(ctx, tx, who)
	if err != nil {
		return nil, err
	}
	return user, s.desk.StepUp(ctx, tx, who, user.ID)
}

// changeOwnAccess changes how the caller comes in.
func (s *Service) changeOwnAccess(ctx context.Context, who desk.Caller,
	change func(*store.Tx, *inventory.User) error) error {
	return s.desk.ChangeUsers(ctx, func(tx *store.Tx) error {
		user, err := s.ownAccess(ctx, tx, who)
		if err != nil {
			return err
		}
		return change(tx, user)
	})
}

// A Proof is what a person gives to prove again that it is they.
type Proof struct{ Password, Code string }

// Proofs say which parts of a Proof a person signs in with.
type Proofs struct{ Password, Code bool }

// Proofs returns what the caller signs in with.
func (s *Service) Proofs(ctx context.Context, who desk.Caller) (Proofs, error) {
	p := Proofs{Password: true}
	err := s.desk.Store().Read(ctx, func(tx *store.Tx) (err error) {
		p.Code, err = desk.HasSecondFactor(ctx, tx, who.User.ID)
		return err
	})
	return p, err
}

// Confirm notes in the session of the caller that they gave what they sign in with,
// and returns the session. Else the error is ErrPassword or ErrCode.
func (service *Service) Confirm(ctx context.Context, who desk.Caller, p Proof) (*desk.Session, error) {
	s, err := service.confirmSession(ctx, who, p)
	switch {
	case errors.Is(err, ErrPassword) || errors.Is(err, ErrCode):
		service.desk.Log().Info("confirmation refused", "user", who.User.Email, "session", who.Session.ID,
			"reason", err)
	case err == nil:
		service.desk.Log().Info("confirmed", "user", who.User.Email, "session", s.ID)
	}
	return s, err
}

func (service *Service) confirmSession(ctx context.Context, who desk.Caller, p Proof) (*desk.Session, error) {
	known, ok, err := service.passwords.isPassword(ctx, who.User, p.Password)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrPassword
	}
	s := *who.Session
	s.ConfirmedAt = service.desk.Now()
	err = service.desk.Store().Update(ctx, func(tx *store.Tx) error {
		user, err := desk.EnabledUser(ctx, tx, who)
		if err != nil {
			return err
		}
		current, err := known.isCurrent(ctx, tx)
		if err != nil {
			return err
		}
		if !current {
			return ErrPassword
		}
		if ok, err = service.codes.checkIfAny(ctx, tx, user, p.Code); err != nil || !ok {
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

// checkIfAny is check of a user who need not have a second factor.
func (c *codes) checkIfAny(ctx context.Context, tx *store.Tx, user *inventory.User, code string) (bool, error) {
	on, err := desk.HasSecondFactor(ctx, tx, user.ID)
	if err != nil || !on {
		return err == nil, err
	}
	return c.check(ctx, tx, user, code)
}

// ErrTyped is the answer for what was typed too long ago, in another session or for
// another form.
var ErrTyped = desk.Refuse(desk.Conflict, "what was entered is no longer kept: go back and enter it again")

// KeepTyped returns what a person has typed into a form, passwords too, as a text
// that their browser keeps and cannot read until they have confirmed who they are:
// sealed, for their session, the form's own path, and a short time.
func (service *Service) KeepTyped(s *desk.Session, path, typed string) string {
	plain := binary.BigEndian.AppendUint64(nil, uint64(service.desk.Now().Unix()))
	return base64.RawURLEncoding.EncodeToString(service.desk.Sealer().Seal(append(plain, typed...), typedBy(s, path)))
}

// Typed returns what KeepTyped was given, or ErrTyped.
func (service *Service) Typed(s *desk.Session, path, kept string) (string, error) {
	sealed, err := base64.RawURLEncoding.DecodeString(kept)
	if err != nil {
		return "", ErrTyped
	}
	plain, err := service.desk.Sealer().Open(sealed, typedBy(s, path))
	if err != nil || len(plain) < 8 {
		return "", ErrTyped
	}
	if at := time.Unix(int64(binary.BigEndian.Uint64(plain)), 0); service.desk.Now().Sub(at) >= typedFor {
		return "", ErrTyped
	}
	return string(plain[8:]), nil
}

// typedBy says to which form of whom sealed input belongs.
func typedBy(s *desk.Session, path string) string {
	return fmt.Sprintf("form of user %d in session %d at %s", s.UserID, s.ID, path)
}
