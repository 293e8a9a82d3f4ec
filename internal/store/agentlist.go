package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// AgentsOfAll returns the agents of several computers, ordered by id.
func (tx *Tx) AgentsOfAll(ctx context.Context, computers []int64) ([]Agent, error) {
	ids := make([]string, len(computers))
	for i, id := range computers {
		ids[i] = strconv.FormatInt(id, 10)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return tx.agents(ctx, fmt.Sprintf(agentColumns, "NULL", "NULL")+"a.id > $1 AND a.hardware_id IN ("+
		strings.Join(ids, ", ")+") ORDER BY a.id", int64(0))
}
