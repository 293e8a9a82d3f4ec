package agents

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
	"muster/internal/store/installs"
)

// What is kept of claims: reports up to a size as they are packed, so many of an agent
// token. Of what a report would change some is shown.
const (
	maxClaimReport  = 256 << 10
	maxTokenClaims  = 1000
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
	if err := a.Tx.LockKeys(ctx, []string{"claim " + strconv.FormatInt(a.By.Token.ID, 10)}); err != nil {
		return err
	}
	if err := a.Claims().DropOld(ctx, a.Tx); err != nil {
		return err
	}
	old, err := a.claimBefore(ctx)
	if err != nil {
		return err
	}
	kept, _, err := a.Tx.Find(ctx, k, desk.ClaimsWith("agent-token-id", a.By.Token.ID))
	if err != nil {
		return err
	}
	if a.kept == nil || len(a.kept) > maxClaimReport || old == nil && kept >= maxTokenClaims {
		return a.Tx.LeaveOut(ctx, a.By.Token.ID)
	}
	claim, err := a.newClaim(ctx)
	if err != nil {
		return err
	}
	if old == nil {
		err = a.Tx.Insert(ctx, k, claim, a.Now())
	} else {
		claim.Record, claim.Reports.V = old.Record, old.Reports.V+1
		if claim.DeviceID == old.DeviceID {
			claim.Status = old.Status // a refused agent stays refused
		}
		err = a.Tx.Update(ctx, k, claim, old, a.Now())
	}
	if err != nil {
		return err
	}
	if err := a.Tx.SetClaimReport(ctx, claim.ID, a.kept); err != nil {
		return err
	}
	return desk.SetClaimedAt(ctx, a.Tx, a.computer)
}

// newClaim returns the claim that the report is.
func (a *arrival) newClaim(ctx context.Context) (*inventory.AgentClaim, error) {
	rec, err := a.Tx.Get(ctx, a.Kind, a.computer)
	if err != nil {
		return nil, err
	}
	c, id := rec.(*inventory.Computer), &a.Report.Identity
	installed, err := installs.Of(ctx, a.Tx, []int64{c.ID}, nil)
	if err != nil {
		return nil, err
	}
	return &inventory.AgentClaim{
		Status: inventory.ClaimWaiting, ComputerID: kind.Some(c.ID), ComputerName: c.Name, Token: a.By.Token.Name,
		TokenID:  kind.Some(a.By.Token.ID),
		DeviceID: id.DeviceID, AgentID: id.AgentID, Program: id.Program, ProgramVersion: id.ProgramVersion,
		Address: a.By.Address, Reason: string(a.waits),
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
		case was.KeptFromReports(f):
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

// claimBefore returns the claim of the computer with the same agent token, nil when
// there is none.
func (a *arrival) claimBefore(ctx context.Context) (*inventory.AgentClaim, error) {
	q := desk.ClaimsWith("hardware-id", a.computer)
	q.Conds = append(q.Conds, desk.NamesID(inventory.AgentClaims.Field("agent-token-id"), a.By.Token.ID))
	recs, err := a.Tx.All(ctx, inventory.AgentClaims.Schema, q)
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
	recs, err := a.Tx.All(ctx, inventory.AgentClaims.Schema, desk.ClaimsWith("hardware-id", a.computer))
	if err != nil {
		return err
	}
	return desk.DropClaims(ctx, a.Tx, slices.DeleteFunc(recs, func(rec any) bool {
		claim := rec.(*inventory.AgentClaim)
		return claim.TokenID.V != a.By.Token.ID &&
			(claim.DeviceID != a.agent.DeviceID || claim.Status != inventory.ClaimWaiting)
	}))
}
