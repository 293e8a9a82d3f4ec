package desk

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// agentPrefix begins every agent token, so that nobody takes it for one of a
// user. It becomes part of addresses and of paths, so an agent token has but
// letters, digits and underscores.
const agentPrefix = tokenPrefix + "agent_"

// agentTokenName is the name of an agent token to which nobody gave one; the
// second is called so and 2.
const agentTokenName = "agents"

// agentTokenType is what audit records call an agent token.
const agentTokenType = "agent-token"

// AgentTokens returns all agent tokens in the order of their ids, to those who
// deal with them: administrators, also those who may only read.
func (d *Desk) AgentTokens(ctx context.Context, who Caller) (tokens []*AgentToken, err error) {
	if who.User != nil && who.User.Role != inventory.Administrator {
		return nil, refuse(Forbidden, "a %s may not see agent tokens", message.Word(who.User.Role))
	}
	err = d.store.View(ctx, func(tx *store.Tx) error {
		tokens = nil
		return tx.AgentTokens(ctx, func(t store.AgentToken) error {
			tokens = append(tokens, newAgentToken(t))
			return nil
		})
	})
	return tokens, err
}

// A NewAgentToken is an agent token to be made.
type NewAgentToken struct {
	Name                  string // "" for one that is free
	Site, Department, Tag string // of the computers that are new by it, "" for none
	AgentTokenMarks
	ForComputer string // id, asset id or name of the computer of which alone it reports, "" for any
}

// AgentTokenMarks say which computers of other agent tokens may come with one, without
// waiting for a technician.
type AgentTokenMarks struct {
	Replaces     []string // ids or names of agent tokens, nil for those of before
	ForNewImages *bool    // whether it is for computers that were set up anew, nil for as before
}

// AddAgentToken makes an agent token and returns it with its secret, which is
// kept nowhere. It asks for step-up.
func (d *Desk) AddAgentToken(ctx context.Context, who Caller, n NewAgentToken) (token *AgentToken, secret string, err error) {
	for _, text := range []*string{&n.Name, &n.Site, &n.Department, &n.Tag, &n.ForComputer} {
		*text = strings.TrimSpace(*text)
	}
	if err := n.check(); err != nil {
		return nil, "", err
	}
	secret = agentPrefix + rand.Text() // 130 bits
	err = d.changeAgentTokens(ctx, func(tx *store.Tx) error {
		if err := d.administers(ctx, tx, who, "a %s may not add agent tokens"); err != nil {
			return err
		}
		if err := d.stepUp(ctx, tx, who, 0); err != nil {
			return err
		}
		name, err := agentNameFor(ctx, tx, n.Name)
		if err != nil {
			return err
		}
		hash := hashToken(secret)
		t := &store.AgentToken{Name: name, Hash: hash[:], Site: n.Site, Department: n.Department, Tag: n.Tag, CreatedAt: d.now()}
		if n.ForComputer != "" {
			if t.ComputerID, err = d.findComputer(ctx, tx, n.ForComputer); err != nil {
				return err
			}
		}
		if err := n.AgentTokenMarks.set(ctx, tx, t); err != nil {
			return err
		}
		if err := tx.AddAgentToken(ctx, t); err != nil {
			return err
		}
		token = newAgentToken(*t)
		added := token.told(inventory.Created)
		marks, err := markChanges(ctx, tx, &AgentToken{}, token)
		added.Changes = append(added.Changes, marks...)
		if err != nil {
			return err
		}
		return d.append(ctx, tx, who, added)
	})
	return token, secret, err
}

// set gives an agent token the marks.
func (m *AgentTokenMarks) set(ctx context.Context, tx *store.Tx, t *store.AgentToken) error {
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
		other, err := findAgentToken(ctx, tx, which)
		if err != nil {
			return err
		}
		if other.ID == t.ID {
			return refuse(Conflict, "the agent token %s cannot replace itself", t.Name)
		}
		if !slices.Contains(t.Replaces, other.ID) {
			t.Replaces = append(t.Replaces, other.ID)
		}
	}
	return nil
}

// MarkAgentToken changes which computers of other agent tokens may come with one, given
// by its id or its name.
func (d *Desk) MarkAgentToken(ctx context.Context, who Caller, which string, marks AgentTokenMarks) (token *AgentToken, err error) {
	err = d.changeAgentTokens(ctx, func(tx *store.Tx) error {
		if err := d.administers(ctx, tx, who, "a %s may not change agent tokens"); err != nil {
			return err
		}
		if err := d.stepUp(ctx, tx, who, 0); err != nil {
			return err
		}
		t, err := findAgentToken(ctx, tx, strings.TrimSpace(which))
		if err != nil {
			return err
		}
		was := newAgentToken(t)
		if err := marks.set(ctx, tx, &t); err != nil {
			return err
		}
		if token = newAgentToken(t); slices.Equal(token.Replaces, was.Replaces) && token.ForNewImages == was.ForNewImages {
			return nil
		}
		if err := tx.SetAgentToken(ctx, &t); err != nil {
			return err
		}
		changed := token.told(inventory.Updated)
		if changed.Changes, err = markChanges(ctx, tx, was, token); err != nil {
			return err
		}
		return d.append(ctx, tx, who, changed)
	})
	return token, err
}

// markChanges returns what is told of marks that changed.
func markChanges(ctx context.Context, tx *store.Tx, was, is *AgentToken) (changes []inventory.AuditChange, err error) {
	for _, f := range []struct {
		name string
		text func(*AgentToken) (string, error)
	}{
		{"replaces", func(t *AgentToken) (string, error) { return tokenNames(ctx, tx, t.Replaces) }},
		{"for-new-images", func(t *AgentToken) (string, error) { return strconv.FormatBool(t.ForNewImages), nil }},
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
func (n *NewAgentToken) check() error {
	var faults []message.Text
	for _, f := range []struct {
		name message.Word
		text string
	}{{"Name", n.Name}, {"Site", n.Site}, {"Department", n.Department}, {"Tag", n.Tag}} {
		switch {
		case utf8.RuneCountInString(f.text) > maxName:
			faults = append(faults, message.Says("is too long (maximum is %d characters)", maxName).Of(f.name))
		case !isLine(f.text):
			faults = append(faults, message.Says("must be text of one line in UTF-8").Of(f.name))
		}
	}
	if isNumber(n.Name) {
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
	return "", refuse(Conflict, "there is an agent token %s already, with the id %d: revoke it first, or choose another name", same.Name, same.ID)
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

// RevokeAgentTokens ends agent tokens, each given by its id or its name, all or
// none.
func (d *Desk) RevokeAgentTokens(ctx context.Context, who Caller, which []string) error {
	return d.changeAgentTokens(ctx, func(tx *store.Tx) error {
		if err := d.administers(ctx, tx, who, "a %s may not revoke agent tokens"); err != nil {
			return err
		}
		for _, one := range which {
			t, err := findAgentToken(ctx, tx, strings.TrimSpace(one))
			if err != nil {
				return err
			}
			if err := tx.RemoveAgentToken(ctx, t.ID); err != nil {
				return err
			}
			if err := dropClaimsWith(ctx, tx, "agent-token-id", t.ID); err != nil {
				return err
			}
			if err := d.append(ctx, tx, who, newAgentToken(t).told(inventory.Deleted)); err != nil {
				return err
			}
		}
		return nil
	})
}

// findAgentToken returns the agent token with an id or a name.
func findAgentToken(ctx context.Context, tx *store.Tx, which string) (t store.AgentToken, err error) {
	if isNumber(which) {
		id, _ := strconv.ParseInt(which, 10, 64) // the highest of all for a greater one
		if t, err = tx.AgentTokenShared(ctx, id); errors.Is(err, store.ErrNotFound) {
			err = refuse(NotFound, "there is no agent token with the id %s: muster agent token list shows all", which)
		}
		return t, err
	}
	t, err = tx.AgentTokenNamed(ctx, which)
	if !errors.Is(err, store.ErrNotFound) {
		return t, err
	}
	hint, err := tokenHint(ctx, tx, which)
	if err != nil {
		return t, err
	}
	return t, refuse(NotFound, "there is no agent token %s: muster agent token list shows all%s", which, hint)
}

// agentTokenHint tells somebody who looks for a user's token of the agent token
// that has the name.
func agentTokenHint(ctx context.Context, tx *store.Tx, name string) (string, error) {
	t, err := tx.AgentTokenNamed(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	return fmt.Sprintf("; there is an agent token of that name: muster agent token revoke %d", t.ID), err
}

// changeAgentTokens runs f in a transaction and makes this node know the result
// before it returns.
func (d *Desk) changeAgentTokens(ctx context.Context, f func(*store.Tx) error) error {
	err := d.store.Update(ctx, func(tx *store.Tx) error {
		if _, err := tx.Count(ctx, agentTokensCounter); err != nil { // first: on PostgreSQL it orders these changes
			return err
		}
		return f(tx)
	})
	if err != nil {
		return err
	}
	return d.learn(ctx, d.reloadAgentTokens)
}

// told returns what an audit record says of a new, changed or revoked agent token.
func (t *AgentToken) told(action string) *inventory.Audit {
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
		a.Changes = append(a.Changes, inventory.AuditChange{Field: "for-computer", To: strconv.FormatInt(t.ComputerID, 10)})
	}
	for _, f := range []struct{ name, text string }{{"site", t.Site}, {"department", t.Department}, {"tag", t.Tag}} {
		if f.text != "" {
			a.Say(message.Plain(a.Message + ", " + f.name + " " + f.text)) // the changes tell it
			a.Changes = append(a.Changes, inventory.AuditChange{Field: f.name, To: f.text})
		}
	}
	return a
}
