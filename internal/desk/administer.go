package desk

import (
	"context"
	"strings"

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
	user, err := d.caller(ctx, tx, who)
	if err != nil {
		return err
	}
	return mayAdminister(user, format)
}

// caller returns the user of a caller as they are, if they may still act, and
// the session or token by which they came holds.
func (d *Desk) caller(ctx context.Context, tx *store.Tx, who Caller) (*inventory.User, error) {
	user, err := enabled(ctx, tx, who)
	if err != nil {
		return nil, err
	}
	return user, d.tokenHolds(ctx, tx, who.Token)
}

// mayAdminister returns a refusal unless a user may change what concerns all. Its format has a place for their role.
func mayAdminister(user *inventory.User, format string) error {
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

// owns reports whether a caller may deal with their own tokens alone, and with
// whose.
func (c Caller) owns() (userID int64, alone bool) {
	if c.User == nil || c.User.Role == inventory.Administrator && !c.User.ReadOnly.V {
		return 0, false
	}
	return c.User.ID, true
}

// mayHaveTokens returns a refusal unless the caller may deal with the tokens of
// the user with an address. It says the same whether or not there is such a user.
func (c Caller) mayHaveTokens(email string) error {
	if _, alone := c.owns(); alone && !strings.EqualFold(strings.TrimSpace(email), c.User.Email) {
		return Refuse(Forbidden, "%s may deal with tokens of their own alone", c.User.Email)
	}
	return nil
}
