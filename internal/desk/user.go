package desk

import (
	"context"
	"slices"
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// completeUser returns what is wrong with a user name or a password, asks for step-up
// where access is given, and keeps an administrator.
func completeUser(ctx context.Context, w *Work) (faults []message.Text, err error) {
	user := w.Rec.(*inventory.User)
	faults = emailFaults(strings.ToLower(strings.TrimSpace(user.Email)))
	if user.Password != "" {
		passwords, err := w.hooks.keeper()
		if err != nil {
			return nil, err
		}
		faults = append(faults, passwords.Faults(w.Who, user, user.Password)...)
	}
	old, ok := w.Old.(*inventory.User)
	if !w.Dry && givesAccess(user, old) {
		if err := w.StepUp(ctx, w.Tx, w.Who, user.ID); err != nil {
			return nil, err
		}
	}
	if !ok {
		return faults, nil
	}
	if !strings.EqualFold(strings.TrimSpace(user.Email), old.Email) && user.Password == "" {
		faults = append(faults, message.Says("can't be changed without the password, which is bound to it: "+
			"send the password too").Of("Email"))
	}
	if governs(user) {
		return faults, nil
	}
	return faults, keepAdministrator(ctx, w.Tx, old)
}

// givesAccess reports whether a change of a user asks for step-up: it sets what they
// sign in with, or makes an administrator. The user before is nil for a new one.
func givesAccess(user, old *inventory.User) bool {
	if old == nil {
		return user.Password != "" || user.Role == inventory.Administrator
	}
	return user.Password != "" || !strings.EqualFold(strings.TrimSpace(user.Email), old.Email) ||
		user.Role == inventory.Administrator && old.Role != inventory.Administrator || governs(user) && !governs(old)
}

// userStored stores a password that was set, and ends the sessions of a user
// who may do other things now, or must prove themselves anew, but for the one in
// which they do that themselves.
func userStored(ctx context.Context, w *Work) error {
	user, ok := w.Rec.(*inventory.User)
	if !ok {
		return nil // leaveUser has done it
	}
	if old, ok := w.Old.(*inventory.User); ok && endsSessions(user, old) {
		if err := w.Tx.RemoveSessionsOf(ctx, user.ID, w.Who.SessionID()); err != nil {
			return err
		}
	}
	if user.Password == "" {
		return nil
	}
	passwords, err := w.hooks.keeper()
	if err != nil {
		return err
	}
	return passwords.Store(ctx, w.Tx, w.Who, user)
}

// endsSessions reports whether a user's sessions end with a change.
func endsSessions(user, old *inventory.User) bool {
	return user.Password != "" || user.Role != old.Role || user.ReadOnly.V != old.ReadOnly.V ||
		user.Disabled.V != old.Disabled.V
}

// leaveUser keeps an administrator, and removes what a user proves to be
// themselves with and what nobody else sees.
func leaveUser(ctx context.Context, w *Work) error {
	user := w.Old.(*inventory.User)
	if err := keepAdministrator(ctx, w.Tx, user); err != nil {
		return err
	}
	if err := w.Tx.RemoveTokensOf(ctx, user.ID); err != nil {
		return err
	}
	if err := w.Tx.RemoveSecondFactor(ctx, user.ID); err != nil {
		return err
	}
	if err := w.Tx.RemoveSessionsOf(ctx, user.ID, 0); err != nil {
		return err
	}
	if err := w.Tx.RemoveKnownAddresses(ctx, user.ID); err != nil {
		return err
	}
	if err := w.Tx.RemoveSavedViewsOf(ctx, user.ID); err != nil {
		return err
	}
	return w.Tx.DeleteCredentials(ctx, user.ID)
}

// emailFaults returns what is wrong with an address that is to be a user name:
// digest authentication cannot carry all that an address may be.
func emailFaults(email string) []message.Text {
	if email == "" {
		return nil // reported already: it is required
	}
	local, domain, _ := strings.Cut(email, "@")
	if local == "" || domain == "" || strings.ContainsAny(email, " \t\r\n:\"\\<>,;()") ||
		strings.Contains(domain, "@") || !IsPrintableASCII(email) {
		return []message.Text{message.Says("must be an e-mail address such as anna@example.com, not %q",
			email).Of("Email")}
	}
	return nil
}

func IsPrintableASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// keepAdministrator refuses to go on without any administrator who can sign in
// and change things: nobody could make another one.
func keepAdministrator(ctx context.Context, tx *store.Tx, leaving *inventory.User) error {
	if !governs(leaving) {
		return nil
	}
	users, err := AllUsers(ctx, tx)
	if err != nil {
		return err
	}
	known := map[int64]bool{} // who has a password
	err = tx.Credentials(ctx, func(c store.Credentials) error {
		known[c.UserID] = true
		return nil
	})
	if err != nil || slices.ContainsFunc(users,
		func(u *inventory.User) bool { return u.ID != leaving.ID && known[u.ID] && governs(u) }) {
		return err
	}
	return Refuse(Conflict, "%s is the last enabled administrator who can sign in and change records", leaving.Email)
}

// ChangeUsers runs f in a transaction and makes this node know the result
// before it returns.
func (d *Desk) ChangeUsers(ctx context.Context, f func(*store.Tx) error) error {
	err := d.store.Update(ctx, func(tx *store.Tx) error {
		if _, err := tx.Count(ctx, UsersCounter); err != nil { // first: on PostgreSQL it orders these changes
			return err
		}
		return f(tx)
	})
	if err != nil {
		return err
	}
	return Learn(ctx, d.hooks.usersChanged)
}

// FindUser loads a user by address.
func FindUser(ctx context.Context, tx *store.Tx, email string) (*inventory.User, error) {
	ids, err := tx.People(ctx, &kind.Person{Email: email})
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, Refuse(NotFound, "there is no user %s", email)
	}
	return store.Get(ctx, tx, inventory.Users, ids[0])
}

// IsAdministrator reports whether a user is an enabled administrator.
func IsAdministrator(u *inventory.User) bool {
	return u.Role == inventory.Administrator && !u.Disabled.V
}

// governs reports whether a user is an enabled administrator who may also change
// things.
func governs(u *inventory.User) bool { return IsAdministrator(u) && !u.ReadOnly.V }

// UsersCounter counts the changes of users, credentials and tokens, so that
// other nodes notice them.
const UsersCounter = "users"

// AllUsers reads all users in the order of their ids.
func AllUsers(ctx context.Context, tx *store.Tx) ([]*inventory.User, error) {
	ids, err := tx.IDs(ctx, inventory.Users.Schema)
	if err != nil {
		return nil, err
	}
	recs, err := tx.Rows(ctx, inventory.Users.Schema, ids)
	users := make([]*inventory.User, len(recs))
	for i, rec := range recs {
		users[i] = rec.(*inventory.User)
	}
	return users, err
}
