package desk

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"muster/internal/store"
)

// AgentPrefix begins every agent token, so that nobody takes it for one of a
// user. It becomes part of addresses and of paths, so an agent token has but
// letters, digits and underscores.
const AgentPrefix = TokenPrefix + "agent_"

// TokenPrefix begins every token, so that people and programs that look for
// secrets in files know one when they see it.
const TokenPrefix = "muster_"

// TokenHint points out to somebody who looks for an agent token of a user's token that
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

// A TokenHash is what is kept of a token's secret: SHA-256. The slow hashes of
// passwords are against guessing, and nobody guesses 256 random bits. So a
// token costs a request next to nothing, and is found by its hash: how long
// that takes follows from a hash, which reveals nothing about any secret.
type TokenHash [sha256.Size]byte

func HashToken(secret string) TokenHash { return sha256.Sum256([]byte(secret)) }

// LoginEvery is how often the time of the last use of a login or a token is renewed, and LoginTime how long that may
// take.
const (
	LoginEvery = time.Hour
	LoginTime  = time.Second
)
