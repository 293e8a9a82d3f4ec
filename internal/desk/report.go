package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
	"muster/internal/store"
)

// A Delivery is a report with what came with it.
type Delivery struct {
	Token  *AgentToken
	Report *report.Report
	Sum    report.Sum // of its Scan, zero when it had none
	// Admit is asked once it is known of which computer the report is, with 0 for
	// a new one. Its error is returned, and nothing is changed.
	Admit func(computer int64) error
}

// An Outcome is what a report has led to.
type Outcome uint8

// The outcomes. A report that is behind does not count, since another agent leads
// on its computer.
const (
	ReportUnchanged Outcome = iota
	ReportChanged
	ReportNew
	ReportBehind
)

// reportsAtOnce is how many reports that tell something new a node takes in at
// the same time on PostgreSQL. Computers of one fleet have the same software,
// whose counts let one through at a time; so more would only use up the time
// that a transaction has, and the connections.
const reportsAtOnce = 8

// Report takes in a report: it finds or makes the computer, changes what the
// report tells otherwise than before, unless a person has set that, and records
// the changes.
func (d *Desk) Report(ctx context.Context, in Delivery) (Outcome, error) {
	if d.store.Shared() {
		select {
		case d.reporting <- struct{}{}:
			defer func() { <-d.reporting }()
		case <-ctx.Done():
			return ReportUnchanged, fmt.Errorf("%w: %w", store.ErrUnavailable, context.Cause(ctx))
		}
	}
	out, err := d.takeIn(ctx, in, false)
	fresh, ok := errors.AsType[tooNew](err)
	if !ok {
		return out, err
	}
	if err := d.makeFirst(ctx, agentCaller, fresh); err != nil {
		return ReportUnchanged, err
	}
	return d.takeIn(ctx, in, true)
}

// agentCaller is who changes what a report tells.
var agentCaller = Caller{Origin: "agent"}

// takeIn takes in a report in one transaction; prepared is one whose new
// software was made before.
func (d *Desk) takeIn(ctx context.Context, in Delivery, prepared bool) (out Outcome, err error) {
	err = d.store.Update(ctx, func(tx *store.Tx) error {
		a := &arrival{Delivery: in, prepared: prepared, work: &work{Desk: d, tx: tx, who: agentCaller, kind: inventory.Computers.Schema}}
		if err := a.identify(ctx); err != nil {
			return err
		}
		if err := in.Admit(a.computer); err != nil {
			return err
		}
		out, err = a.take(ctx)
		return err
	})
	return out, err
}

// Again notes the time of a message that tells what its agent has told last, and
// the free space of drives. It
// is not ok when that was something else.
func (d *Desk) Again(ctx context.Context, scan report.Scan, admit func(computer int64) error) (ok bool, err error) {
	err = d.store.Update(ctx, func(tx *store.Tx) error {
		ok = false
		agent, computer, err := tx.AgentWithSum(ctx, scan.DeviceID, scan.Sum[:])
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := admit(computer); err != nil {
			return err
		}
		ok = true
		return d.detected(ctx, tx, sighting{agent: agent, computer: computer, drives: scan.Free != nil, free: scan.Free})
	})
	return ok, err
}

// A sighting is what every report renews.
type sighting struct {
	agent, computer int64
	drives          bool // the report tells of drives
	free            []inventory.FreeSpace
}

// detected notes the time of a report, and the free space of the drives of which
// it tells. A computer that is gone meanwhile makes the report be taken in anew.
func (d *Desk) detected(ctx context.Context, tx *store.Tx, s sighting) error {
	now := d.now()
	if err := tx.AgentReported(ctx, s.agent, now); err != nil {
		return err
	}
	k := inventory.Computers
	c, fields := &inventory.Computer{Record: kind.Record{ID: s.computer}, DetectedAt: now}, []*kind.Field{k.Field("detected-at")}
	if s.drives {
		c.SetFreeSpaces(s.free)
		fields = append(fields, k.Field("free-spaces"))
	}
	err := tx.SetApart(ctx, k.Schema, c, fields...)
	if errors.Is(err, store.ErrNotFound) {
		return store.ErrAgain
	}
	return err
}

// LastReport returns when an agent with a device id has last reported, zero for
// never.
func (d *Desk) LastReport(ctx context.Context, deviceID string) (last time.Time, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
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
