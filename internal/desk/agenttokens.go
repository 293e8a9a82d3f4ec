package desk

import (
	"context"
	"errors"
	"fmt"

	"muster/internal/store"
)

// AgentPrefix begins every agent token, so that nobody takes it for one of a
// user. It becomes part of addresses and of paths, so an agent token has but
// letters, digits and underscores.
const AgentPrefix = TokenPrefix + "agent_"

// agentTokenHint tells somebody who looks for a user's token of the agent token
// that has the name.
func agentTokenHint(ctx context.Context, tx *store.Tx, name string) (string, error) {
	t, err := tx.AgentTokenNamed(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	return fmt.Sprintf("; there is an agent token of that name: muster agent token revoke %d", t.ID), err
}
