package agents

import (
	"context"
	"errors"

	"muster/internal/desk"
	"muster/internal/store"
)

// bind limits a report to what it came by: with a token of one computer it is of that
// computer, and one that a technician accepts is of the computer that they accepted it
// for. With a key alone it counts as with the token that its agent had.
func (i *identification) bind(ctx context.Context) error {
	switch {
	case i.accepted != nil:
		if claimed := i.accepted.claim.ComputerID.V; claimed != i.computer {
			return desk.Refuse(desk.Conflict, "the report is not of computer %d any more", claimed)
		}
		return nil
	case i.By.Key != nil:
		if i.By.Token == nil {
			i.By.Token = i.agents.tokens.withID(i.agent.LastToken)
		}
		if i.By.Token == nil {
			i.By.Token = &Token{ID: i.agent.LastToken} // it was revoked; keys stay good
		}
		return nil
	case i.By.Token.ComputerID == 0 || i.By.Token.ComputerID == i.computer:
		return nil
	}
	return i.bindTo(ctx, i.By.Token.ComputerID)
}

// bindTo makes a report that no computer has sent before one of the computer that its
// token is for, if no agent has reported what that is.
func (i *identification) bindTo(ctx context.Context, computer int64) error {
	if i.computer == 0 {
		keys, err := i.Tx.IdentityOf(ctx, computer)
		if err != nil {
			return err
		}
		if _, err := i.Tx.GetShared(ctx, i.Kind, computer); !hasKey(keys, serialPrefix, uuidPrefix) &&
			!errors.Is(err, store.ErrNotFound) {
			i.computer, i.possibleDuplicates = computer, nil
			return err
		}
	}
	return desk.Refuse(desk.Forbidden, "the agent token %s is for computer %d alone, and this report is of another",
		i.By.Token.Name, computer)
}
