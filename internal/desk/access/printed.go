package access

import (
	"context"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// markPrinted notes that the password of a new user is printed, so that others may have
// read it. Each change of the password takes that back.
func markPrinted(ctx context.Context, tx *store.Tx, userID int64) error {
	c, err := tx.CredentialsOf(ctx, userID)
	if err != nil {
		return err
	}
	c.Printed = true
	return tx.SetCredentials(ctx, c)
}

// ChoosePassword gives the caller, who has signed in with the password that was printed,
// one of their own, as SetOwnPassword does. They have just given the printed one, so it
// asks for step-up instead.
func (s *Service) ChoosePassword(
	ctx context.Context, who desk.Caller, p PasswordChange,
) (done PasswordChanged, err error) {
	if err := s.passwords.checkNew(who, p.New); err != nil {
		return done, err
	}
	known, same, err := s.passwords.isPassword(ctx, who.User, p.New)
	switch {
	case err != nil:
		return done, err
	case !known.Printed:
		return done, desk.Refuse(desk.Conflict, "a password of your own was chosen before")
	case same:
		return done, kind.NewInvalid(message.Says("is the one that was printed: choose another").Of(passwordWord))
	}
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error { return s.desk.StepUp(ctx, tx, who, who.User.ID) })
	if err != nil {
		return done, err
	}
	return s.replaceOwn(ctx, who, p, known)
}
