package agents

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
)

// An Agent is a program that reports a computer.
type Agent struct {
	ID               int64
	Program, Version string // "" when it reports none
	DeviceID         string
	ReportedAt       time.Time // its last report
	Token            string    // the name of the agent token of that, "" when it was revoked or is not known
	Address          string    // from which that came, "" when it is not known
	HasKey           bool      // it reports with a key of its own
	Since            time.Time // it came to a computer that others have reported before, zero for the first
	// Unheard are the sections that it reports, but of which the computer shows what
	// another agent reports.
	Ignored []IgnoredSection
	Missing []string // sections that it lacked last and reported before, which are kept
}

// An IgnoredSection is a section of a computer that an agent reports in vain.
type IgnoredSection struct {
	Section string
	By      string // the program that speaks for it
}

// AgentsOf returns the agents that report computers, by these. Requesters see
// none.
func (s *Service) AgentsOf(ctx context.Context, who desk.Caller,
	computers []int64) (agents map[int64][]Agent, err error) {
	if who.User != nil && desk.Limited(who.User) {
		return nil, desk.Refuse(desk.Forbidden, "a %s may not see agents", message.Word(who.User.Role))
	}
	var stored []store.Agent
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		stored, err = tx.AgentsOfAll(ctx, computers)
		return err
	})
	agents = map[int64][]Agent{}
	for i := range stored {
		a := &stored[i]
		agents[a.ComputerID] = append(agents[a.ComputerID], s.shownAgent(a, stored))
	}
	return agents, err
}

// shownAgent returns what people see of an agent; those of its computer are among
// others.
func (s *Service) shownAgent(a *store.Agent, others []store.Agent) Agent {
	shown := Agent{
		ID: a.ID, Program: a.Program, Version: a.Version, DeviceID: a.DeviceID, ReportedAt: a.ReportedAt,
		Address: a.Address, HasKey: a.KeyUsed,
		Missing: missingSections(a.Sections),
	}
	if token := s.tokens.withID(a.LastToken); token != nil {
		shown.Token = token.Name
	}
	for i := range others {
		other := &others[i]
		if other.ComputerID != a.ComputerID || other.ID == a.ID {
			continue
		}
		if other.ID < a.ID {
			shown.Since = a.CreatedAt
		}
		for _, section := range a.Unheard {
			if slices.Contains(other.Speaks, section) {
				shown.Ignored = append(shown.Ignored, IgnoredSection{section, other.Program})
			}
		}
	}
	return shown
}

// PreferAgent makes an agent of a computer the one that is heard on all that it reports.
// Its next report counts whole.
func (service *Service) PreferAgent(ctx context.Context, who desk.Caller, computer, agent int64) error {
	k := inventory.Computers.Schema
	return service.desk.Change(ctx, &who, desk.Changing, k, func(tx *store.Tx) error {
		rec, err := tx.GetLocked(ctx, k, computer)
		if errors.Is(err, store.ErrNotFound) {
			return service.desk.NoSuch(ctx, tx, who.User, k, computer)
		}
		if err != nil {
			return err
		}
		agents, err := tx.AgentsOf(ctx, computer)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(agents, func(a store.Agent) bool { return a.ID == agent })
		if i < 0 {
			return desk.Refuse(desk.NotFound, "the computer %d has no agent with the id %d", computer, agent)
		}
		speaks := agents[i].Unheard
		for _, other := range agents {
			if other.ID == agent {
				err = tx.SetSpeaks(ctx, agent, slices.Concat(other.Speaks, speaks))
			} else {
				err = tx.SetSpeaks(ctx, other.ID,
					slices.DeleteFunc(other.Speaks, func(s string) bool { return slices.Contains(speaks, s) }))
			}
			if err != nil {
				return err
			}
		}
		text := message.New("%s (%s) speaks for this computer from now on",
			agentName(agents[i].Program, agents[i].Version), agents[i].DeviceID)
		return service.desk.WriteAudit(ctx, tx, who, k, rec, desk.NewAudit(inventory.Updated, text))
	})
}

// maxRefusals is how many refused messages of agents are remembered.
const maxRefusals = 200

// A Refusal is a message of an agent that was not taken.
type Refusal struct {
	At      time.Time
	Token   string // the name of the agent token, "" when there was no good one
	Address string // from which it came
	Agent   string // the program, as it calls itself
	Reason  message.Text
}

// refusals are the last messages that this node did not take.
type refusals struct {
	mu   sync.Mutex
	last []Refusal // oldest first
}

// NoteRefusal remembers that a message of an agent was not taken, until this node
// stops or there were many since.
func (s *Service) NoteRefusal(r Refusal) {
	r.At, r.Agent = s.desk.Now(), desk.OneLine(r.Agent)
	// it has words of the agent that are none or very many
	if short := desk.OneLine(r.Reason.String()); short != r.Reason.String() {
		r.Reason = message.Plain(short)
	}
	s.refusals.mu.Lock()
	defer s.refusals.mu.Unlock()
	if len(s.refusals.last) == maxRefusals {
		s.refusals.last = slices.Delete(s.refusals.last, 0, 1)
	}
	s.refusals.last = append(s.refusals.last, r)
}

// Refusals returns the messages of agents that this node did not take lately, the
// last one first. Requesters see none.
func (s *Service) Refusals(who desk.Caller) ([]Refusal, error) {
	if who.User != nil && desk.Limited(who.User) {
		return nil, desk.Refuse(desk.Forbidden, "a %s may not see agents", message.Word(who.User.Role))
	}
	s.refusals.mu.Lock()
	defer s.refusals.mu.Unlock()
	all := slices.Clone(s.refusals.last)
	slices.Reverse(all)
	return all, nil
}
