package agents

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
	"muster/internal/store"
)

// changeBudget is how much the audit trail and the history of addresses keep of a
// computer's changed collections on one day. Changes of up to smallChange are not
// counted: those of ordinary reports are, and they come ten a minute at most. Sizes are
// in bytes.
const (
	changeBudget = 16 << 20
	smallChange  = 16 << 10
)

// differences are what a report changes of a computer.
type differences struct {
	changes   kind.Diff     // for the audit trail
	addresses []kind.Change // for the history of addresses
}

// size returns how much is stored of them.
func (d *differences) size() (n int) {
	for _, all := range [][]kind.Change{d.changes.Changes, d.addresses} {
		for _, c := range all {
			n += len(c.Field) + len(c.From) + len(c.To)
		}
	}
	return n
}

// differences returns what becomes of the computer.
func (a *arrival) differences(was, c *inventory.Computer) *differences {
	calm := withoutVolatile(was, c)
	return &differences{a.Kind.Diff(calm, c), addressChanges(a.Kind.Diff(was, calm))}
}

// withinBudget returns what becomes of the computer, whose collections stay as they are
// when their changes are more than the day has room for. The audit trail is whole so,
// and shows how the computer was on any day.
func (a *arrival) withinBudget(ctx context.Context, was, c *inventory.Computer) (*differences, error) {
	d := a.differences(was, c)
	size := d.size()
	if size <= smallChange {
		return d, nil
	}
	used, err := a.Tx.NewNames(ctx, a.day(), store.ChangesOfComputer, a.computer)
	if err != nil {
		return nil, err
	}
	if int(used)+size <= changeBudget {
		return d, a.Tx.AddNewNames(ctx, a.day(), store.ChangesOfComputer, a.computer, int64(size))
	}
	a.leaveCollections(was, c)
	return a.differences(was, c), nil
}

// leaveCollections leaves those collections as they are that the report has otherwise.
func (a *arrival) leaveCollections(was, c *inventory.Computer) {
	from, to := a.Kind.Values(was), a.Kind.Values(c)
	for _, f := range a.changedFields {
		if f.Type == kind.List {
			to.Set(f, from)
			a.left = append(a.left, f.Name)
		}
	}
	c.ReportedManufacturer = was.ReportedManufacturer
}

// forgetLeft makes the next report bring the collections anew that were left.
func (a *arrival) forgetLeft(digests sums) sums {
	for _, section := range a.left {
		delete(digests, section)
		a.Sum = report.Sum{}
	}
	return digests
}
