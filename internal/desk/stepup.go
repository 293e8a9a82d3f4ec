package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// confirmedFor is how long it counts that a person gave what they sign in with.
const confirmedFor = 10 * time.Minute

// A StepUp is the refusal of a change that gives somebody access, or takes what
// protects the records: whoever asks for it must first prove again that it is they, in a way that its Need names. It is no
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
	on, err := HasSecondFactor(ctx, tx, who.User.ID)
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

// ConfirmedBefore returns the caller of whom ConfirmImport asked for proof before the import began.
func (c Caller) ConfirmedBefore() Caller {
	c.confirmed = true
	return c
}

// HasSecondFactor reports whether a user's second factor is on.
func HasSecondFactor(ctx context.Context, tx *store.Tx, userID int64) (bool, error) {
	f, err := tx.SecondFactorOf(ctx, userID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return !f.ConfirmedAt.IsZero(), err
}
