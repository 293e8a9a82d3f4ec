package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// A Splitting is a computer that was joined by mistake, and a document that names the
// agent by its id which gets a computer of its own.
type Splitting struct {
	Target
	Document Document
	Once     *Once // nil for a split that is not recognised when it is repeated
}

// Split takes back a wrong join: it makes a new computer of what an agent told last,
// and returns it. The agent, its software and what it has changed since the join go
// with it; all else stays. A repeated one does nothing, and replayed is true.
func (d *Desk) Split(ctx context.Context, who Caller, in Splitting) (rec any, replayed bool, err error) {
	if err := d.admit(ctx, who, changing, in.Target); err != nil {
		return nil, false, err
	}
	agent, err := in.agent()
	if err != nil {
		return nil, false, err
	}
	c := &creation{desk: d, kind: in.Kind}
	if err := c.begin(who, in.Once); err != nil {
		return nil, false, err
	}
	defer c.end()
	pick := func(one *store.Agent) bool { return one.ID == agent }
	err = d.withTrail(ctx, func() error {
		return d.change(ctx, &who, changing, in.Kind, func(tx *store.Tx) error {
			c.who = who
			rec, replayed, err = c.onlyOnce(ctx, tx, func() (any, error) {
				s := newSplitter(d, tx, who)
				err := s.split(ctx, in.Target, pick, fmt.Sprintf("the id %d", agent))
				return s.rec, err
			})
			if err != nil {
				return err
			}
			return (&view{d, tx, who.User, true}).show(ctx, in.Kind, []any{rec})
		})
	})
	return rec, replayed, err
}

// SplitComputer does that for a command: the computer is given by its id, asset id or
// name, the agent by its id or device id. It returns that computer and the new
// one.
func (d *Desk) SplitComputer(ctx context.Context, who Caller, which, agent string) (from, made *inventory.Computer, err error) {
	agent = strings.TrimSpace(agent)
	pick := func(one *store.Agent) bool { return fmt.Sprint(one.ID) == agent || one.DeviceID == agent }
	err = d.withTrail(ctx, func() error {
		return d.store.Update(ctx, func(tx *store.Tx) error {
			id, err := d.findComputer(ctx, tx, strings.TrimSpace(which))
			if err != nil {
				return err
			}
			s := newSplitter(d, tx, who)
			if err := s.split(ctx, Target{Kind: s.kind, ID: id}, pick, fmt.Sprintf("the id or device id %q", agent)); err != nil {
				return err
			}
			from, made = s.stays, s.made()
			return nil
		})
	})
	return from, made, err
}

// agent returns the id of the agent that the document names.
func (in *Splitting) agent() (int64, error) {
	patch, err := in.Document()
	if err != nil {
		return 0, err
	}
	faults := patch.Faults()
	if len(faults) == 0 && !patch.ID().Valid {
		faults = []message.Text{message.New("Id can't be blank: it names the agent that gets a computer of its own")}
	}
	if len(faults) > 0 {
		return 0, &kind.Invalid{Faults: faults}
	}
	return patch.ID().V, nil
}

// errToldLater says that audit records of a computer are not in the trail yet, so that
// it cannot be told which of them go.
var errToldLater = errors.New("audit records of the computer are not in the trail yet")

// withTrail does what needs all audit records of a computer.
func (d *Desk) withTrail(ctx context.Context, do func() error) error {
	for {
		if err := d.complete(ctx, inventory.Audits.Schema); err != nil {
			return err
		}
		if err := do(); !errors.Is(err, errToldLater) {
			return err
		}
	}
}

// A splitter is the split of a computer under way. Its work is on the new one, on
// behalf of agents: what these told is nothing that a person has set.
type splitter struct {
	*work
	by    Caller              // who wants it
	stays *inventory.Computer // the old computer as it is then
	from  *inventory.Computer // as it was
	agent *store.Agent        // that goes
	rest  []store.Agent       // those that stay
	kept  *keptReport         // of the agent, nil when nothing is known of it
	gains kind.Diff           // what the new computer has
	junk  shared
}

func newSplitter(d *Desk, tx *store.Tx, by Caller) *splitter {
	return &splitter{work: &work{Desk: d, tx: tx, who: agentCaller, kind: inventory.Computers.Schema}, by: by, junk: d.sharedValues()}
}

// split makes a new computer of an agent of a target, which is called so.
func (s *splitter) split(ctx context.Context, t Target, pick func(*store.Agent) bool, called string) error {
	if err := s.hold(ctx, t, pick, called); err != nil {
		return err
	}
	if err := s.make(ctx); err != nil {
		return err
	}
	if err := s.tx.MoveAgent(ctx, s.agent.ID, s.made().ID); err != nil {
		return err
	}
	if err := s.parts(ctx); err != nil {
		return err
	}
	if err := s.restore(ctx); err != nil {
		return err
	}
	if err := s.history(ctx); err != nil {
		return err
	}
	return s.dropClaims(ctx)
}

// made returns the new computer.
func (s *splitter) made() *inventory.Computer { return s.rec.(*inventory.Computer) }

// hold lets nobody else change the computer, nor make one of what the agent told, and
// reads it and its agents. What is locked comes in the order of an arrival.
func (s *splitter) hold(ctx context.Context, t Target, pick func(*store.Agent) bool, called string) error {
	before, err := s.choose(ctx, t.ID, pick, called)
	if err != nil {
		return err
	}
	if err := s.tx.HoldKeys(ctx, append(s.keysOf(&before, nil), "d:"+before.DeviceID)); err != nil {
		return err
	}
	if err := s.tx.ShareLicences(ctx); err != nil {
		return err
	}
	if _, err := s.tx.GetHeld(ctx, s.kind, t.ID); errors.Is(err, store.ErrNotFound) {
		return s.noSuch(ctx, s.tx, s.by.User, s.kind, t.ID)
	} else if err != nil {
		return err
	}
	if err := s.tx.HoldApart(ctx, s.kind, t.ID); err != nil {
		return err
	}
	if s.from, err = store.Get(ctx, s.tx, inventory.Computers, t.ID); err != nil {
		return err
	}
	if err := t.check(s.from); err != nil {
		return err
	}
	now, err := s.choose(ctx, t.ID, pick, called)
	if err == nil && (now.ID != before.ID || !bytes.Equal(now.Kept, before.Kept)) {
		return store.ErrAgain
	}
	if err != nil {
		return err
	}
	later, err := s.tx.IsToldLater(ctx, inventory.Audits.Schema, t.ID)
	if later {
		return errToldLater
	}
	return err
}

// choose reads the agents of a computer and chooses one of them, which it returns.
func (s *splitter) choose(ctx context.Context, computer int64, pick func(*store.Agent) bool, called string) (store.Agent, error) {
	agents, err := s.tx.KeptAgents(ctx, computer)
	if err != nil {
		return store.Agent{}, err
	}
	s.agent, s.rest = nil, nil
	for i := range agents {
		if pick(&agents[i]) && s.agent == nil {
			s.agent = &agents[i]
		} else {
			s.rest = append(s.rest, agents[i])
		}
	}
	switch {
	case len(agents) < 2:
		return store.Agent{}, s.tooFew(ctx, computer, len(agents))
	case s.agent == nil:
		return store.Agent{}, refuse(NotFound, "the computer %d has no agent with %s: it has %s", computer, called, agentList(agents))
	}
	s.kept = readKept(s.agent.Kept)
	return *s.agent, nil
}

// tooFew refuses a computer that has fewer than two agents, or that is not there.
func (s *splitter) tooFew(ctx context.Context, computer int64, agents int) error {
	rows, err := s.tx.Rows(ctx, s.kind, []int64{computer})
	switch {
	case err != nil:
		return err
	case len(rows) == 0:
		return s.noSuch(ctx, s.tx, s.by.User, s.kind, computer)
	case agents == 0:
		return refuse(Conflict, "the computer %d cannot be split: no agent has reported it", computer)
	}
	return refuse(Conflict, "the computer %d cannot be split: one agent alone reports it", computer)
}

// agentList tells agents by their ids.
func agentList(agents []store.Agent) string {
	var all []string
	for _, a := range agents {
		all = append(all, fmt.Sprintf("%d (%s, %s)", a.ID, agentName(a.Program, a.Version), a.DeviceID))
	}
	return strings.Join(all, ", ")
}
