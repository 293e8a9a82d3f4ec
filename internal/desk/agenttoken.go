package desk

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"time"

	"muster/internal/inventory"
	"muster/internal/store"
)

// agentTokensCounter counts the changes of agent tokens, so that other nodes
// notice them.
const agentTokensCounter = "agent_tokens"

// An AgentToken lets agents that have its secret report computers, and nothing
// else.
type AgentToken struct {
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

// newAgentToken returns what may be known of a stored agent token.
func newAgentToken(t store.AgentToken) *AgentToken {
	return &AgentToken{t.ID, t.Name, t.Site, t.Department, t.Tag, t.CreatedAt, t.LastUsed, t.Replaces, t.ForNewImages, t.ComputerID, t.LeftOut}
}

// agentTokens are all agent tokens in memory, so that a report that tells
// nothing new need not read the database to find out whether it may.
type agentTokens struct {
	mu      sync.RWMutex
	byHash  map[tokenHash]*AgentToken
	bound   map[int64][]int64 // the ids of those of one computer, by it
	version int64             // of agentTokensCounter when they were read
}

func (a *agentTokens) get(hash tokenHash) *AgentToken {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.byHash[hash]
}

// withID returns the token with an id, nil when there is none.
func (a *agentTokens) withID(id int64) *AgentToken {
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
func (a *agentTokens) has(id int64) bool { return a.withID(id) != nil }

// boundTo returns the ids of the tokens of a computer alone, nil when it has none.
func (a *agentTokens) boundTo(computer int64) []int64 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.bound[computer]
}

// AgentToken returns the agent token that has a secret, and notes its use. The
// error of an unknown one is for the log.
func (d *Desk) AgentToken(ctx context.Context, secret string) (*AgentToken, error) {
	hash := hashToken(secret)
	token := d.agentTokens.get(hash)
	if token == nil {
		return nil, errors.New("unknown agent token")
	}
	d.noteReporting(ctx, hash, token, d.now())
	return token, nil
}

// noteReporting renews the time of an agent token's last use as noteLogin does
// that of a login.
func (d *Desk) noteReporting(ctx context.Context, hash tokenHash, token *AgentToken, now time.Time) {
	now = now.UTC().Truncate(time.Second)
	if now.Sub(token.LastUsed) < loginEvery || !d.agentTokens.use(hash, now) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, loginTime)
	defer cancel()
	err := d.store.Update(ctx, func(tx *store.Tx) error { return tx.UseAgentToken(ctx, token.ID, now, now.Add(-loginEvery)) })
	if err != nil {
		d.log.Warn("the use of an agent token was not stored", "agent_token", token.Name, "error", err)
	}
}

// use renews the time of an agent token's last use in memory, and reports
// whether it was old.
func (a *agentTokens) use(hash tokenHash, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.byHash[hash]
	if known == nil || now.Sub(known.LastUsed) < loginEvery {
		return false
	}
	token := *known
	token.LastUsed = now
	a.byHash[hash] = &token
	return true
}

// reloadAgentTokens reads all agent tokens.
func (d *Desk) reloadAgentTokens(ctx context.Context) error {
	var byHash map[tokenHash]*AgentToken
	var bound map[int64][]int64
	var version int64
	err := d.store.View(ctx, func(tx *store.Tx) (err error) {
		byHash, bound = map[tokenHash]*AgentToken{}, map[int64][]int64{}
		if version, err = tx.Counter(ctx, agentTokensCounter); err != nil {
			return err
		}
		return tx.AgentTokens(ctx, func(t store.AgentToken) error {
			if len(t.Hash) == sha256.Size {
				byHash[tokenHash(t.Hash)] = newAgentToken(t)
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
	d.agentTokens.mu.Lock()
	defer d.agentTokens.mu.Unlock()
	if version >= d.agentTokens.version { // else a later state was read meanwhile
		d.agentTokens.byHash, d.agentTokens.bound, d.agentTokens.version = byHash, bound, version
	}
	return nil
}

// catchUpAgentTokens reads the agent tokens again if there was a change.
func (d *Desk) catchUpAgentTokens(ctx context.Context) error {
	d.agentTokens.mu.RLock()
	known := d.agentTokens.version
	d.agentTokens.mu.RUnlock()
	if stale, err := d.stale(ctx, agentTokensCounter, known); err != nil || !stale {
		return err
	}
	return d.reloadAgentTokens(ctx)
}

// agentTokenHolds returns a refusal when the agent token by which a report came
// was revoked. Where another node may do that, nobody does before the report is
// taken in.
func (d *Desk) agentTokenHolds(ctx context.Context, tx *store.Tx, token *AgentToken) (err error) {
	if d.store.Shared() {
		_, err = tx.AgentTokenShared(ctx, token.ID)
	} else if !d.agentTokens.has(token.ID) {
		err = store.ErrNotFound
	}
	if errors.Is(err, store.ErrNotFound) {
		return refuse(Forbidden, "the agent token %s was revoked", token.Name)
	}
	return err
}

// equip gives a computer that is new by the token what it has no value of.
func (t *AgentToken) equip(c *inventory.Computer) {
	fill(&c.Site, t.Site)
	fill(&c.Department, t.Department)
	fill(&c.Tag, t.Tag)
}
