package agents

import (
	"context"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
)

// A SplitChoice is an agent that may get a computer of its own, with what that would
// be.
type SplitChoice struct {
	Agent
	Name, Serial string   // that it reported last, "" when they are not known
	Programs     int      // that it reported last
	Speaks       []string // the sections of its computer that are shown as it reports them
	Kept         bool     // its last report is known
}

// SplitChoices returns the agents of a computer, for people who may see these.
func (s *Service) SplitChoices(ctx context.Context, who desk.Caller,
	computer int64) (choices []SplitChoice, err error) {
	if desk.Limited(who.User) {
		return nil, desk.Refuse(desk.Forbidden, "a %s may not see agents", message.Word(who.User.Role))
	}
	var stored []store.Agent
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		stored, err = tx.KeptAgents(ctx, computer)
		return err
	})
	for i := range stored {
		a := &stored[i]
		choice := SplitChoice{Agent: s.shownAgent(a, stored), Speaks: a.Speaks}
		for _, p := range readPrograms(a.Programs) {
			if p.software != 0 && !p.idle {
				choice.Programs++
			}
		}
		if kept := readKept(a.Kept); kept != nil {
			c := inventory.Computers.Copy(kept.Computer).(*inventory.Computer)
			inventory.Computers.Settle(c, nil)
			choice.Kept, choice.Name, choice.Serial = true, c.Name, c.SerialNumber
		}
		choices = append(choices, choice)
	}
	return choices, err
}
