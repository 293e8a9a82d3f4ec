package desk

import (
	"context"
	"slices"
	"sync/atomic"
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

// ShowClaims sets in claims where their computers are.
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

// Claims are the reports of a desk's computers that wait for a technician.
type Claims struct {
	desk    *Desk
	expired atomic.Int64 // the minute in which old claims were removed last
}

// Claims returns the reports that wait for a technician.
func (d *Desk) Claims() *Claims { return &d.claims }

// Expire removes old claims before claims are read or answered, so that nobody sees
// one, nor counts it; once a minute is enough. That reading goes on, as with a full disk,
// matters more.
func (c *Claims) Expire(ctx context.Context, k *kind.Schema) {
	minute := c.desk.now().Unix() / 60
	if k != inventory.AgentClaims.Schema || c.expired.Swap(minute) == minute {
		return
	}
	var old int
	err := c.desk.store.Read(ctx, func(tx *store.Tx) (err error) {
		old, _, err = tx.Find(ctx, k, c.old())
		return err
	})
	if err == nil && old > 0 {
		err = c.desk.store.Update(ctx, func(tx *store.Tx) error { return c.DropOld(ctx, tx) })
	}
	if err != nil {
		c.desk.log.Warn("old claims could not be removed", "error", err)
	}
}

// claimsKept is how long claims are kept.
const claimsKept = 30 * 24 * time.Hour

// old returns the query for the claims that nobody has answered for long.
func (c *Claims) old() *kind.Query {
	old := kind.Test{Range: true, Max: c.desk.now().Add(-claimsKept).Unix()}
	return &kind.Query{Conds: []kind.Cond{{Field: inventory.AgentClaims.Field("updated-at"), Any: []kind.Test{old}}},
		Page: 1, PerPage: 1}
}

// DropOld removes them.
func (c *Claims) DropOld(ctx context.Context, tx *store.Tx) error {
	recs, err := tx.All(ctx, inventory.AgentClaims.Schema, c.old())
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
