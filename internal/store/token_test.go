package store_test

import (
	"errors"
	"testing"
	"time"

	"muster/internal/store"
)

// TestTokens are kept as they are, named without case, and removed one by one
// or with their user.
func TestTokens(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		tokens := []store.Token{
			{UserID: 7, Name: "Straße", Hash: []byte{0, 1}, ReadOnly: true, CreatedAt: start,
				Expires: start.Add(time.Hour)},
			{UserID: 8, Name: "STRASSE", Hash: []byte{0, 2}, CreatedAt: start},
			{UserID: 7, Name: "other", Hash: []byte{0, 3}, CreatedAt: start},
		}
		for i := range tokens {
			update(t, s, func(tx *store.Tx) error { return tx.AddToken(ctx, &tokens[i]) })
			equal(t, "id", tokens[i].ID, int64(i+1))
		}
		equal(t, "tokens", allTokens(t, s), tokens)
		view(t, s, func(tx *store.Tx) error {
			named, err := tx.TokensNamed(ctx, "strasse")
			equal(t, "of one name", named, tokens[:2])
			return err
		})
		same := store.Token{UserID: 7, Name: "OTHER", Hash: []byte{0, 4}, CreatedAt: start}
		if err := s.Update(ctx, func(tx *store.Tx) error { return tx.AddToken(ctx, &same) }); err == nil {
			t.Error("a second token of a user with one name: got no error")
		}

		for _, c := range []struct{ now, want time.Duration }{{0, 0}, {59 * time.Minute, 0}, {time.Hour, time.Hour}} {
			now := start.Add(c.now)
			update(t, s, func(tx *store.Tx) error { return tx.UseToken(ctx, 2, "192.0.2.8", now, now.Add(-time.Hour)) })
			equal(t, "last use after "+c.now.String(), allTokens(t, s)[1].LastUsed, start.Add(c.want))
		}
		equal(t, "from where", allTokens(t, s)[1].LastAddress, "192.0.2.8")
		update(t, s, func(tx *store.Tx) error {
			got, err := tx.TokenShared(ctx, 3)
			equal(t, "one token", got, tokens[2])
			return errors.Join(err, tx.RemoveToken(ctx, 2))
		})
		equal(t, "tokens without one", allTokens(t, s), []store.Token{tokens[0], tokens[2]})
		update(t, s, func(tx *store.Tx) error { return tx.RemoveTokensOf(ctx, 7) })
		equal(t, "tokens without a user's", len(allTokens(t, s)), 0)
		is(t, "a token that is gone", s.Update(ctx, func(tx *store.Tx) error {
			_, err := tx.TokenShared(ctx, 3)
			return err
		}), store.ErrNotFound)
	})
}

// allTokens reads all tokens.
func allTokens(t *testing.T, s *store.Store) (tokens []store.Token) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		return tx.Tokens(ctx, func(token store.Token) error {
			tokens = append(tokens, token)
			return nil
		})
	})
	return tokens
}
