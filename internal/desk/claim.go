package desk

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
	"muster/internal/store"
)

// What is kept of claims: reports up to a size as they are packed, so many of an agent
// token, and for how long. Of what a report would change some is shown.
const (
	maxClaimReport  = 256 << 10
	maxTokenClaims  = 1000
	claimsKept      = 30 * 24 * time.Hour
	maxClaimChanges = 20
)

// errWaits says that the report waits, and is to be packed first, while others write.
var errWaits = errors.New("the report waits for a technician, so it is packed")

// keepClaim keeps the report aside, in place of the one before it of the computer with
// the same agent token. What is beyond the limits is counted alone.
func (a *arrival) keepClaim(ctx context.Context) error {
	if !a.waiting {
		return errWaits
	}
	k := inventory.AgentClaims.Schema
	if err := a.tx.HoldKeys(ctx, []string{"claim " + strconv.FormatInt(a.By.Token.ID, 10)}); err != nil {
		return err
	}
	if err := a.dropOldClaims(ctx, a.tx); err != nil {
		return err
	}
	old, err := a.claimBefore(ctx)
	if err != nil {
		return err
	}
	kept, _, err := a.tx.Find(ctx, k, claimsWith("agent-token-id", a.By.Token.ID))
	if err != nil {
		return err
	}
	if a.kept == nil || len(a.kept) > maxClaimReport || old == nil && kept >= maxTokenClaims {
		return a.tx.LeaveOut(ctx, a.By.Token.ID)
	}
	claim, err := a.newClaim(ctx)
	if err != nil {
		return err
	}
	if old == nil {
		err = a.tx.Insert(ctx, k, claim, a.now())
	} else {
		claim.Record, claim.Reports.V = old.Record, old.Reports.V+1
		if claim.DeviceID == old.DeviceID {
			claim.Status = old.Status // a refused agent stays refused
		}
		err = a.tx.Update(ctx, k, claim, old, a.now())
	}
	if err != nil {
		return err
	}
	return a.tx.SetClaimReport(ctx, claim.ID, a.kept)
}

// newClaim returns the claim that the report is.
func (a *arrival) newClaim(ctx context.Context) (*inventory.AgentClaim, error) {
	rec, err := a.tx.Get(ctx, a.kind, a.computer)
	if err != nil {
		return nil, err
	}
	c, id := rec.(*inventory.Computer), &a.Report.Identity
	installed, err := a.tx.Installations(ctx, []int64{c.ID}, nil)
	if err != nil {
		return nil, err
	}
	return &inventory.AgentClaim{
		Status: inventory.ClaimWaiting, ComputerID: kind.Some(c.ID), ComputerName: c.Name, Token: a.By.Token.Name, TokenID: kind.Some(a.By.Token.ID),
		DeviceID: id.DeviceID, AgentID: id.AgentID, Program: id.Program, ProgramVersion: id.ProgramVersion, Address: a.By.Address, Reason: string(a.waits),
		Reports: kind.Some[int64](1), Changes: claimedChanges(c, a.Report, len(installed)),
	}, nil
}

// claimedChanges returns some of what a report would change: values of fields that no
// person has set, and how many items collections and the list of programs have.
func claimedChanges(was *inventory.Computer, r *report.Report, installed int) (changes []inventory.AuditChange) {
	from, to := inventory.Computers.Values(was), inventory.Computers.Values(&r.Computer)
	add := func(field, was, is string) {
		if was != is && len(changes) < maxClaimChanges {
			changes = append(changes, inventory.AuditChange{Field: field, From: was, To: is})
		}
	}
	for _, f := range r.Fields {
		switch {
		case was.Sets(f):
		case f.Type == kind.List:
			add(f.Name, strconv.Itoa(rows(from, f)), strconv.Itoa(rows(to, f)))
		default:
			add(f.Name, from.Format(f), to.Format(f))
		}
	}
	if r.HasPrograms {
		add("softwares", strconv.Itoa(installed), strconv.Itoa(len(r.Programs.Sums)))
	}
	return changes
}

func rows(v kind.Values, f *kind.Field) (n int) {
	for range v.Items(f) {
		n++
	}
	return n
}

// claimsWith returns the query for the claims whose field is a number.
func claimsWith(field string, number int64) *kind.Query {
	return &kind.Query{Conds: []kind.Cond{naming(inventory.AgentClaims.Field(field), number)}, Page: 1, PerPage: 1}
}

// claimBefore returns the claim of the computer with the same agent token, nil when
// there is none.
func (a *arrival) claimBefore(ctx context.Context) (*inventory.AgentClaim, error) {
	q := claimsWith("hardware-id", a.computer)
	q.Conds = append(q.Conds, naming(inventory.AgentClaims.Field("agent-token-id"), a.By.Token.ID))
	recs, err := a.tx.All(ctx, inventory.AgentClaims.Schema, q)
	if err != nil || len(recs) == 0 {
		return nil, err
	}
	return recs[0].(*inventory.AgentClaim), nil
}

// settleClaims removes the claims of the computer with the same agent token or of the
// same agent, which wait for nobody any more: they were accepted by what was said of
// the token. What was refused with another token stays refused.
func (a *arrival) settleClaims(ctx context.Context) error {
	asBefore := a.agent.LastToken == a.By.Token.ID && (a.By.Key == nil || a.agent.KeyUsed)
	if a.agent.ID != 0 && asBefore || a.first || a.accepted != nil {
		return nil
	}
	recs, err := a.tx.All(ctx, inventory.AgentClaims.Schema, claimsWith("hardware-id", a.computer))
	if err != nil {
		return err
	}
	return dropClaims(ctx, a.tx, slices.DeleteFunc(recs, func(rec any) bool {
		claim := rec.(*inventory.AgentClaim)
		return claim.TokenID.V != a.By.Token.ID && (claim.DeviceID != a.agent.DeviceID || claim.Status != inventory.ClaimWaiting)
	}))
}

// showClaims tells where the computers are of which claims are.
func showClaims(ctx context.Context, v *view, recs []any) error {
	if len(recs) == 0 {
		return nil
	}
	ids := make([]int64, len(recs))
	for i, rec := range recs {
		ids[i] = rec.(*inventory.AgentClaim).ComputerID.V
	}
	paths, err := v.tx.Paths(ctx, inventory.Computers.Schema, ids)
	for i, rec := range recs {
		rec.(*inventory.AgentClaim).ComputerPath = paths[ids[i]]
	}
	return err
}

// besideClaim names the computer of a claim.
func besideClaim(rec any) []kind.Name {
	return []kind.Name{{Kind: inventory.Computers.Schema, ID: rec.(*inventory.AgentClaim).ComputerID.V}}
}

// expire removes old claims before claims are read or answered, so that nobody sees
// one, nor counts it; once a minute is enough. That reading goes on, as with a full disk,
// matters more.
func (d *Desk) expire(ctx context.Context, k *kind.Schema) {
	minute := d.now().Unix() / 60
	if k != inventory.AgentClaims.Schema || d.expired.Swap(minute) == minute {
		return
	}
	var old int
	err := d.store.Read(ctx, func(tx *store.Tx) (err error) {
		old, _, err = tx.Find(ctx, k, d.oldClaims())
		return err
	})
	if err == nil && old > 0 {
		err = d.store.Update(ctx, func(tx *store.Tx) error { return d.dropOldClaims(ctx, tx) })
	}
	if err != nil {
		d.log.Warn("old claims could not be removed", "error", err)
	}
}

// oldClaims returns the query for the claims that nobody has answered for long.
func (d *Desk) oldClaims() *kind.Query {
	old := kind.Test{Range: true, Max: d.now().Add(-claimsKept).Unix()}
	return &kind.Query{Conds: []kind.Cond{{Field: inventory.AgentClaims.Field("updated-at"), Any: []kind.Test{old}}}, Page: 1, PerPage: 1}
}

// dropOldClaims removes them.
func (d *Desk) dropOldClaims(ctx context.Context, tx *store.Tx) error {
	recs, err := tx.All(ctx, inventory.AgentClaims.Schema, d.oldClaims())
	if err != nil {
		return err
	}
	return dropClaims(ctx, tx, recs)
}

// dropClaimsWith removes the claims whose field is a number: those of a computer that is
// about to go, or with an agent token that is.
func dropClaimsWith(ctx context.Context, tx *store.Tx, field string, number int64) error {
	recs, err := tx.All(ctx, inventory.AgentClaims.Schema, claimsWith(field, number))
	if err != nil {
		return err
	}
	return dropClaims(ctx, tx, recs)
}

// dropClaims removes claims with their reports.
func dropClaims(ctx context.Context, tx *store.Tx, recs []any) error {
	for _, rec := range recs {
		if err := tx.RemoveClaimReport(ctx, rec.(*inventory.AgentClaim).ID); err != nil {
			return err
		}
		if err := tx.Delete(ctx, inventory.AgentClaims.Schema, rec); err != nil {
			return err
		}
	}
	return nil
}
