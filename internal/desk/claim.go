package desk

import (
	"context"
	"slices"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// ClaimsWith returns the query for the claims whose field is a number.
func ClaimsWith(field string, number int64) *kind.Query {
	return &kind.Query{Conds: []kind.Cond{NamesID(inventory.AgentClaims.Field(field), number)}, Page: 1, PerPage: 1}
}

func showClaims(ctx context.Context, v *view, recs []any) error { return ShowClaims(ctx, v.tx, recs) }

// ShowClaims tells where the computers are of which claims are.
func ShowClaims(ctx context.Context, tx *store.Tx, recs []any) error {
	if len(recs) == 0 {
		return nil
	}
	ids := make([]int64, len(recs))
	for i, rec := range recs {
		ids[i] = rec.(*inventory.AgentClaim).ComputerID.V
	}
	paths, err := tx.Paths(ctx, inventory.Computers.Schema, ids)
	for i, rec := range recs {
		rec.(*inventory.AgentClaim).ComputerPath = paths[ids[i]]
	}
	return err
}

// claimedComputer names the computer of a claim.
func claimedComputer(rec any) []kind.Name {
	return []kind.Name{{Kind: inventory.Computers.Schema, ID: rec.(*inventory.AgentClaim).ComputerID.V}}
}

// Expire removes old claims before claims are read or answered, so that nobody sees
// one, nor counts it; once a minute is enough. That reading goes on, as with a full disk,
// matters more.
func (d *Desk) Expire(ctx context.Context, k *kind.Schema) {
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
		err = d.store.Update(ctx, func(tx *store.Tx) error { return d.DropOldClaims(ctx, tx) })
	}
	if err != nil {
		d.log.Warn("old claims could not be removed", "error", err)
	}
}

// claimsKept is how long claims are kept.
const claimsKept = 30 * 24 * time.Hour

// oldClaims returns the query for the claims that nobody has answered for long.
func (d *Desk) oldClaims() *kind.Query {
	old := kind.Test{Range: true, Max: d.now().Add(-claimsKept).Unix()}
	return &kind.Query{Conds: []kind.Cond{{Field: inventory.AgentClaims.Field("updated-at"), Any: []kind.Test{old}}},
		Page: 1, PerPage: 1}
}

// DropOldClaims removes them.
func (d *Desk) DropOldClaims(ctx context.Context, tx *store.Tx) error {
	recs, err := tx.All(ctx, inventory.AgentClaims.Schema, d.oldClaims())
	if err != nil {
		return err
	}
	return DropClaims(ctx, tx, recs)
}

// DropClaimsWith removes the claims whose field is a number: those of a computer that is
// about to go, or with an agent token that is.
func DropClaimsWith(ctx context.Context, tx *store.Tx, field string, number int64) error {
	recs, err := tx.All(ctx, inventory.AgentClaims.Schema, ClaimsWith(field, number))
	if err != nil {
		return err
	}
	return DropClaims(ctx, tx, recs)
}

// DropClaims removes claims with their reports.
func DropClaims(ctx context.Context, tx *store.Tx, recs []any) error {
	var computers []int64
	for _, rec := range recs {
		claim := rec.(*inventory.AgentClaim)
		if err := tx.RemoveClaimReport(ctx, claim.ID); err != nil {
			return err
		}
		if err := tx.Delete(ctx, inventory.AgentClaims.Schema, rec); err != nil {
			return err
		}
		computers = append(computers, claim.ComputerID.V)
	}
	slices.Sort(computers) // the order in which rows are locked
	for _, id := range slices.Compact(computers) {
		if err := SetClaimedAt(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// SetClaimedAt stores with a computer when the last of the reports came that wait to be
// accepted, after one was added, answered or removed.
func SetClaimedAt(ctx context.Context, tx *store.Tx, computer int64) error {
	k := inventory.Computers.Schema
	if err := tx.LockApart(ctx, k, computer); err != nil {
		return err
	}
	recs, err := tx.All(ctx, inventory.AgentClaims.Schema, ClaimsWith("hardware-id", computer))
	if err != nil {
		return err
	}
	c := &inventory.Computer{Record: kind.Record{ID: computer}}
	for _, rec := range recs {
		claim := rec.(*inventory.AgentClaim)
		if claim.Status == inventory.ClaimWaiting && claim.UpdatedAt.After(c.ClaimedAt) {
			c.ClaimedAt = claim.UpdatedAt
		}
	}
	return tx.SetApart(ctx, k, c, k.Field("claimed-at"))
}
