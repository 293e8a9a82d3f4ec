package merge

import (
	"context"
	"errors"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/store"
)

// Computers makes two computers one, each given by its id, asset id or
// name, for a command. It returns the one that stays, and the one that is gone as
// it was last.
func (s *Service) Computers(ctx context.Context, who desk.Caller,
	a, b string) (kept, gone *inventory.Computer, err error) {
	err = s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		one, err := s.agents.ComputerCalled(ctx, tx, strings.TrimSpace(a))
		if err != nil {
			return err
		}
		other, err := s.agents.ComputerCalled(ctx, tx, strings.TrimSpace(b))
		if err != nil {
			return err
		}
		if one == other {
			return desk.Refuse(desk.Conflict, "%s and %s are one computer already", a, b)
		}
		m := &merger{agents: s.agents, Work: &desk.Work{Desk: s.desk, Tx: tx, Who: who, Kind: inventory.Computers.Schema}}
		err = m.lockBoth(ctx, one, other)
		if _, ok := errors.AsType[missing](err); ok {
			return store.ErrAgain // it was there a moment ago
		}
		if err != nil {
			return err
		}
		if err := m.merge(ctx); err != nil {
			return err
		}
		kept, gone = m.Rec.(*inventory.Computer), m.newer
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return kept, gone, desk.Learn(ctx, s.agents.CatchUpTokens)
}
