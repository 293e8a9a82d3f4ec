package store

import (
	"context"
	"strconv"
	"strings"
	"time"

	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// An AgentToken lets whoever has its secret report computers, and nothing else. Names are unique, whatever
// their case.
type AgentToken struct {
	ID                    int64
	Name                  string
	Hash                  []byte  // of the secret
	Site, Department, Tag string  // set on computers that are created with it
	Replaces              []int64 // tokens whose computers may be reported with this one
	ForNewImages          bool    // it may report computers of other tokens whose system was reinstalled
	ComputerID            int64   // the only computer that it may report, 0 for any
	LeftOut               int64   // claims that were dropped, since there were too many or they were too large
	CreatedAt             time.Time
	LastUsed              time.Time // zero for never
}

const agentTokenColumns = "r.id, r.name, r.hash, r.site, r.department, r.tag, r.created_at, r.last_used, r.replaces, r.for_new_images, r.hardware_id, r.left_out"

func scanAgentToken(r sqldb.Row) AgentToken {
	return AgentToken{
		ID: r.Int(0), Name: string(r.Bytes(1, nil)), Hash: r.Bytes(2, nil),
		Site: string(r.Bytes(3, nil)), Department: string(r.Bytes(4, nil)), Tag: string(r.Bytes(5, nil)),
		CreatedAt: mapping.TimeAt(r, 6), LastUsed: mapping.TimeAt(r, 7), Replaces: idsAt(r, 8),
		ForNewImages: r.Int(9) != 0, ComputerID: r.Int(10), LeftOut: r.Int(11),
	}
}

// AgentTokens calls each with every agent token, ordered by id.
func (tx *Tx) AgentTokens(ctx context.Context, each func(AgentToken) error) error {
	return tx.Query(ctx, "SELECT "+agentTokenColumns+" FROM agent_tokens r ORDER BY r.id", nil,
		func(r sqldb.Row) error { return each(scanAgentToken(r)) })
}

// AgentTokenShared returns an agent token, or ErrNotFound. Nobody can remove it before the Update ends.
func (tx *Tx) AgentTokenShared(ctx context.Context, id int64) (AgentToken, error) {
	return tx.agentToken(ctx, "r.id = $1", id)
}

// AgentTokenNamed returns the agent token with a name, in any case, or ErrNotFound. Nobody can remove it before
// the Update ends.
func (tx *Tx) AgentTokenNamed(ctx context.Context, name string) (AgentToken, error) {
	return tx.agentToken(ctx, "r.name_folded = $1", mapping.Fold(name))
}

// agentToken returns the agent token that matches a condition on one value.
func (tx *Tx) agentToken(ctx context.Context, condition string, value any) (t AgentToken, err error) {
	sql := "SELECT " + agentTokenColumns + " FROM agent_tokens r WHERE " + condition + tx.Dialect().Share
	err = tx.One(ctx, sql, []any{value}, func(r sqldb.Row) error {
		t = scanAgentToken(r)
		return nil
	})
	return t, err
}

// AddAgentToken stores a new agent token and sets its id.
func (tx *Tx) AddAgentToken(ctx context.Context, t *AgentToken) error {
	return tx.One(ctx, `INSERT INTO agent_tokens (name, name_folded, hash, site, department, tag, created_at, replaces, for_new_images, hardware_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
		[]any{t.Name, mapping.Fold(t.Name), t.Hash, t.Site, t.Department, t.Tag, t.CreatedAt.Unix(),
			idsArg(t.Replaces), mapping.BoolArg(t.ForNewImages), t.ComputerID},
		func(r sqldb.Row) error {
			t.ID = r.Int(0)
			return nil
		})
}

// SetAgentToken stores which computers of other tokens an agent token may report.
func (tx *Tx) SetAgentToken(ctx context.Context, t *AgentToken) error {
	return tx.Exec(ctx, "UPDATE agent_tokens SET replaces = $1, for_new_images = $2 WHERE id = $3", idsArg(t.Replaces),
		mapping.BoolArg(t.ForNewImages), t.ID)
}

// RebindAgentTokens moves the agent tokens of one computer to another.
func (tx *Tx) RebindAgentTokens(ctx context.Context, computer, into int64) error {
	return tx.Exec(ctx, "UPDATE agent_tokens SET hardware_id = $2 WHERE hardware_id = $1", computer, into)
}

// LeaveOut counts a claim of an agent token that was dropped.
func (tx *Tx) LeaveOut(ctx context.Context, token int64) error {
	return tx.Exec(ctx, "UPDATE agent_tokens SET left_out = coalesce(left_out, 0) + 1 WHERE id = $1", token)
}

// idsAt reads a column of ids.
func idsAt(r sqldb.Row, i int) (ids []int64) {
	for _, name := range strings.Fields(string(r.Bytes(i, nil))) {
		if id, err := strconv.ParseInt(name, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// idsArg returns ids as a statement's argument.
func idsArg(ids []int64) any {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = strconv.FormatInt(id, 10)
	}
	return mapping.TextArg(strings.Join(names, " "))
}

// RemoveAgentToken removes an agent token.
func (tx *Tx) RemoveAgentToken(ctx context.Context, id int64) error {
	return tx.Exec(ctx, "DELETE FROM agent_tokens WHERE id = $1", id)
}

// UseAgentToken stores that an agent token was used, unless a use since the given time is stored already,
// perhaps by another node.
func (tx *Tx) UseAgentToken(ctx context.Context, id int64, now, since time.Time) error {
	return tx.Exec(ctx, "UPDATE agent_tokens SET last_used = $1 WHERE id = $2 AND coalesce(last_used, 0) <= $3",
		now.Unix(), id, since.Unix())
}
