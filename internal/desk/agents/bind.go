package agents

import (
	"context"
	"errors"

	"muster/internal/desk"
	"muster/internal/store"
)

// bind holds a report to what it came by: with a token of one computer it is of that
// computer, and one that a technician accepts is of the computer that they accepted it
// for. With a key alone it counts as with the token that its agent had.
func (a *arrival) bind(ctx context.Context) error {
	switch {
	case a.accepted != nil:
		if claimed := a.accepted.claim.ComputerID.V; claimed != a.computer {
			return desk.Refuse(desk.Conflict, "the report is not of computer %d any more", claimed)
		}
		return nil
	case a.By.Key != nil:
		if a.By.Token == nil {
			a.By.Token = a.agents.tokens.withID(a.agent.LastToken)
		}
		if a.By.Token == nil {
			a.By.Token = &Token{ID: a.agent.LastToken} // it was revoked; keys stay good
		}
		return nil
	case a.By.Token.ComputerID == 0 || a.By.Token.ComputerID == a.computer:
		return nil
	}
	return a.bindTo(ctx, a.By.Token.ComputerID)
}

// bindTo makes a report that no computer has sent before one of the computer that its
// token is for, if no agent has told what that is.
func (a *arrival) bindTo(ctx context.Context, computer int64) error {
	if a.computer == 0 {
		keys, err := a.Tx.IdentityOf(ctx, computer)
		if err != nil {
			return err
		}
		if _, err := a.Tx.GetShared(ctx, a.Kind, computer); !hasKey(keys, bySerial, byUUID) &&
			!errors.Is(err, store.ErrNotFound) {
			a.computer, a.doubts = computer, nil
			return err
		}
	}
	return desk.Refuse(desk.Forbidden, "the agent token %s is for computer %d alone, and this report is of another",
		a.By.Token.Name, computer)
}
