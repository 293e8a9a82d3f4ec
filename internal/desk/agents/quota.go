package agents

import (
	"context"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/store"
)

// A quota limits how many records of one sort reports make on a day. The counts are
// stored, so they count over all nodes.
type quota struct {
	computer, token     *desk.Setting          // how many one computer and one token make, 0 for any number
	each                func(d *desk.Desk) int // further ones of a token for each computer that it reported before
	ofComputer, ofToken string                 // under which the store counts them
}

// day returns the present day, by which new records are counted.
func (a *arrival) day() int64 { return kind.Today(a.Now()).Unix() }

// allow returns how many of so many records the report may make today. It is asked in
// the transaction of the report, so the count of the token is locked until its end, and
// that of a computer is with its other locks. The report has made some before.
func (a *arrival) allow(ctx context.Context, q *quota, n, made int) (int, error) {
	if limit := a.Settings().Value(q.computer).(int); limit > 0 {
		used := int64(0)
		if a.computer != 0 {
			var err error
			if used, err = a.Tx.NewNames(ctx, a.day(), q.ofComputer, a.computer); err != nil {
				return 0, err
			}
		}
		n = min(n, limit-int(used)-made)
	}
	return a.allowByToken(ctx, q, max(0, n))
}

// allowByToken returns how many of those the token allows. Its computers are counted
// only where they matter; those of today do not, since they are easily made up.
func (a *arrival) allowByToken(ctx context.Context, q *quota, n int) (int, error) {
	limit := a.Settings().Value(q.token).(int)
	if limit == 0 || n == 0 {
		return n, nil
	}
	used, err := a.Tx.NewNames(ctx, a.day(), q.ofToken, a.By.Token.ID)
	if err != nil || int(used)+n <= limit {
		return n, err
	}
	if each := q.each(a.Desk); each > 0 {
		beyond := int(used) + n - limit
		computers, err := a.Tx.ComputersOfToken(ctx, a.By.Token.ID, a.day(), int64((beyond+each-1)/each))
		if err != nil {
			return 0, err
		}
		limit += int(computers) * each
	}
	return max(0, min(n, limit-int(used))), nil
}

// countOfToken counts records that the report makes for its token, and countOfComputer
// for its computer, once that is known.
func (a *arrival) countOfToken(ctx context.Context, q *quota, n int) error {
	return a.Tx.AddNewNames(ctx, a.day(), q.ofToken, a.By.Token.ID, int64(n))
}

func (a *arrival) countOfComputer(ctx context.Context, q *quota, n int) error {
	if n == 0 {
		return nil
	}
	return a.Tx.AddNewNames(ctx, a.day(), q.ofComputer, a.computer, int64(n))
}

// newSoftwareQuota is that of software names.
var newSoftwareQuota = quota{
	computer: &agentNames, token: &agentTokenNames,
	each:       func(d *desk.Desk) int { return d.Settings().Value(&agentTokenComputer).(int) },
	ofComputer: store.NamesOfComputer, ofToken: store.NamesOfToken,
}
