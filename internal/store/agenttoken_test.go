package store_test

import (
	"errors"
	"testing"
	"time"

	"muster/internal/store"
)

// TestAgentTokens are kept as they are, named without case, and removed one by
// one.
func TestAgentTokens(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		tokens := []store.AgentToken{
			{Name: "Straße", Hash: []byte{0, 1}, Site: "Lyon", Department: "Sales", Tag: "laptops", CreatedAt: start},
			{Name: "agents", Hash: []byte{0, 2}, CreatedAt: start},
		}
		for i := range tokens {
			update(t, s, func(tx *store.Tx) error { return tx.AddAgentToken(ctx, &tokens[i]) })
			equal(t, "id", tokens[i].ID, int64(i+1))
		}
		equal(t, "agent tokens", allAgentTokens(t, s), tokens)
		update(t, s, func(tx *store.Tx) error {
			named, err := tx.AgentTokenNamed(ctx, "STRASSE")
			equal(t, "of one name", named, tokens[0])
			one, err2 := tx.AgentTokenShared(ctx, 2)
			equal(t, "of one id", one, tokens[1])
			return errors.Join(err, err2)
		})
		for what, same := range map[string]store.AgentToken{
			"name": {Name: "AGENTS", Hash: []byte{0, 3}, CreatedAt: start},
			"hash": {Name: "other", Hash: []byte{0, 2}, CreatedAt: start},
		} {
			if err := s.Update(ctx, func(tx *store.Tx) error { return tx.AddAgentToken(ctx, &same) }); err == nil {
				t.Errorf("a second one with the same %s: got no error", what)
			}
		}
		for _, c := range []struct{ now, want time.Duration }{{0, 0}, {59 * time.Minute, 0}, {time.Hour, time.Hour}} {
			now := start.Add(c.now)
			update(t, s, func(tx *store.Tx) error { return tx.UseAgentToken(ctx, 2, now, now.Add(-time.Hour)) })
			equal(t, "last use after "+c.now.String(), allAgentTokens(t, s)[1].LastUsed, start.Add(c.want))
		}
		update(t, s, func(tx *store.Tx) error { return tx.RemoveAgentToken(ctx, 2) })
		equal(t, "without one", allAgentTokens(t, s), tokens[:1])
		for _, find := range []func(tx *store.Tx) (store.AgentToken, error){
			func(tx *store.Tx) (store.AgentToken, error) { return tx.AgentTokenShared(ctx, 2) },
			func(tx *store.Tx) (store.AgentToken, error) { return tx.AgentTokenNamed(ctx, "agents") },
		} {
			is(t, "one that is gone", s.Update(ctx, func(tx *store.Tx) error {
				_, err := find(tx)
				return err
			}), store.ErrNotFound)
		}
	})
}

// allAgentTokens reads all agent tokens.
func allAgentTokens(t *testing.T, s *store.Store) (tokens []store.AgentToken) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		return tx.AgentTokens(ctx, func(token store.AgentToken) error {
			tokens = append(tokens, token)
			return nil
		})
	})
	return tokens
}
