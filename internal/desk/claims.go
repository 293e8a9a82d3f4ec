package desk

import (
	"context"
	"errors"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/report"
	"muster/internal/store"
)

// Claims returns the reports that wait for a technician, the latest first.
func (d *Desk) Claims(ctx context.Context, who Caller) (claims []*inventory.AgentClaim, err error) {
	k := inventory.AgentClaims.Schema
	if _, err := visible(who.User, k); err != nil {
		return nil, err
	}
	d.expire(ctx, k)
	q := &kind.Query{Sort: k.Field("updated-at"), Desc: true, Conds: []kind.Cond{
		{Field: k.Field("status"), Any: []kind.Test{{Text: []string{inventory.ClaimWaiting}}}},
	}}
	err = d.store.View(ctx, func(tx *store.Tx) error {
		claims = nil
		recs, err := tx.All(ctx, k, q)
		for _, rec := range recs {
			claims = append(claims, rec.(*inventory.AgentClaim))
		}
		return err
	})
	return claims, err
}

// An acceptance is what lets a report in that has waited: a technician says that its
// agent speaks for the computer.
type acceptance struct {
	who   Caller
	claim *inventory.AgentClaim
}

// errRenewed says that a claim is of a later report than the one that was read.
var errRenewed = errors.New("another report came in place of the claimed one")

// AcceptClaim takes in the report of a claim, whose agent speaks for the computer from
// then on, and returns the claim as it was last.
func (d *Desk) AcceptClaim(ctx context.Context, who Caller, t Target) (*inventory.AgentClaim, error) {
	for {
		a, in, err := d.accepting(ctx, who, t)
		if errors.Is(err, errUnreadable) {
			return nil, d.dropUnreadable(ctx, who, t)
		}
		if err != nil {
			return nil, err
		}
		_, err = d.Report(ctx, in)
		if errors.Is(err, errRenewed) {
			continue
		}
		if err != nil {
			return nil, err
		}
		a.claim.Status = inventory.ClaimAccepted
		return a.claim, nil
	}
}

// accepting reads a claim, and returns its report as it is taken in.
func (d *Desk) accepting(ctx context.Context, who Caller, t Target) (*acceptance, Delivery, error) {
	d.expire(ctx, t.Kind)
	a := &acceptance{who: who}
	var kept []byte
	err := d.store.View(ctx, func(tx *store.Tx) error {
		rec, err := d.target(ctx, tx, who.User, t)
		if err != nil {
			return err
		}
		a.claim = rec.(*inventory.AgentClaim)
		if err := showClaims(ctx, &view{d, tx, who.User, true}, []any{rec}); err != nil {
			return err
		}
		kept, err = tx.ClaimReport(ctx, t.ID)
		if errors.Is(err, store.ErrNotFound) {
			return errUnreadable
		}
		return err
	})
	if err != nil {
		return nil, Delivery{}, err
	}
	r, err := report.ReadKept(kept)
	if err != nil {
		return nil, Delivery{}, errUnreadable
	}
	token := d.agentTokens.withID(a.claim.TokenID.V)
	if token == nil {
		return nil, Delivery{}, refuse(Conflict, "the agent token %s was revoked", a.claim.Token)
	}
	admit := func(int64, bool) error { return nil }
	return a, Delivery{By: Reporter{Token: token, Address: a.claim.Address}, Report: r, Admit: admit, accepted: a}, nil
}

// errUnreadable says that a claim has no report that can be read, as one that was
// stored in another form.
var errUnreadable = errors.New("the report of the claim cannot be read")

// dropUnreadable removes such a claim, which is as good as none: its agent reports
// again.
func (d *Desk) dropUnreadable(ctx context.Context, who Caller, t Target) error {
	err := d.store.Update(ctx, func(tx *store.Tx) error {
		if err := d.answersClaims(ctx, tx, &who); err != nil {
			return err
		}
		rec, err := d.target(ctx, tx, who.User, t)
		if err != nil {
			return err
		}
		return dropClaims(ctx, tx, []any{rec})
	})
	if err != nil {
		return err
	}
	return noSuch(t.Kind, t.ID)
}

// begin refuses what the technician may not do.
func (c *acceptance) begin(ctx context.Context, d *Desk, tx *store.Tx) error {
	if c == nil {
		return nil
	}
	return d.answersClaims(ctx, tx, &c.who)
}

// answersClaims refuses callers who may not accept or refuse claims.
func (d *Desk) answersClaims(ctx context.Context, tx *store.Tx, who *Caller) error {
	if who.User == nil {
		return nil // a command
	}
	return d.enter(ctx, tx, who, changing, inventory.AgentClaims.Schema)
}

// end removes the claim, takes the key of an agent away in whose place the accepted
// one is, and records who accepted it. The claim is held after the computer, as by
// whoever removes that.
func (c *acceptance) end(ctx context.Context, a *arrival) error {
	if c == nil {
		return nil
	}
	rec, err := a.tx.GetHeld(ctx, inventory.AgentClaims.Schema, c.claim.ID)
	if errors.Is(err, store.ErrNotFound) {
		return noSuch(inventory.AgentClaims.Schema, c.claim.ID)
	}
	if err != nil {
		return err
	}
	if rec.(*inventory.AgentClaim).Version != c.claim.Version {
		return errRenewed
	}
	if err := a.tx.DropKeys(ctx, a.computer, a.agent.Program, a.agent.ID); err != nil {
		return err
	}
	if err := dropClaims(ctx, a.tx, []any{rec}); err != nil {
		return err
	}
	return a.tellClaim(ctx, c)
}

// tellClaim records what a technician said of a claim.
func (a *arrival) tellClaim(ctx context.Context, c *acceptance) error {
	return a.write(ctx, a.tx, c.who, a.kind, a.rec, newAudit(inventory.Updated, toldClaim(c.claim, true)))
}

func toldClaim(c *inventory.AgentClaim, accepted bool) message.Text {
	agent := agentName(c.Program, c.ProgramVersion)
	if accepted {
		return message.New("Report by %s (%s) with the agent token %s accepted", agent, c.DeviceID, c.Token)
	}
	return message.New("Report by %s (%s) with the agent token %s refused", agent, c.DeviceID, c.Token)
}

// agentName returns what people call an agent.
func agentName(program, version string) string {
	switch {
	case program == "":
		return "an agent"
	case version == "":
		return program
	}
	return program + " " + version
}

// RefuseClaim leaves the report of a claim, and all further ones of its agent with the
// same token, until somebody accepts it. It returns the claim.
func (d *Desk) RefuseClaim(ctx context.Context, who Caller, t Target) (claim *inventory.AgentClaim, err error) {
	d.expire(ctx, t.Kind)
	if who.User != nil { // else it is a command
		if err := d.admit(ctx, who, changing, t); err != nil {
			return nil, err
		}
	}
	err = d.store.Update(ctx, func(tx *store.Tx) error {
		if err := d.answersClaims(ctx, tx, &who); err != nil {
			return err
		}
		if _, err := tx.GetHeld(ctx, t.Kind, t.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		old, err := d.target(ctx, tx, who.User, t)
		if err != nil {
			return err
		}
		rec := t.Kind.Copy(old)
		claim = rec.(*inventory.AgentClaim)
		if claim.Status != inventory.ClaimRefused {
			claim.Status = inventory.ClaimRefused
			err = d.storeRefusal(ctx, tx, who, claim, old)
		}
		if err != nil {
			return err
		}
		return showClaims(ctx, &view{d, tx, who.User, true}, []any{rec})
	})
	return claim, err
}

// storeRefusal stores a claim that was refused, and records it.
func (d *Desk) storeRefusal(ctx context.Context, tx *store.Tx, who Caller, claim *inventory.AgentClaim, old any) error {
	if err := tx.Update(ctx, inventory.AgentClaims.Schema, claim, old, d.now()); err != nil {
		return err
	}
	c, err := store.Get(ctx, tx, inventory.Computers, claim.ComputerID.V)
	if err != nil {
		return err
	}
	return d.write(ctx, tx, who, inventory.Computers.Schema, c, newAudit(inventory.Updated, toldClaim(claim, false)))
}
