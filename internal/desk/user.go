package desk

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// AddUser makes a user. An empty password is replaced by a generated one; the
// password that holds is returned.
func (d *Desk) AddUser(ctx context.Context, who Caller, user *inventory.User, password string) (string, error) {
	if err := mayAdminister(who.User, "a %s may not add users"); err != nil {
		return "", err
	}
	password, err := d.choosePassword(user, password)
	if err != nil {
		return "", err
	}
	user.Password = password
	return password, d.Add(ctx, who, inventory.Users.Schema, []any{user})
}

// completeUser tells what is wrong with a user name or a password, asks for step-up
// where access is given, and keeps an administrator.
func completeUser(ctx context.Context, w *Work) (faults []message.Text, err error) {
	user := w.Rec.(*inventory.User)
	faults = emailFaults(strings.ToLower(strings.TrimSpace(user.Email)))
	if user.Password != "" {
		faults = append(faults, w.passwordFaults(w.Who, user, user.Password)...)
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
		if err := w.Tx.RemoveSessionsOf(ctx, user.ID, w.Who.sessionID()); err != nil {
			return err
		}
	}
	if user.Password != "" {
		return w.setPassword(ctx, w.Tx, w.Who, user, w.hashCost.hash(user.Password))
	}
	return nil
}

// endsSessions reports whether a user's sessions end with a change.
func endsSessions(user, old *inventory.User) bool {
	return user.Password != "" || user.Role != old.Role || user.ReadOnly.V != old.ReadOnly.V || user.Disabled.V != old.Disabled.V
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
	if err := w.Tx.RemoveLetIn(ctx, user.ID); err != nil {
		return err
	}
	if err := w.Tx.RemoveSavedViewsOf(ctx, user.ID); err != nil {
		return err
	}
	return w.Tx.DeleteCredentials(ctx, user.ID)
}

// emailFaults tells what is wrong with an address that is to be a user name:
// digest authentication cannot carry all that an address may be.
func emailFaults(email string) []message.Text {
	if email == "" {
		return nil // told already: it is required
	}
	local, domain, _ := strings.Cut(email, "@")
	if local == "" || domain == "" || strings.ContainsAny(email, " \t\r\n:\"\\<>,;()") || strings.Contains(domain, "@") || !isPrintableASCII(email) {
		return []message.Text{message.Says("must be an e-mail address such as anna@example.com, not %q",
			email).Of("Email")}
	}
	return nil
}

func isPrintableASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// A PasswordChange is a new password of a user.
type PasswordChange struct {
	Old        string // the present one, of who changes their own
	New        string // "" for a generated one, of who sets another's
	KeepTokens bool   // rather than revoke them
}

// A PasswordChanged is what became of a PasswordChange.
type PasswordChanged struct {
	Password string // that holds now
	Session  string // the new secret of the session in which somebody changed their own, "" for none
	Revoked  int64  // how many tokens
}

// SetPassword sets the password of a user, see setPassword, and ends their
// sessions.
func (d *Desk) SetPassword(ctx context.Context, who Caller, email string, p PasswordChange) (done PasswordChanged, err error) {
	user, err := d.changeUser(ctx, who, email, func(user *inventory.User) error {
		done.Password, err = d.choosePassword(user, p.New)
		user.Password, user.KeepTokens = done.Password, kind.Some(p.KeepTokens)
		return err
	})
	if err != nil {
		return PasswordChanged{}, err
	}
	done.Revoked = user.TokensRevoked.V
	return done, nil
}

// DisableUser ends all access of a user. The last enabled administrator who can sign in
// stays.
func (d *Desk) DisableUser(ctx context.Context, who Caller, email string) error {
	_, err := d.changeUser(ctx, who, email, func(user *inventory.User) error { user.Disabled = kind.Some(true); return nil })
	return err
}

// EnableUser gives a disabled user their access back.
func (d *Desk) EnableUser(ctx context.Context, who Caller, email string) error {
	_, err := d.changeUser(ctx, who, email, func(user *inventory.User) error { user.Disabled = kind.Some(false); return nil })
	return err
}

// changeUser changes one user for an administrator, and returns them.
func (d *Desk) changeUser(ctx context.Context, who Caller, email string, set func(*inventory.User) error) (user *inventory.User, err error) {
	err = d.changeUsers(ctx, func(tx *store.Tx) error {
		if err := d.Administers(ctx, tx, who, "a %s may not change user records"); err != nil {
			return err
		}
		old, err := findUser(ctx, tx, email)
		if err != nil {
			return err
		}
		changed := *old
		user = &changed
		if err := set(user); err != nil {
			return err
		}
		w := &Work{Desk: d, Tx: tx, Who: who, Kind: inventory.Users.Schema, Rec: user, Old: old}
		if err := w.Check(ctx, w.Kind.Check); err != nil {
			return err
		}
		return w.Replace(ctx)
	})
	return user, err
}

// keepAdministrator refuses to go on without any administrator who can sign in
// and change things: nobody could make another one.
func keepAdministrator(ctx context.Context, tx *store.Tx, leaving *inventory.User) error {
	if !governs(leaving) {
		return nil
	}
	users, err := allUsers(ctx, tx)
	if err != nil {
		return err
	}
	known := map[int64]bool{} // who has a password
	err = tx.Credentials(ctx, func(c store.Credentials) error {
		known[c.UserID] = true
		return nil
	})
	if err != nil || slices.ContainsFunc(users, func(u *inventory.User) bool { return u.ID != leaving.ID && known[u.ID] && governs(u) }) {
		return err
	}
	return Refuse(Conflict, "%s is the last enabled administrator who can sign in and change records", leaving.Email)
}

// Users returns all users in the order of their ids.
func (d *Desk) Users(ctx context.Context) (users []*inventory.User, err error) {
	err = d.store.View(ctx, func(tx *store.Tx) error {
		users, err = allUsers(ctx, tx)
		return err
	})
	return users, err
}

// changeUsers runs f in a transaction and makes this node know the result
// before it returns.
func (d *Desk) changeUsers(ctx context.Context, f func(*store.Tx) error) error {
	err := d.store.Update(ctx, func(tx *store.Tx) error {
		if _, err := tx.Count(ctx, usersCounter); err != nil { // first: on PostgreSQL it orders these changes
			return err
		}
		return f(tx)
	})
	if err != nil {
		return err
	}
	return d.Learn(ctx, d.reload)
}

// findUser loads a user by address.
func findUser(ctx context.Context, tx *store.Tx, email string) (*inventory.User, error) {
	ids, err := tx.People(ctx, &kind.Person{Email: email})
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, Refuse(NotFound, "there is no user %s", email)
	}
	return store.Get(ctx, tx, inventory.Users, ids[0])
}

// choosePassword checks a password of a user, or generates one when it is empty.
func (d *Desk) choosePassword(user *inventory.User, password string) (string, error) {
	if password == "" {
		return d.madePassword(user), nil
	}
	if !utf8.ValidString(password) {
		return "", kind.NewInvalid(message.Says("must be text in UTF-8").Of(passwordWord))
	}
	return password, nil
}

// FirstAdministrator makes the administrator of an installation that has none
// and returns their password, "" when there is one. It is to be printed, so they are
// asked for one of their own when they sign in with it, see ChoosePassword.
func (d *Desk) FirstAdministrator(ctx context.Context, email string) (password string, err error) {
	users, err := d.Users(ctx)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(users, isAdministrator) {
		return "", d.catchUp(ctx) // another node may have made them since this one read the users
	}
	user := inventory.Users.New()
	user.Email, user.Role = email, inventory.Administrator
	err = d.changeUsers(ctx, func(tx *store.Tx) error {
		users, err := allUsers(ctx, tx)
		if err != nil || slices.ContainsFunc(users, isAdministrator) {
			password = ""
			return err
		}
		password = d.madePassword(user)
		user.Record, user.Password = kind.Record{}, password
		w := &Work{Desk: d, Tx: tx, Who: Caller{Origin: "command"}, Kind: inventory.Users.Schema, Rec: user}
		if err := w.Check(ctx, w.Kind.Check); err != nil {
			return err
		}
		if err := w.Insert(ctx); err != nil {
			return err
		}
		return markPrinted(ctx, tx, user.ID)
	})
	return password, err
}

// Administrator returns the address of an enabled administrator: the preferred
// one, else the first.
func (d *Desk) Administrator(ctx context.Context, preferred string) (string, error) {
	users, err := d.Users(ctx)
	found := ""
	for _, u := range users {
		if isAdministrator(u) && (found == "" || u.Email == preferred) {
			found = u.Email
		}
	}
	return found, err
}

// isAdministrator reports whether a user is an enabled administrator.
func isAdministrator(u *inventory.User) bool {
	return u.Role == inventory.Administrator && !u.Disabled.V
}

// governs reports whether a user is an enabled administrator who may also change
// things.
func governs(u *inventory.User) bool { return isAdministrator(u) && !u.ReadOnly.V }
