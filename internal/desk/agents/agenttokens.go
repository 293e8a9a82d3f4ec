package agents

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// agentTokenName is the name of an agent token to which nobody gave one; the
// second is called so and 2.
const agentTokenName = "agents"

// agentTokenType is what audit records call an agent token.
const agentTokenType = "agent-token"

// Tokens returns all agent tokens in the order of their ids, to those who
// deal with them: administrators, also those who may only read.
func (s *Service) Tokens(ctx context.Context, who desk.Caller) (tokens []*Token, err error) {
	if who.User != nil && who.User.Role != inventory.Administrator {
		return nil, desk.Refuse(desk.Forbidden, "a %s may not see agent tokens", message.Word(who.User.Role))
	}
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		tokens = nil
		return tx.AgentTokens(ctx, func(t store.AgentToken) error {
			tokens = append(tokens, shownToken(t))
			return nil
		})
	})
	return tokens, err
}

// A NewToken is an agent token to be made.
type NewToken struct {
	Name                  string // "" for one that is free
	Site, Department, Tag string // of the computers that are new by it, "" for none
	TokenMarks
	ForComputer string // id, asset id or name of the computer of which alone it reports, "" for any
}

// TokenMarks say which computers of other agent tokens may come with one, without
// waiting for a technician.
type TokenMarks struct {
	Replaces     []string // ids or names of agent tokens, nil for those of before
	ForNewImages *bool    // whether it is for computers that were set up anew, nil for as before
}

// AddToken makes an agent token and returns it with its secret, which is
// kept nowhere. It asks for step-up.
func (s *Service) AddToken(ctx context.Context, who desk.Caller, n NewToken) (token *Token, secret string, err error) {
	for _, text := range []*string{&n.Name, &n.Site, &n.Department, &n.Tag, &n.ForComputer} {
		*text = strings.TrimSpace(*text)
	}
	if err := n.check(); err != nil {
		return nil, "", err
	}
	secret = desk.AgentPrefix + rand.Text() // 130 bits
	err = s.changeTokens(ctx, func(tx *store.Tx) error {
		if err := s.desk.Administers(ctx, tx, who, "a %s may not add agent tokens"); err != nil {
			return err
		}
		if err := s.desk.StepUp(ctx, tx, who, 0); err != nil {
			return err
		}
		name, err := agentNameFor(ctx, tx, n.Name)
		if err != nil {
			return err
		}
		hash := desk.HashToken(secret)
		t := &store.AgentToken{
			Name: name, Hash: hash[:], Site: n.Site, Department: n.Department, Tag: n.Tag, CreatedAt: s.desk.Now(),
		}
		if n.ForComputer != "" {
			if t.ComputerID, err = s.ComputerCalled(ctx, tx, n.ForComputer); err != nil {
				return err
			}
		}
		if err := n.TokenMarks.set(ctx, tx, t); err != nil {
			return err
		}
		if err := tx.AddAgentToken(ctx, t); err != nil {
			return err
		}
		token = shownToken(*t)
		added := token.newAudit(inventory.Created)
		marks, err := markChanges(ctx, tx, &Token{}, token)
		added.Changes = append(added.Changes, marks...)
		if err != nil {
			return err
		}
		return s.desk.AppendAudits(ctx, tx, who, added)
	})
	return token, secret, err
}

// set gives an agent token the marks.
func (m *TokenMarks) set(ctx context.Context, tx *store.Tx, t *store.AgentToken) error {
	if m.ForNewImages != nil {
		t.ForNewImages = *m.ForNewImages
	}
	if m.Replaces == nil {
		return nil
	}
	t.Replaces = nil
	for _, which := range m.Replaces {
		if which = strings.TrimSpace(which); which == "" {
			continue
		}
		other, err := findToken(ctx, tx, which)
		if err != nil {
			return err
		}
		if other.ID == t.ID {
			return desk.Refuse(desk.Conflict, "the agent token %s cannot replace itself", t.Name)
		}
		if !slices.Contains(t.Replaces, other.ID) {
			t.Replaces = append(t.Replaces, other.ID)
		}
	}
	return nil
}

// MarkToken changes which computers of other agent tokens may come with one, given
// by its id or its name.
func (s *Service) MarkToken(ctx context.Context, who desk.Caller, which string,
	marks TokenMarks) (token *Token, err error) {
	err = s.changeTokens(ctx, func(tx *store.Tx) error {
		if err := s.desk.Administers(ctx, tx, who, "a %s may not change agent tokens"); err != nil {
			return err
		}
		if err := s.desk.StepUp(ctx, tx, who, 0); err != nil {
			return err
		}
		t, err := findToken(ctx, tx, strings.TrimSpace(which))
		if err != nil {
			return err
		}
		was := shownToken(t)
		if err := marks.set(ctx, tx, &t); err != nil {
			return err
		}
		if token = shownToken(t); slices.Equal(token.Replaces, was.Replaces) && token.ForNewImages == was.ForNewImages {
			return nil
		}
		if err := tx.SetAgentToken(ctx, &t); err != nil {
			return err
		}
		changed := token.newAudit(inventory.Updated)
		if changed.Changes, err = markChanges(ctx, tx, was, token); err != nil {
			return err
		}
		return s.desk.AppendAudits(ctx, tx, who, changed)
	})
	return token, err
}

// markChanges returns what is said of marks that changed.
func markChanges(ctx context.Context, tx *store.Tx, was, is *Token) (changes []inventory.AuditChange, err error) {
	for _, f := range []struct {
		name string
		text func(*Token) (string, error)
	}{
		{"replaces", func(t *Token) (string, error) { return tokenNames(ctx, tx, t.Replaces) }},
		{"for-new-images", func(t *Token) (string, error) { return strconv.FormatBool(t.ForNewImages), nil }},
	} {
		from, err := f.text(was)
		if err != nil {
			return nil, err
		}
		to, err := f.text(is)
		if err != nil {
			return nil, err
		}
		if from != to {
			changes = append(changes, inventory.AuditChange{Field: f.name, From: from, To: to})
		}
	}
	return changes, nil
}

// tokenNames returns the names of the agent tokens with some ids, as far as there are any.
func tokenNames(ctx context.Context, tx *store.Tx, ids []int64) (string, error) {
	var names []string
	err := tx.AgentTokens(ctx, func(t store.AgentToken) error {
		if slices.Contains(ids, t.ID) {
			names = append(names, t.Name)
		}
		return nil
	})
	return strings.Join(names, ", "), err
}

// check returns what is wrong with an agent token to be made. Its texts become
// fields of computers, so they are as long at most.
func (n *NewToken) check() error {
	var faults []message.Text
	for _, f := range []struct {
		name message.Word
		text string
	}{{"Name", n.Name}, {"Site", n.Site}, {"Department", n.Department}, {"Tag", n.Tag}} {
		switch {
		case utf8.RuneCountInString(f.text) > desk.MaxName:
			faults = append(faults, message.Says("is too long (maximum is %d characters)", desk.MaxName).Of(f.name))
		case !desk.IsLine(f.text):
			faults = append(faults, message.Says("must be text of one line in UTF-8").Of(f.name))
		}
	}
	if desk.IsNumber(n.Name) {
		faults = append(faults, message.Says("must not be a number, which would be taken for an id").Of("Name"))
	}
	if faults != nil {
		return &kind.Invalid{Faults: faults}
	}
	return nil
}

// agentNameFor returns the name for a new agent token: the given one, unless
// there is one of that name, or with "" one that is free.
func agentNameFor(ctx context.Context, tx *store.Tx, given string) (string, error) {
	if given == "" {
		return freeAgentName(ctx, tx)
	}
	same, err := tx.AgentTokenNamed(ctx, given)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return given, nil
	case err != nil:
		return "", err
	}
	return "", desk.Refuse(desk.Conflict,
		"there is an agent token %s already, with the id %d: revoke it first, or choose another name",
		same.Name, same.ID)
}

// freeAgentName returns a name that no agent token has.
func freeAgentName(ctx context.Context, tx *store.Tx) (string, error) {
	var taken []string
	err := tx.AgentTokens(ctx, func(t store.AgentToken) error {
		taken = append(taken, t.Name)
		return nil
	})
	name := agentTokenName
	for n := 2; slices.ContainsFunc(taken, func(other string) bool { return strings.EqualFold(other, name) }); n++ {
		name = fmt.Sprintf("%s %d", agentTokenName, n)
	}
	return name, err
}

// RevokeTokens ends agent tokens, each given by its id or its name, all or
// none.
func (s *Service) RevokeTokens(ctx context.Context, who desk.Caller, which []string) error {
	return s.changeTokens(ctx, func(tx *store.Tx) error {
		if err := s.desk.Administers(ctx, tx, who, "a %s may not revoke agent tokens"); err != nil {
			return err
		}
		for _, one := range which {
			t, err := findToken(ctx, tx, strings.TrimSpace(one))
			if err != nil {
				return err
			}
			if err := tx.RemoveAgentToken(ctx, t.ID); err != nil {
				return err
			}
			if err := desk.DropClaimsWith(ctx, tx, "agent-token-id", t.ID); err != nil {
				return err
			}
			if err := s.desk.AppendAudits(ctx, tx, who, shownToken(t).newAudit(inventory.Deleted)); err != nil {
				return err
			}
		}
		return nil
	})
}

// findToken returns the agent token with an id or a name.
func findToken(ctx context.Context, tx *store.Tx, which string) (t store.AgentToken, err error) {
	if desk.IsNumber(which) {
		id, _ := strconv.ParseInt(which, 10, 64) // the highest of all for a greater one
		if t, err = tx.AgentTokenShared(ctx, id); errors.Is(err, store.ErrNotFound) {
			err = desk.Refuse(desk.NotFound,
				"there is no agent token with the id %s: muster agent token list shows all", which)
		}
		return t, err
	}
	t, err = tx.AgentTokenNamed(ctx, which)
	if !errors.Is(err, store.ErrNotFound) {
		return t, err
	}
	hint, err := desk.TokenHint(ctx, tx, which)
	if err != nil {
		return t, err
	}
	return t, desk.Refuse(desk.NotFound, "there is no agent token %s: muster agent token list shows all%s", which, hint)
}

// changeTokens runs f in a transaction and makes this node know the result
// before it returns.
func (s *Service) changeTokens(ctx context.Context, f func(*store.Tx) error) error {
	err := s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		if _, err := tx.Count(ctx, agentTokensCounter); err != nil { // first: on PostgreSQL it orders these changes
			return err
		}
		return f(tx)
	})
	if err != nil {
		return err
	}
	return desk.Learn(ctx, s.reloadTokens)
}

// newAudit returns what an audit record says of a new, changed or revoked agent token.
func (t *Token) newAudit(action string) *inventory.Audit {
	a := &inventory.Audit{Action: action, RecordType: agentTokenType, RecordID: kind.Some(t.ID), RecordName: t.Name}
	switch action {
	case inventory.Deleted:
		a.Say(message.New("Agent token %s revoked", t.Name))
		return a
	case inventory.Updated:
		a.Say(message.New("Agent token %s changed", t.Name))
		return a
	}
	a.Say(message.New("Agent token %s added", t.Name))
	if t.ComputerID != 0 {
		a.Changes = append(a.Changes,
			inventory.AuditChange{Field: "for-computer", To: strconv.FormatInt(t.ComputerID, 10)})
	}
	for _, f := range []struct{ name, text string }{{"site", t.Site}, {"department", t.Department}, {"tag", t.Tag}} {
		if f.text != "" {
			a.Say(message.Plain(a.Message + ", " + f.name + " " + f.text)) // the changes say it
			a.Changes = append(a.Changes, inventory.AuditChange{Field: f.name, To: f.text})
		}
	}
	return a
}
