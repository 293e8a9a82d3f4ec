package agents

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
	"muster/internal/store"
)

// A Reporter is by what an agent comes in, and from where.
type Reporter struct {
	Token    *Token // nil when it has none that is good
	Key      Key    // nil when it has none
	WantsKey bool   // it keeps a key if it is given one
	Address  string
}

// A Delivery is a report with what came with it.
type Delivery struct {
	By     Reporter
	Report *report.Report
	Sum    report.Sum // of its Scan, zero when it had none
	Admit  AdmitFunc
	// Yield is called before the report waits until it may be taken in alone: others
	// may have what it occupied until then. Its error is returned, and nothing is changed.
	Yield func() error

	waiting  bool        // it was found to wait for a technician
	kept     []byte      // the report as it then waits, nil when it is too large
	accepted *acceptance // by a technician, nil for a report that was just sent
}

// AdmitFunc is asked once it is known of which computer a report is, with 0 for a new
// one, and whether it waits for a technician: then it is not the computer's own. Its
// error is returned, and nothing is changed.
type AdmitFunc func(computer int64, waits bool) error

// A Receipt is what a report has led to, and the key that its agent is given, "" for
// none.
type Receipt struct {
	Outcome Outcome
	Key     string
}

// An Outcome is what a report has led to.
type Outcome uint8

// The outcomes. A report that is behind changes nothing, since other agents speak for
// all that it reports; nor does an old one, made long before the agent's last; one that
// is claimed waits for a technician.
const (
	ReportUnchanged Outcome = iota
	ReportChanged
	ReportNew
	ReportBehind
	ReportClaimed
	ReportOld
)

// reportsAtOnce is how many reports that report something new a node takes in at
// the same time on PostgreSQL. Computers of one fleet have the same software,
// whose counts let one through at a time; so more would only use up the time
// that a transaction has, and the connections.
const reportsAtOnce = 8

// Report takes in a report: it finds or makes the computer, changes what the
// report has otherwise than before, unless a person has set that, and records
// the changes.
func (s *Service) Report(ctx context.Context, in Delivery) (Receipt, error) {
	out, err := s.takeInConcurrently(ctx, in, false)
	if errors.Is(err, errWaits) {
		in.waiting, in.kept = true, in.Report.Keep()
		out, err = s.takeInConcurrently(ctx, in, false)
	}
	if errors.Is(err, errAlone) {
		return s.takeInAlone(ctx, in)
	}
	return out, err
}

// takeInConcurrently is takeIn, once there is a place beside the others.
func (s *Service) takeInConcurrently(ctx context.Context, in Delivery, alone bool) (Receipt, error) {
	if s.desk.Store().Shared() {
		if err := waitForPlace(ctx, s.reporting); err != nil {
			return Receipt{}, err
		}
		defer func() { <-s.reporting }()
	}
	return s.takeIn(ctx, in, alone)
}

// waitForPlace waits for a place.
func waitForPlace(ctx context.Context, places chan struct{}) error {
	begun := time.Now()
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return store.Waited(ctx, begun)
	}
}

// agentCaller is who changes what a report says.
var agentCaller = desk.Caller{Origin: "agent"}

// takeIn takes in a report in one transaction, its new software included; alone is
// one that may make and change much.
func (s *Service) takeIn(ctx context.Context, in Delivery, alone bool) (out Receipt, err error) {
	junk, waits := sharedValues(s.desk), false
	in.Report = junk.without(in.Report)
	err = s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		a := &arrival{alone: alone, identification: identification{
			agents: s, Delivery: in, junk: junk,
			Work: &desk.Work{Desk: s.desk, Tx: tx, Who: agentCaller, Kind: inventory.Computers.Schema},
		}}
		a.newSums = newSums(in.Report.Digests())
		if err := in.accepted.begin(ctx, s.desk, tx); err != nil {
			return err
		}
		if err := a.identify(ctx); err != nil {
			return err
		}
		if err := a.bind(ctx); err != nil {
			return err
		}
		a.Who.Report = &desk.ReportOrigin{
			Number: s.desk.Now().UnixMicro(), Token: a.By.Token.Name, Address: a.By.Address,
		}
		outcome, err := a.take(ctx)
		if waits = errors.Is(err, errWaits); waits {
			return nil // nothing was written, and changes in the same group need not be done again
		}
		if err != nil {
			return err
		}
		out = Receipt{Outcome: outcome, Key: a.key}
		return in.accepted.end(ctx, a)
	})
	if err == nil && waits {
		err = errWaits
	}
	return out, err
}

// Again notes the time of a message that has what its agent has reported last, and
// the free space of drives. It is not ok when that was something else, or when it
// comes in otherwise.
func (s *Service) Again(ctx context.Context, scan report.Scan, by Reporter, admit AdmitFunc) (ok bool, err error) {
	err = s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		ok = false
		agent, err := tx.AgentWithSum(ctx, scan.DeviceID, scan.Sum[:])
		if errors.Is(err, store.ErrNotFound) || err == nil && !s.comesAsBefore(&agent, by) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := admit(agent.ComputerID, false); err != nil {
			return err
		}
		ok = true
		return s.detected(ctx, tx,
			renewal{agent: agent.ID, computer: agent.ComputerID, address: by.Address, drives: scan.Free != nil,
				free: scan.Free})
	})
	return ok, err
}

// comesAsBefore reports whether an agent comes in by what it came in by last, and
// still may.
func (s *Service) comesAsBefore(agent *store.Agent, by Reporter) bool {
	if by.Key != nil {
		return agent.KeyUsed && bytes.Equal(agent.Key, by.Key)
	}
	bound := s.tokens.boundTo(agent.ComputerID)
	return !by.WantsKey && !agent.KeyUsed && agent.LastToken == by.Token.ID &&
		(bound == nil || slices.Contains(bound, by.Token.ID))
}

// A renewal is what every report renews.
type renewal struct {
	agent, computer int64
	address         string // from which the report came
	drives          bool   // it reports of drives
	free            []inventory.FreeSpace
	software        bool // the report has software otherwise than before
	leftOut         int  // programs that a limit leaves out
}

// detected notes the time of a report, and the free space of the drives of which
// it reports. A computer that is gone meanwhile makes the report be taken in anew.
func (service *Service) detected(ctx context.Context, tx *store.Tx, s renewal) error {
	now := service.desk.Now()
	if err := tx.AgentReported(ctx, s.agent, now, s.address); err != nil {
		return err
	}
	k := inventory.Computers
	c, fields := &inventory.Computer{Record: kind.Record{ID: s.computer}, DetectedAt: now},
		[]*kind.Field{k.Field("detected-at")}
	if s.drives {
		c.SetFreeSpaces(s.free)
		fields = append(fields, k.Field("free-spaces"))
	}
	if s.software {
		c.SoftwaresLeftOut = kind.Int{V: int64(s.leftOut), Valid: s.leftOut > 0}
		fields = append(fields, k.Field("softwares-left-out"))
	}
	err := tx.SetApart(ctx, k.Schema, c, fields...)
	if errors.Is(err, store.ErrNotFound) {
		return store.ErrAgain
	}
	return err
}

// LastReport returns when an agent with a device id has last reported, zero for
// never.
func (s *Service) LastReport(ctx context.Context, deviceID string) (last time.Time, err error) {
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		agents, err := tx.AgentsWith(ctx, deviceID)
		for _, a := range agents {
			if a.ReportedAt.After(last) {
				last = a.ReportedAt
			}
		}
		return err
	})
	return last, err
}
