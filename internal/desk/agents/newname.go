package agents

import (
	"context"
	"errors"
	"time"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/report"
	"muster/internal/store"
)

// Settings that limit how much software comes to be by reports. A name is new when
// there is no software with that name, version and manufacturer; one that any
// computer has is not.
var (
	agentNames = desk.NumberSetting(0, 1_000_000, 2500, "agent-names-per-day",
		"new software names a day that one computer may report, 0 for any number; what is beyond comes with later reports")
	agentTokenNames = desk.NumberSetting(0, 10_000_000, 5000, "agent-token-names-per-day",
		"new software names a day that agents with one token may report, 0 for any number, besides those for each computer")
	agentTokenComputer = desk.NumberSetting(0, 10_000, 200, "agent-token-names-per-computer",
		"further new software names a day that agents with one token may report, for each computer that they reported before this day")
)

const (
	// atOnce is how much new software a report makes beside others. More keeps
	// others waiting, so that comes alone.
	atOnce = 500
	// mostAtOnce is how much one report makes at most, whatever the settings say:
	// more takes longer than a transaction may.
	mostAtOnce = 5000
	// restFactor is for how many times as long as such a report took others have
	// the database for themselves.
	restFactor = 4
)

// newNames is the new software of a report.
type newNames struct {
	reported bool // the report has software otherwise than before
	made     int
	leftOut  int // programs that a limit leaves out
}

// allowNames returns how much of so much new software the report may make today.
func (a *arrival) allowNames(ctx context.Context, n int) (int, error) {
	n, err := a.allow(ctx, &newSoftwareQuota, min(n, mostAtOnce), a.names.made)
	if err != nil || n == 0 {
		return 0, err
	}
	if n > atOnce && !a.alone {
		return 0, errAlone
	}
	a.names.made += n
	return n, a.countOfToken(ctx, &newSoftwareQuota, n)
}

// forgetPartial makes the next report count whole when a limit has left some of this
// one back: so that brings the rest.
func (a *arrival) forgetPartial(digests sums) sums {
	if a.names.leftOut > 0 {
		delete(digests, report.SoftwareSection)
		a.agent.Programs, a.Sum = nil, report.Sum{}
	}
	return a.forgetLeft(a.markPrinters(digests))
}

// errAlone is the answer of a transaction that would take longer than others should
// wait for.
var errAlone = errors.New("the report makes much new software or changes much, so it is taken in alone")

// maxConcurrentRows is how many rows of collections a report may change beside others. No
// real computer has so many.
const maxConcurrentRows = 2000

// checkConcurrent is an error when the report changes so much of the computer that it is to
// be taken in alone. Rows of collections count that it reports otherwise than before, and
// those that the computer had there; software does not, since that costs little.
func (a *arrival) checkConcurrent() error {
	rows := 0
	for _, c := range []any{&a.Report.Computer, a.Old} {
		if c == nil {
			continue
		}
		v := a.Kind.Values(c)
		for _, f := range a.changedFields {
			if f.Type == kind.List {
				rows += rowsIn(v, f)
			}
		}
	}
	if rows > maxConcurrentRows && !a.alone {
		return errAlone
	}
	return nil
}

// rowsIn returns how many rows a collection has.
func rowsIn(v kind.Values, f *kind.Field) (n int) {
	for range v.Items(f) {
		n++
	}
	return n
}

// takeInAlone takes in a report that makes or changes much, one after another, with
// time for others in between: so it is one transaction all the same, and changes by
// others take hardly longer. While it waits it takes no place of theirs.
func (s *Service) takeInAlone(ctx context.Context, in Delivery) (Receipt, error) {
	if in.Yield != nil {
		if err := in.Yield(); err != nil {
			return Receipt{}, err
		}
	}
	if err := waitForPlace(ctx, s.alone); err != nil {
		return Receipt{}, err
	}
	begun := time.Now()
	defer func() { time.AfterFunc(restFactor*time.Since(begun), func() { <-s.alone }) }()
	return s.takeInConcurrently(store.Alone(ctx), in, true)
}
