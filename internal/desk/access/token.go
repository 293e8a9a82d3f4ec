package access

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// Tokens returns the tokens of a user, or with "" all that the caller may see, in
// the order of their ids: administrators see all, others their own.
func (s *Service) Tokens(ctx context.Context, who desk.Caller, email string) (tokens []*desk.Token, err error) {
	if _, alone := owns(who); alone && email == "" {
		email = who.User.Email
	}
	if err := mayHaveTokens(who, email); err != nil {
		return nil, err
	}
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		tokens = nil
		users, err := usersNamed(ctx, tx, email)
		if err != nil {
			return err
		}
		known := byID(users)
		return tx.Tokens(ctx, func(t store.Token) error {
			if user := known[t.UserID]; user != nil {
				tokens = append(tokens, desk.TokenOf(t, user))
			}
			return nil
		})
	})
	return tokens, err
}

// usersNamed returns the user with an address, or with "" all.
func usersNamed(ctx context.Context, tx *store.Tx, email string) ([]*inventory.User, error) {
	if email == "" {
		return desk.AllUsers(ctx, tx)
	}
	user, err := desk.FindUser(ctx, tx, email)
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
func (s *Service) AddToken(ctx context.Context, who desk.Caller, n NewToken) (secret string, err error) {
	n.Name = strings.TrimSpace(n.Name)
	if err := s.checkToken(n); err != nil {
		return "", err
	}
	secret = desk.TokenPrefix + rand.Text() + rand.Text() // 260 bits
	err = s.desk.ChangeUsers(ctx, func(tx *store.Tx) error {
		if err := dealsWithTokens(ctx, s.desk, tx, &who); err != nil {
			return err
		}
		if err := mayHaveTokens(who, n.Email); err != nil {
			return err
		}
		if err := s.desk.StepUp(ctx, tx, who, 0); err != nil {
			return err
		}
		user, err := desk.FindUser(ctx, tx, n.Email)
		if err != nil {
			return err
		}
		if user.Disabled.V {
			return desk.Refuse(desk.Conflict, "the user %s is disabled", user.Email)
		}
		if err := freeName(ctx, s.desk, tx, who, user, n.Name); err != nil {
			return err
		}
		hash := desk.HashToken(secret)
		t := &store.Token{
			UserID: user.ID, Name: n.Name, Hash: hash[:], ReadOnly: n.ReadOnly, CreatedAt: s.desk.Now(),
			Expires: n.Expires,
		}
		if err := tx.AddToken(ctx, t); err != nil {
			return err
		}
		return noteUser(ctx, s.desk, tx, who, user, n.auditText())
	})
	return secret, err
}

// dealsWithTokens brings the caller up to date, if there is one.
func dealsWithTokens(ctx context.Context, d *desk.Desk, tx *store.Tx, who *desk.Caller) (err error) {
	if who.User != nil {
		who.User, err = d.CurrentUser(ctx, tx, *who)
	}
	return err
}

// checkToken returns what is wrong with a token to be made.
func (s *Service) checkToken(n NewToken) error {
	var faults []message.Text
	switch {
	case n.Name == "":
		faults = append(faults, message.Says("can't be blank").Of("Name"))
	case utf8.RuneCountInString(n.Name) > desk.MaxName:
		faults = append(faults, message.Says("is too long (maximum is %d characters)", desk.MaxName).Of("Name"))
	case !desk.IsLine(n.Name):
		faults = append(faults, message.Says("must be text of one line in UTF-8").Of("Name"))
	case desk.IsNumber(n.Name):
		faults = append(faults, message.Says("must not be a number, which would be taken for an id").Of("Name"))
	}
	if !n.Expires.IsZero() && !n.Expires.After(s.desk.Now()) {
		faults = append(faults, message.Says("is in the past").Of("Expires"))
	}
	if faults != nil {
		return &kind.Invalid{Faults: faults}
	}
	return nil
}

// auditText returns the sentence for the making of a token.
func (n NewToken) auditText() message.Text {
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
func freeName(
	ctx context.Context, d *desk.Desk, tx *store.Tx, who desk.Caller, user *inventory.User, name string,
) error {
	same, err := tx.TokensNamed(ctx, name)
	if err != nil {
		return err
	}
	for _, t := range same {
		if t.UserID != user.ID {
			continue
		}
		if !desk.TokenOf(t, user).Ended(d.Now()) {
			return desk.Refuse(desk.Conflict,
				"%s has a token %s already, with the id %d: revoke it first, or choose another name", user.Email,
				t.Name, t.ID)
		}
		if err := tx.RemoveToken(ctx, t.ID); err != nil {
			return err
		}
		return noteUser(ctx, d, tx, who, user, message.New("Token %s removed, since it had ended", t.Name))
	}
	return nil
}

// RevokeTokens ends tokens, each given by its id or its name, all or none. For
// who is no administrator there are but their own.
func (s *Service) RevokeTokens(ctx context.Context, who desk.Caller, which []string) error {
	return s.desk.ChangeUsers(ctx, func(tx *store.Tx) error {
		if err := dealsWithTokens(ctx, s.desk, tx, &who); err != nil {
			return err
		}
		for _, one := range which {
			if err := revoke(ctx, s.desk, tx, who, one); err != nil {
				return err
			}
		}
		return nil
	})
}

func revoke(ctx context.Context, d *desk.Desk, tx *store.Tx, who desk.Caller, which string) error {
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
	return noteUser(ctx, d, tx, who, user, message.New("Token %s revoked", t.Name))
}

// revokeAll ends all tokens of a user, and returns how many of them were good for
// something.
func revokeAll(
	ctx context.Context, d *desk.Desk, tx *store.Tx, who desk.Caller, user *inventory.User,
) (revoked int64, err error) {
	tokens, err := tx.TokensOf(ctx, user.ID)
	if err != nil {
		return 0, err
	}
	for _, t := range tokens {
		text := message.New("Token %s removed, since it had ended", t.Name)
		if !desk.TokenOf(t, user).Ended(d.Now()) {
			revoked++
			text = message.New("Token %s revoked", t.Name)
		}
		if err := tx.RemoveToken(ctx, t.ID); err != nil {
			return 0, err
		}
		if err := noteUser(ctx, d, tx, who, user, text); err != nil {
			return 0, err
		}
	}
	return revoked, nil
}

// findToken returns the token with an id, or the only one with a name, of those
// that there are for the caller.
func findToken(ctx context.Context, tx *store.Tx, who desk.Caller, which string) (t store.Token, err error) {
	which = strings.TrimSpace(which)
	owner, alone := owns(who)
	if desk.IsNumber(which) {
		id, _ := strconv.ParseInt(which, 10, 64) // the highest of all for a greater one
		t, err = tx.TokenShared(ctx, id)
		if errors.Is(err, store.ErrNotFound) || err == nil && alone && t.UserID != owner {
			err = desk.Refuse(desk.NotFound, "there is no token with the id %s: muster token list shows all", which)
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
		return t, desk.Refuse(desk.NotFound, "%s has no token %s", who.User.Email, which)
	case len(same) == 0:
		hint, err := agentTokenHint(ctx, tx, which)
		if err != nil {
			return t, err
		}
		return t, desk.Refuse(desk.NotFound, "there is no token %s: muster token list shows all%s", which, hint)
	case len(same) > 1:
		return t, desk.Refuse(desk.Conflict,
			"several users have a token %s: name it by its id, which muster token list shows", which)
	}
	return same[0], nil
}

// noteUser writes the audit record of what was done with something that a user
// proves to be themselves with.
func noteUser(
	ctx context.Context, d *desk.Desk, tx *store.Tx, who desk.Caller, user *inventory.User, text message.Text,
) error {
	return d.WriteAudit(ctx, tx, who, inventory.Users.Schema, user, desk.NewAudit(inventory.Updated, text))
}

// owns reports whether a caller may deal with their own tokens alone, and with
// whose.
func owns(c desk.Caller) (userID int64, alone bool) {
	if c.User == nil || c.User.Role == inventory.Administrator && !c.User.ReadOnly.V {
		return 0, false
	}
	return c.User.ID, true
}

// mayHaveTokens returns a refusal unless the caller may deal with the tokens of
// the user with an address. It says the same whether or not there is such a user.
func mayHaveTokens(c desk.Caller, email string) error {
	if _, alone := owns(c); alone && !strings.EqualFold(strings.TrimSpace(email), c.User.Email) {
		return desk.Refuse(desk.Forbidden, "%s may only manage their own tokens", c.User.Email)
	}
	return nil
}

// agentTokenHint points out to somebody who looks for a user's token of the agent token
// that has the name.
func agentTokenHint(ctx context.Context, tx *store.Tx, name string) (string, error) {
	t, err := tx.AgentTokenNamed(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	return fmt.Sprintf("; there is an agent token of that name: muster agent token revoke %d", t.ID), err
}
