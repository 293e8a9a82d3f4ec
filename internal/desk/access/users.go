package access

import (
	"context"
	"slices"
	"unicode/utf8"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// Users are those who may sign in, for administrators and commands.
type Users struct{ access *Service }

// Users returns those who may sign in.
func (s *Service) Users() *Users { return &s.users }

// Add makes a user. An empty password is replaced by a generated one; the
// password in effect is returned.
func (u *Users) Add(ctx context.Context, who desk.Caller, user *inventory.User, password string) (string, error) {
	if err := desk.MayAdminister(who.User, "a %s may not add users"); err != nil {
		return "", err
	}
	password, err := u.access.passwords.choose(user, password)
	if err != nil {
		return "", err
	}
	user.Password = password
	return password, u.access.desk.Add(ctx, who, inventory.Users.Schema, []any{user})
}

// A PasswordChange is a new password of a user.
type PasswordChange struct {
	Old        string // the present one, of who changes their own
	New        string // "" for a generated one, of who sets another's
	KeepTokens bool   // rather than revoke them
}

// A PasswordChanged is what became of a PasswordChange.
type PasswordChanged struct {
	Password string // in effect now
	Session  string // the new secret of the session in which somebody changed their own, "" for none
	Revoked  int64  // how many tokens
}

// SetPassword sets the password of a user, see setPassword, and ends their
// sessions.
func (u *Users) SetPassword(
	ctx context.Context, who desk.Caller, email string, p PasswordChange,
) (done PasswordChanged, err error) {
	user, err := u.change(ctx, who, email, func(user *inventory.User) error {
		done.Password, err = u.access.passwords.choose(user, p.New)
		user.Password, user.KeepTokens = done.Password, kind.Some(p.KeepTokens)
		return err
	})
	if err != nil {
		return PasswordChanged{}, err
	}
	done.Revoked = user.TokensRevoked.V
	return done, nil
}

// Disable ends all access of a user. The last enabled administrator who can sign in
// stays.
func (u *Users) Disable(ctx context.Context, who desk.Caller, email string) error {
	_, err := u.change(ctx, who, email,
		func(user *inventory.User) error { user.Disabled = kind.Some(true); return nil })
	return err
}

// Enable gives a disabled user their access back.
func (u *Users) Enable(ctx context.Context, who desk.Caller, email string) error {
	_, err := u.change(ctx, who, email,
		func(user *inventory.User) error { user.Disabled = kind.Some(false); return nil })
	return err
}

// change changes one user for an administrator, and returns them.
func (u *Users) change(ctx context.Context, who desk.Caller, email string,
	set func(*inventory.User) error) (user *inventory.User, err error) {
	err = u.access.desk.ChangeUsers(ctx, func(tx *store.Tx) error {
		if err := u.access.desk.Administers(ctx, tx, who, "a %s may not change user records"); err != nil {
			return err
		}
		old, err := desk.FindUser(ctx, tx, email)
		if err != nil {
			return err
		}
		changed := *old
		user = &changed
		if err := set(user); err != nil {
			return err
		}
		w := &desk.Work{Desk: u.access.desk, Tx: tx, Who: who, Kind: inventory.Users.Schema, Rec: user, Old: old}
		if err := w.Check(ctx, w.Kind.Check); err != nil {
			return err
		}
		return w.Replace(ctx)
	})
	return user, err
}

// All returns all users in the order of their ids.
func (u *Users) All(ctx context.Context) (users []*inventory.User, err error) {
	err = u.access.desk.Store().View(ctx, func(tx *store.Tx) error {
		users, err = desk.AllUsers(ctx, tx)
		return err
	})
	return users, err
}

// choose checks a password of a user, or generates one when it is empty.
func (p *passwords) choose(user *inventory.User, password string) (string, error) {
	if password == "" {
		return p.generate(user), nil
	}
	if !utf8.ValidString(password) {
		return "", kind.NewInvalid(message.Says("must be text in UTF-8").Of(passwordWord))
	}
	return password, nil
}

// FirstAdministrator makes the administrator of an installation that has none
// and returns their password, "" when there is one. It is to be printed, so they are
// asked for one of their own when they sign in with it, see ChoosePassword.
func (u *Users) FirstAdministrator(ctx context.Context, email string) (password string, err error) {
	users, err := u.All(ctx)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(users, desk.IsAdministrator) {
		return "", u.access.accounts.catchUp(ctx) // another node may have made them since this one read the users
	}
	user := inventory.Users.New()
	user.Email, user.Role = email, inventory.Administrator
	err = u.access.desk.ChangeUsers(ctx, func(tx *store.Tx) error {
		users, err := desk.AllUsers(ctx, tx)
		if err != nil || slices.ContainsFunc(users, desk.IsAdministrator) {
			password = ""
			return err
		}
		password = u.access.passwords.generate(user)
		user.Record, user.Password = kind.Record{}, password
		w := &desk.Work{Desk: u.access.desk, Tx: tx, Who: desk.Caller{Origin: "command"}, Kind: inventory.Users.Schema,
			Rec: user}
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
func (u *Users) Administrator(ctx context.Context, preferred string) (string, error) {
	users, err := u.All(ctx)
	found := ""
	for _, one := range users {
		if desk.IsAdministrator(one) && (found == "" || one.Email == preferred) {
			found = one.Email
		}
	}
	return found, err
}
