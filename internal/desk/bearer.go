package desk

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"time"

	"muster/internal/inventory"
	"muster/internal/store"
)

// A TokenHash is what is kept of a token's secret: SHA-256. The slow hashes of
// passwords are against guessing, and nobody guesses 256 random bits. So a
// token costs a request next to nothing, and is found by its hash: how long
// that takes follows from a hash, which tells nothing about any secret.
type TokenHash [sha256.Size]byte

func HashToken(secret string) TokenHash { return sha256.Sum256([]byte(secret)) }

// A Token lets whoever has its secret act as a user, with at most the user's
// rights.
type Token struct {
	ID        int64
	Name      string
	Email     string // of the user
	Disabled  bool   // the user is
	Reader    bool   // the user may only read
	ReadOnly  bool
	CreatedAt time.Time
	Expires   time.Time // from when it is good for nothing, zero for never
	LastUsed  time.Time // renewed at most hourly, zero for never
	Address   string    // from which it was used then, "" for none
}

// newToken returns what may be known of a stored token.
func newToken(t store.Token, user *inventory.User) *Token {
	return &Token{t.ID, t.Name, user.Email, user.Disabled.V, user.ReadOnly.V, t.ReadOnly, t.CreatedAt, t.Expires, t.LastUsed, t.LastAddress}
}

// Ended reports whether the token is good for nothing any more.
func (t *Token) Ended(now time.Time) bool { return !t.Expires.IsZero() && !now.Before(t.Expires) }

// MayChange returns a refusal when the token is for reading alone.
func (t *Token) MayChange() error {
	if t.ReadOnly {
		return Refuse(Forbidden, "the token %s may only read", t.Name)
	}
	return nil
}

// ErrAgentToken says that a secret is that of an agent token, by its beginning
// alone: there need be no such token.
var ErrAgentToken = errors.New("agent token")

// Bearer returns the user that a token's secret lets in, with the token, and
// notes its use from an address. The error of one that lets nobody in is for the log: the client
// is not told what is wrong with it, but for ErrAgentToken.
func (d *Desk) Bearer(ctx context.Context, secret, address string) (*inventory.User, *Token, error) {
	hash := HashToken(secret)
	token, user := d.accounts.bearer(hash)
	now := d.now()
	switch {
	case token == nil && strings.HasPrefix(secret, AgentPrefix):
		return nil, nil, ErrAgentToken
	case token == nil:
		return nil, nil, errors.New("unknown token")
	case token.Disabled:
		return nil, nil, errors.New("disabled user")
	case token.Ended(now):
		return nil, nil, errors.New("ended token")
	}
	d.noteUse(ctx, hash, token, address, now)
	return user, token, nil
}

// bearer returns the token of a hash and its user, nil when there is none.
func (a *accounts) bearer(hash TokenHash) (*Token, *inventory.User) {
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
func (d *Desk) noteUse(ctx context.Context, hash TokenHash, token *Token, address string, now time.Time) {
	now = now.UTC().Truncate(time.Second)
	if now.Sub(token.LastUsed) < LoginEvery || !d.accounts.use(hash, now) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, LoginTime)
	defer cancel()
	err := d.store.Update(ctx, func(tx *store.Tx) error { return tx.UseToken(ctx, token.ID, address, now, now.Add(-LoginEvery)) })
	if err != nil {
		d.log.Warn("the use of a token was not stored", "token", token.ID, "user", token.Email, "error", err)
	}
}

// use renews the time of a token's last use in memory, and reports whether it
// was old.
func (a *accounts) use(hash TokenHash, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.tokens[hash]
	if known == nil || now.Sub(known.LastUsed) < LoginEvery {
		return false
	}
	token := *known
	token.LastUsed = now
	a.tokens[hash] = &token
	return true
}

// tokensOf reads the tokens of users; those of others are dead.
func tokensOf(ctx context.Context, tx *store.Tx, users []*inventory.User) (map[TokenHash]*Token, error) {
	known, tokens := byID(users), map[TokenHash]*Token{}
	err := tx.Tokens(ctx, func(t store.Token) error {
		if user := known[t.UserID]; user != nil && len(t.Hash) == sha256.Size {
			tokens[TokenHash(t.Hash)] = newToken(t, user)
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

// tokenHolds returns a refusal when the token by which a change came lets
// nobody change anything any more. Nobody revokes it before the change is made.
func (d *Desk) tokenHolds(ctx context.Context, tx *store.Tx, token *Token) error {
	if token == nil {
		return nil
	}
	stored, err := tx.TokenShared(ctx, token.ID)
	switch now := newToken(stored, &inventory.User{Email: token.Email}); {
	case errors.Is(err, store.ErrNotFound):
		return Refuse(Forbidden, "the token %s was revoked", token.Name)
	case err != nil:
		return err
	case now.Ended(d.now()):
		return Refuse(Forbidden, "the token %s has ended", token.Name)
	default:
		return now.MayChange()
	}
}
