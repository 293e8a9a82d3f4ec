package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/store"
)

// ErrAgentToken says that a secret is that of an agent token, by its beginning
// alone: there need be no such token.
var ErrAgentToken = errors.New("agent token")

// Bearer returns the user that a token's secret lets in, with the token, and
// notes its use from an address. The error of one that lets nobody in is for the log: the client
// does not learn what is wrong with it, but for ErrAgentToken.
func (s *Service) Bearer(ctx context.Context, secret, address string) (*inventory.User, *desk.Token, error) {
	hash := desk.HashToken(secret)
	token, user := s.accounts.bearer(hash)
	now := s.desk.Now()
	switch {
	case token == nil && strings.HasPrefix(secret, desk.AgentPrefix):
		return nil, nil, ErrAgentToken
	case token == nil:
		return nil, nil, errors.New("unknown token")
	case token.Disabled:
		return nil, nil, errors.New("disabled user")
	case token.Ended(now):
		return nil, nil, errors.New("ended token")
	}
	s.accounts.noteUse(ctx, hash, token, address, now)
	return user, token, nil
}

// bearer returns the token of a hash and its user, nil when there is none.
func (a *accounts) bearer(hash desk.TokenHash) (*desk.Token, *inventory.User) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	token := a.tokens[hash]
	if token == nil {
		return nil, nil
	}
	return token, a.byEmail[token.Email].user
}

// noteUse renews the time of a token's last use as noteLogin does that of a
// login.
func (a *accounts) noteUse(ctx context.Context, hash desk.TokenHash, token *desk.Token, address string, now time.Time) {
	now = now.UTC().Truncate(time.Second)
	if now.Sub(token.LastUsed) < desk.LoginEvery || !a.use(hash, now) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, desk.LoginTime)
	defer cancel()
	err := a.desk.Store().Update(ctx, func(tx *store.Tx) error {
		return tx.UseToken(ctx, token.ID, address, now,
			now.Add(-desk.LoginEvery))
	})
	if err != nil {
		a.desk.Log().Warn("the use of a token was not stored", "token", token.ID, "user", token.Email, "error", err)
	}
}

// use renews the time of a token's last use in memory, and reports whether it
// was old.
func (a *accounts) use(hash desk.TokenHash, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.tokens[hash]
	if known == nil || now.Sub(known.LastUsed) < desk.LoginEvery {
		return false
	}
	token := *known
	token.LastUsed = now
	a.tokens[hash] = &token
	return true
}

// tokensOf reads the tokens of users; those of others are dead.
func tokensOf(ctx context.Context, tx *store.Tx, users []*inventory.User) (map[desk.TokenHash]*desk.Token, error) {
	known, tokens := byID(users), map[desk.TokenHash]*desk.Token{}
	err := tx.Tokens(ctx, func(t store.Token) error {
		if user := known[t.UserID]; user != nil && len(t.Hash) == sha256.Size {
			tokens[desk.TokenHash(t.Hash)] = desk.TokenOf(t, user)
		}
		return nil
	})
	return tokens, err
}

func byID(users []*inventory.User) map[int64]*inventory.User {
	found := map[int64]*inventory.User{}
	for _, user := range users {
		found[user.ID] = user
	}
	return found
}
