package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
)

// Administers returns a refusal unless the caller is an administrator, or nobody:
// whoever gives commands to the program. The format of the refusal says what they want to do.
// The rights hold until the transaction ends.
func (d *Desk) Administers(ctx context.Context, tx *store.Tx, who Caller, format string) error {
	if who.User == nil {
		return nil
	}
	user, err := d.CurrentUser(ctx, tx, who)
	if err != nil {
		return err
	}
	return MayAdminister(user, format)
}

// MayAdminister returns a refusal unless a user may change what concerns all. Its format has a place for their role.
func MayAdminister(user *inventory.User, format string) error {
	switch {
	case user == nil:
		return nil
	case user.ReadOnly.V:
		return Refuse(Forbidden, "the user %s may only read", user.Email)
	case user.Role != inventory.Administrator:
		return Refuse(Forbidden, format, message.Word(user.Role))
	}
	return nil
}
