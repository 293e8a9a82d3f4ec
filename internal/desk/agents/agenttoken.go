package agents

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/store"
)

// agentTokensCounter counts the changes of agent tokens, so that other nodes
// notice them.
const agentTokensCounter = "agent_tokens"

// A Token lets agents that have its secret report computers, and nothing
// else.
type Token struct {
	ID                    int64
	Name                  string
	Site, Department, Tag string // of the computers that are new by it, "" for none
	CreatedAt             time.Time
	LastUsed              time.Time // renewed at most hourly, zero for never

	Replaces     []int64 // agent tokens whose computers may come with this one
	ForNewImages bool    // computers of other agent tokens may, when they were set up anew
	ComputerID   int64   // of which alone it reports, 0 for any
	LeftOut      int64   // claims that were not kept
}

// shownToken returns what may be known of a stored agent token.
func shownToken(t store.AgentToken) *Token {
	return &Token{t.ID, t.Name, t.Site, t.Department, t.Tag, t.CreatedAt, t.LastUsed, t.Replaces, t.ForNewImages,
		t.ComputerID, t.LeftOut}
}

// tokenTable are all agent tokens in memory, so that a report that has
// nothing new need not read the database to find out whether it may.
type tokenTable struct {
	mu      sync.RWMutex
	byHash  map[desk.TokenHash]*Token
	bound   map[int64][]int64 // the ids of those of one computer, by it
	version int64             // of agentTokensCounter when they were read
}

func (a *tokenTable) get(hash desk.TokenHash) *Token {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.byHash[hash]
}

// withID returns the token with an id, nil when there is none.
func (a *tokenTable) withID(id int64) *Token {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, t := range a.byHash {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// has reports whether there is a token with an id.
func (a *tokenTable) has(id int64) bool { return a.withID(id) != nil }

// boundTo returns the ids of the tokens of a computer alone, nil when it has none.
func (a *tokenTable) boundTo(computer int64) []int64 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.bound[computer]
}

// Token returns the agent token that has a secret, and notes its use. The
// error of an unknown one is for the log.
func (s *Service) Token(ctx context.Context, secret string) (*Token, error) {
	hash := desk.HashToken(secret)
	token := s.tokens.get(hash)
	if token == nil {
		return nil, errors.New("unknown agent token")
	}
	s.noteReporting(ctx, hash, token, s.desk.Now())
	return token, nil
}

// noteReporting renews the time of an agent token's last use as noteLogin does
// that of a login.
func (s *Service) noteReporting(ctx context.Context, hash desk.TokenHash, token *Token, now time.Time) {
	now = now.UTC().Truncate(time.Second)
	if now.Sub(token.LastUsed) < desk.LoginEvery || !s.tokens.use(hash, now) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, desk.LoginTime)
	defer cancel()
	err := s.desk.Store().Update(ctx,
		func(tx *store.Tx) error { return tx.UseAgentToken(ctx, token.ID, now, now.Add(-desk.LoginEvery)) })
	if err != nil {
		s.desk.Log().Warn("the use of an agent token was not stored", "agent_token", token.Name, "error", err)
	}
}

// use renews the time of an agent token's last use in memory, and reports
// whether it was old.
func (a *tokenTable) use(hash desk.TokenHash, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.byHash[hash]
	if known == nil || now.Sub(known.LastUsed) < desk.LoginEvery {
		return false
	}
	token := *known
	token.LastUsed = now
	a.byHash[hash] = &token
	return true
}

// reloadTokens reads all agent tokens.
func (s *Service) reloadTokens(ctx context.Context) error {
	var byHash map[desk.TokenHash]*Token
	var bound map[int64][]int64
	var version int64
	err := s.desk.Store().View(ctx, func(tx *store.Tx) (err error) {
		byHash, bound = map[desk.TokenHash]*Token{}, map[int64][]int64{}
		if version, err = tx.Counter(ctx, agentTokensCounter); err != nil {
			return err
		}
		return tx.AgentTokens(ctx, func(t store.AgentToken) error {
			if len(t.Hash) == sha256.Size {
				byHash[desk.TokenHash(t.Hash)] = shownToken(t)
			}
			if t.ComputerID != 0 {
				bound[t.ComputerID] = append(bound[t.ComputerID], t.ID)
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	s.tokens.mu.Lock()
	defer s.tokens.mu.Unlock()
	if version >= s.tokens.version { // else a later state was read meanwhile
		s.tokens.byHash, s.tokens.bound, s.tokens.version = byHash, bound, version
	}
	return nil
}

// CatchUpTokens reads the agent tokens again if there was a change.
func (s *Service) CatchUpTokens(ctx context.Context) error {
	s.tokens.mu.RLock()
	known := s.tokens.version
	s.tokens.mu.RUnlock()
	if stale, err := desk.Stale(ctx, s.desk.Store(), agentTokensCounter, known); err != nil || !stale {
		return err
	}
	return s.reloadTokens(ctx)
}

// RebindTokens makes the agent tokens of one computer alone those of another one. The
// transaction's caller reads the tokens again when it is made.
func (s *Service) RebindTokens(ctx context.Context, tx *store.Tx, from, to int64) error {
	if s.tokens.boundTo(from) == nil {
		return nil
	}
	if _, err := tx.Count(ctx, agentTokensCounter); err != nil {
		return err
	}
	return tx.RebindAgentTokens(ctx, from, to)
}

// checkToken returns a refusal when the agent token by which a report came
// was revoked. Where another node may do that, nobody does before the report is
// taken in.
func (s *Service) checkToken(ctx context.Context, tx *store.Tx, token *Token) (err error) {
	if s.desk.Store().Shared() {
		_, err = tx.AgentTokenShared(ctx, token.ID)
	} else if !s.tokens.has(token.ID) {
		err = store.ErrNotFound
	}
	if errors.Is(err, store.ErrNotFound) {
		return desk.Refuse(desk.Forbidden, "the agent token %s was revoked", token.Name)
	}
	return err
}

// equip gives a computer that is new by the token what it has no value of.
func (t *Token) equip(c *inventory.Computer) {
	fill(&c.Site, t.Site)
	fill(&c.Department, t.Department)
	fill(&c.Tag, t.Tag)
}
