package desk

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// TokenPrefix begins every token, so that people and programs that look for
// secrets in files know one when they see it.
const TokenPrefix = "muster_"

// MaxName is the longest name of a token in characters.
const MaxName = 255

// Tokens returns the tokens of a user, or with "" all that the caller may see, in
// the order of their ids: administrators see all, others their own.
func (d *Desk) Tokens(ctx context.Context, who Caller, email string) (tokens []*Token, err error) {
	if _, alone := who.owns(); alone && email == "" {
		email = who.User.Email
	}
	if err := who.mayHaveTokens(email); err != nil {
		return nil, err
	}
	err = d.store.View(ctx, func(tx *store.Tx) error {
		tokens = nil
		users, err := usersNamed(ctx, tx, email)
		if err != nil {
			return err
		}
		known := byID(users)
		return tx.Tokens(ctx, func(t store.Token) error {
			if user := known[t.UserID]; user != nil {
				tokens = append(tokens, newToken(t, user))
			}
			return nil
		})
	})
	return tokens, err
}

// usersNamed returns the user with an address, or with "" all.
func usersNamed(ctx context.Context, tx *store.Tx, email string) ([]*inventory.User, error) {
	if email == "" {
		return allUsers(ctx, tx)
	}
	user, err := findUser(ctx, tx, email)
	return []*inventory.User{user}, err
}

// A NewToken is a token to be made.
type NewToken struct {
	Email    string // of its user
	Name     string
	ReadOnly bool
	Expires  time.Time // zero for never
}

// AddToken makes a token and returns its secret, which is kept nowhere.
// Administrators make them for everybody, others for themselves. It asks for step-up.
func (d *Desk) AddToken(ctx context.Context, who Caller, n NewToken) (secret string, err error) {
	n.Name = strings.TrimSpace(n.Name)
	if err := d.checkToken(n); err != nil {
		return "", err
	}
	secret = TokenPrefix + rand.Text() + rand.Text() // 260 bits
	err = d.changeUsers(ctx, func(tx *store.Tx) error {
		if err := d.dealsWithTokens(ctx, tx, &who); err != nil {
			return err
		}
		if err := who.mayHaveTokens(n.Email); err != nil {
			return err
		}
		if err := d.StepUp(ctx, tx, who, 0); err != nil {
			return err
		}
		user, err := findUser(ctx, tx, n.Email)
		if err != nil {
			return err
		}
		if user.Disabled.V {
			return Refuse(Conflict, "the user %s is disabled", user.Email)
		}
		if err := d.freeName(ctx, tx, who, user, n.Name); err != nil {
			return err
		}
		hash := HashToken(secret)
		t := &store.Token{UserID: user.ID, Name: n.Name, Hash: hash[:], ReadOnly: n.ReadOnly, CreatedAt: d.now(), Expires: n.Expires}
		if err := tx.AddToken(ctx, t); err != nil {
			return err
		}
		return d.noteUser(ctx, tx, who, user, n.told())
	})
	return secret, err
}

// dealsWithTokens brings the caller up to date, if there is one.
func (d *Desk) dealsWithTokens(ctx context.Context, tx *store.Tx, who *Caller) (err error) {
	if who.User != nil {
		who.User, err = d.caller(ctx, tx, *who)
	}
	return err
}

// checkToken returns what is wrong with a token to be made.
func (d *Desk) checkToken(n NewToken) error {
	var faults []message.Text
	switch {
	case n.Name == "":
		faults = append(faults, message.Says("can't be blank").Of("Name"))
	case utf8.RuneCountInString(n.Name) > MaxName:
		faults = append(faults, message.Says("is too long (maximum is %d characters)", MaxName).Of("Name"))
	case !IsLine(n.Name):
		faults = append(faults, message.Says("must be text of one line in UTF-8").Of("Name"))
	case IsNumber(n.Name):
		faults = append(faults, message.Says("must not be a number, which would be taken for an id").Of("Name"))
	}
	if !n.Expires.IsZero() && !n.Expires.After(d.now()) {
		faults = append(faults, message.Says("is in the past").Of("Expires"))
	}
	if faults != nil {
		return &kind.Invalid{Faults: faults}
	}
	return nil
}

// IsNumber reports whether a text can be meant as an id, also one that there
// cannot be.
func IsNumber(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// IsLine reports whether a text of a command is one line. What is no UTF-8 has
// become U+FFFD on its way.
func IsLine(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) })
}

// told tells the making of a token.
func (n NewToken) told() message.Text {
	until := n.Expires.UTC().Format("2006-01-02 15:04 UTC")
	switch {
	case n.ReadOnly && !n.Expires.IsZero():
		return message.New("Token %s added, for reading only, until %s", n.Name, until)
	case n.ReadOnly:
		return message.New("Token %s added, for reading only", n.Name)
	case !n.Expires.IsZero():
		return message.New("Token %s added, until %s", n.Name, until)
	}
	return message.New("Token %s added", n.Name)
}

// freeName makes room for a user's token of some name: one that has ended goes,
// another keeps its name.
func (d *Desk) freeName(ctx context.Context, tx *store.Tx, who Caller, user *inventory.User, name string) error {
	same, err := tx.TokensNamed(ctx, name)
	if err != nil {
		return err
	}
	for _, t := range same {
		if t.UserID != user.ID {
			continue
		}
		if !newToken(t, user).Ended(d.now()) {
			return Refuse(Conflict, "%s has a token %s already, with the id %d: revoke it first, or choose another name", user.Email, t.Name, t.ID)
		}
		if err := tx.RemoveToken(ctx, t.ID); err != nil {
			return err
		}
		return d.noteUser(ctx, tx, who, user, message.New("Token %s removed, since it had ended", t.Name))
	}
	return nil
}

// RevokeTokens ends tokens, each given by its id or its name, all or none. For
// who is no administrator there are but their own.
func (d *Desk) RevokeTokens(ctx context.Context, who Caller, which []string) error {
	return d.changeUsers(ctx, func(tx *store.Tx) error {
		if err := d.dealsWithTokens(ctx, tx, &who); err != nil {
			return err
		}
		for _, one := range which {
			if err := d.revoke(ctx, tx, who, one); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *Desk) revoke(ctx context.Context, tx *store.Tx, who Caller, which string) error {
	t, err := findToken(ctx, tx, who, which)
	if err != nil {
		return err
	}
	if err := tx.RemoveToken(ctx, t.ID); err != nil {
		return err
	}
	user, err := store.Get(ctx, tx, inventory.Users, t.UserID)
	if err != nil {
		return err
	}
	return d.noteUser(ctx, tx, who, user, message.New("Token %s revoked", t.Name))
}

// revokeAll ends all tokens of a user, and returns how many of them were good for
// something.
func (d *Desk) revokeAll(ctx context.Context, tx *store.Tx, who Caller, user *inventory.User) (revoked int64, err error) {
	tokens, err := tx.TokensOf(ctx, user.ID)
	if err != nil {
		return 0, err
	}
	for _, t := range tokens {
		text := message.New("Token %s removed, since it had ended", t.Name)
		if !newToken(t, user).Ended(d.now()) {
			revoked++
			text = message.New("Token %s revoked", t.Name)
		}
		if err := tx.RemoveToken(ctx, t.ID); err != nil {
			return 0, err
		}
		if err := d.noteUser(ctx, tx, who, user, text); err != nil {
			return 0, err
		}
	}
	return revoked, nil
}

// findToken returns the token with an id, or the only one with a name, of those
// that there are for the caller.
func findToken(ctx context.Context, tx *store.Tx, who Caller, which string) (t store.Token, err error) {
	which = strings.TrimSpace(which)
	owner, alone := who.owns()
	if IsNumber(which) {
		id, _ := strconv.ParseInt(which, 10, 64) // the highest of all for a greater one
		if t, err = tx.TokenShared(ctx, id); errors.Is(err, store.ErrNotFound) || err == nil && alone && t.UserID != owner {
			err = Refuse(NotFound, "there is no token with the id %s: muster token list shows all", which)
		}
		return t, err
	}
	same, err := tx.TokensNamed(ctx, which)
	if alone {
		same = slices.DeleteFunc(same, func(t store.Token) bool { return t.UserID != owner })
	}
	switch {
	case err != nil:
		return t, err
	case len(same) == 0 && alone:
		return t, Refuse(NotFound, "%s has no token %s", who.User.Email, which)
	case len(same) == 0:
		hint, err := agentTokenHint(ctx, tx, which)
		if err != nil {
			return t, err
		}
		return t, Refuse(NotFound, "there is no token %s: muster token list shows all%s", which, hint)
	case len(same) > 1:
		return t, Refuse(Conflict, "several users have a token %s: name it by its id, which muster token list shows", which)
	}
	return same[0], nil
}

// TokenHint tells somebody who looks for an agent token of a user's token that
// has the name.
func TokenHint(ctx context.Context, tx *store.Tx, name string) (string, error) {
	same, err := tx.TokensNamed(ctx, name)
	switch len(same) {
	case 0:
		return "", err
	case 1:
		return fmt.Sprintf("; there is a token of that name: muster token revoke %d", same[0].ID), err
	}
	return "; several users have a token of that name: muster token list shows all", err
}

// noteUser writes the audit record of what was done with something that a user
// proves to be themselves with.
func (d *Desk) noteUser(ctx context.Context, tx *store.Tx, who Caller, user *inventory.User, text message.Text) error {
	return d.WriteAudit(ctx, tx, who, inventory.Users.Schema, user, NewAudit(inventory.Updated, text))
}
