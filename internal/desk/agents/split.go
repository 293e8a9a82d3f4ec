package agents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// A Splitting is a computer that was joined by mistake, and a document that names the
// agent by its id which gets a computer of its own.
type Splitting struct {
	desk.Target
	Document desk.Document
	Once     *desk.Once // nil for a split that is not recognised when it is repeated
}

// Split takes back a wrong join: it makes a new computer of what an agent reported last,
// and returns it. The agent, its software and what it has changed since the join go
// with it; all else stays. A repeated one does nothing, and replayed is true.
func (service *Service) Split(ctx context.Context, who desk.Caller, in Splitting) (rec any, replayed bool, err error) {
	if err := service.desk.CheckMayChange(ctx, who, desk.Changing, in.Target); err != nil {
		return nil, false, err
	}
	agent, err := in.agent()
	if err != nil {
		return nil, false, err
	}
	c := &desk.Creation{Desk: service.desk, Kind: in.Kind}
	if err := c.Begin(who, in.Once); err != nil {
		return nil, false, err
	}
	defer c.End()
	pick := func(one *store.Agent) bool { return one.ID == agent }
	err = service.withTrail(ctx, func() error {
		return service.desk.Change(ctx, &who, desk.Changing, in.Kind, func(tx *store.Tx) error {
			c.Who = who
			rec, replayed, err = c.OnlyOnce(ctx, tx, func() (any, error) {
				s := newSplitter(service, tx, who)
				err := s.split(ctx, in.Target, pick, fmt.Sprintf("the id %d", agent))
				return s.Rec, err
			})
			if err != nil {
				return err
			}
			return service.desk.Show(ctx, tx, who.User, in.Kind, rec)
		})
	})
	return rec, replayed, err
}

// SplitComputer does that for a command: the computer is given by its id, asset id or
// name, the agent by its id or device id. It returns that computer and the new
// one.
func (service *Service) SplitComputer(ctx context.Context, who desk.Caller,
	which, agent string) (from, made *inventory.Computer, err error) {
	agent = strings.TrimSpace(agent)
	pick := func(one *store.Agent) bool { return fmt.Sprint(one.ID) == agent || one.DeviceID == agent }
	err = service.withTrail(ctx, func() error {
		return service.desk.Store().Update(ctx, func(tx *store.Tx) error {
			id, err := service.ComputerCalled(ctx, tx, strings.TrimSpace(which))
			if err != nil {
				return err
			}
			s := newSplitter(service, tx, who)
			if err := s.split(ctx, desk.Target{Kind: s.Kind, ID: id}, pick,
				fmt.Sprintf("the id or device id %q", agent)); err != nil {
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

// errAuditPending says that audit records of a computer are not in the trail yet, so that
// it is not known which of them go.
var errAuditPending = errors.New("audit records of the computer are not in the trail yet")

// withTrail does what needs all audit records of a computer.
func (s *Service) withTrail(ctx context.Context, do func() error) error {
	for {
		if err := s.desk.Complete(ctx, inventory.Audits.Schema); err != nil {
			return err
		}
		if err := do(); !errors.Is(err, errAuditPending) {
			return err
		}
	}
}

// A splitter is the split of a computer under way. Its work is on the new one, on
// behalf of agents: what these reported is nothing that a person has set.
type splitter struct {
	*desk.Work
	agents *Service
	by     desk.Caller         // who wants it
	stays  *inventory.Computer // the old computer as it is then
	from   *inventory.Computer // as it was
	agent  *store.Agent        // that goes
	rest   []store.Agent       // those that stay
	kept   *keptReport         // of the agent, nil when nothing is known of it
	gains  kind.Diff           // what the new computer has
	junk   shared
}

func newSplitter(agents *Service, tx *store.Tx, by desk.Caller) *splitter {
	return &splitter{
		agents: agents, Work: &desk.Work{
			Desk: agents.desk, Tx: tx, Who: agentCaller, Kind: inventory.Computers.Schema,
		}, by: by, junk: sharedValues(agents.desk),
	}
}

// split makes a new computer of an agent of a target, which is called so.
func (s *splitter) split(ctx context.Context, t desk.Target, pick func(*store.Agent) bool, called string) error {
	if err := s.lock(ctx, t, pick, called); err != nil {
		return err
	}
	if err := s.make(ctx); err != nil {
		return err
	}
	if err := s.Tx.MoveAgent(ctx, s.agent.ID, s.made().ID); err != nil {
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
func (s *splitter) made() *inventory.Computer { return s.Rec.(*inventory.Computer) }

// lock lets nobody else change the computer, nor make one of what the agent reported, and
// reads it and its agents. What is locked comes in the order of an arrival.
func (s *splitter) lock(ctx context.Context, t desk.Target, pick func(*store.Agent) bool, called string) error {
	before, err := s.choose(ctx, t.ID, pick, called)
	if err != nil {
		return err
	}
	if err := s.Tx.LockKeys(ctx, append(s.keysOf(&before, nil), "d:"+before.DeviceID)); err != nil {
		return err
	}
	if err := installs.ShareLicences(ctx, s.Tx); err != nil {
		return err
	}
	if _, err := s.Tx.GetLocked(ctx, s.Kind, t.ID); errors.Is(err, store.ErrNotFound) {
		return s.NoSuch(ctx, s.Tx, s.by.User, s.Kind, t.ID)
	} else if err != nil {
		return err
	}
	if err := s.Tx.LockApart(ctx, s.Kind, t.ID); err != nil {
		return err
	}
	if s.from, err = store.Get(ctx, s.Tx, inventory.Computers, t.ID); err != nil {
		return err
	}
	if err := t.Check(s.from); err != nil {
		return err
	}
	now, err := s.choose(ctx, t.ID, pick, called)
	if err == nil && (now.ID != before.ID || !bytes.Equal(now.Kept, before.Kept)) {
		return store.ErrAgain
	}
	if err != nil {
		return err
	}
	later, err := s.Tx.HasPendingAudits(ctx, inventory.Audits.Schema, t.ID)
	if later {
		return errAuditPending
	}
	return err
}

// choose reads the agents of a computer and chooses one of them, which it returns.
func (s *splitter) choose(ctx context.Context, computer int64, pick func(*store.Agent) bool,
	called string) (store.Agent, error) {
	agents, err := s.Tx.KeptAgents(ctx, computer)
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
		return store.Agent{}, desk.Refuse(desk.NotFound, "the computer %d has no agent with %s: it has %s", computer,
			called, agentList(agents))
	}
	s.kept = readKept(s.agent.Kept)
	return *s.agent, nil
}

// tooFew refuses a computer that has fewer than two agents, or that is not there.
func (s *splitter) tooFew(ctx context.Context, computer int64, agents int) error {
	rows, err := s.Tx.Rows(ctx, s.Kind, []int64{computer})
	switch {
	case err != nil:
		return err
	case len(rows) == 0:
		return s.NoSuch(ctx, s.Tx, s.by.User, s.Kind, computer)
	case agents == 0:
		return desk.Refuse(desk.Conflict, "the computer %d cannot be split: no agent has reported it", computer)
	}
	return desk.Refuse(desk.Conflict, "the computer %d cannot be split: one agent alone reports it", computer)
}

// agentList lists agents with their ids.
func agentList(agents []store.Agent) string {
	var all []string
	for _, a := range agents {
		all = append(all, fmt.Sprintf("%d (%s, %s)", a.ID, agentName(a.Program, a.Version), a.DeviceID))
	}
	return strings.Join(all, ", ")
}
