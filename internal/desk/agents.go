package desk

import (
	"context"
	"slices"
	"sync"
	"time"

	"muster/internal/store"
)

// An Agent is a program that reports a computer.
type Agent struct {
	Program, Version string // "" when it tells none
	DeviceID         string
	ReportedAt       time.Time // its last report
}

// AgentsOf returns the agents that report computers, by these. Requesters are not
// told of any.
func (d *Desk) AgentsOf(ctx context.Context, who Caller, computers []int64) (agents map[int64][]Agent, err error) {
	if who.User != nil && limited(who.User) {
		return nil, refuse(Forbidden, "a %s may not see agents", who.User.Role)
	}
	var stored []store.Agent
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		stored, err = tx.AgentsOfAll(ctx, computers)
		return err
	})
	agents = map[int64][]Agent{}
	for _, a := range stored {
		agents[a.ComputerID] = append(agents[a.ComputerID], Agent{a.Program, a.Version, a.DeviceID, a.ReportedAt})
	}
	return agents, err
}

// maxRefusals is how many refused messages of agents are remembered.
const maxRefusals = 200

// A Refusal is a message of an agent that was not taken.
type Refusal struct {
	At      time.Time
	Token   string // the name of the agent token, "" when there was no good one
	Address string // from which it came
	Agent   string // the program, as it calls itself
	Reason  string
}

// refusals are the last messages that this node did not take.
type refusals struct {
	mu   sync.Mutex
	last []Refusal // oldest first
}

// NoteRefusal remembers that a message of an agent was not taken, until this node
// stops or there were many since.
func (d *Desk) NoteRefusal(r Refusal) {
	r.At, r.Agent, r.Reason = d.now(), line(r.Agent), line(r.Reason)
	d.refusals.mu.Lock()
	defer d.refusals.mu.Unlock()
	if len(d.refusals.last) == maxRefusals {
		d.refusals.last = slices.Delete(d.refusals.last, 0, 1)
	}
	d.refusals.last = append(d.refusals.last, r)
}

// Refusals returns the messages of agents that this node did not take lately, the
// last one first. Requesters are not told of any.
func (d *Desk) Refusals(who Caller) ([]Refusal, error) {
	if who.User != nil && limited(who.User) {
		return nil, refuse(Forbidden, "a %s may not see agents", who.User.Role)
	}
	d.refusals.mu.Lock()
	defer d.refusals.mu.Unlock()
	all := slices.Clone(d.refusals.last)
	slices.Reverse(all)
	return all, nil
}
