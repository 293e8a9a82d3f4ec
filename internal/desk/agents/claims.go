package agents

import (
	"context"
	"errors"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/report"
	"muster/internal/store"
)

// Claims returns the reports that wait for a technician, the latest first.
func (s *Service) Claims(ctx context.Context, who desk.Caller) (claims []*inventory.AgentClaim, err error) {
	k := inventory.AgentClaims.Schema
	if _, err := desk.Visible(who.User, k); err != nil {
		return nil, err
	}
	s.desk.Claims().Expire(ctx, k)
	q := &kind.Query{Sort: k.Field("updated-at"), Desc: true, Conds: []kind.Cond{
		{Field: k.Field("status"), Any: []kind.Test{{Text: []string{inventory.ClaimWaiting}}}},
	}}
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
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
	who   desk.Caller
	claim *inventory.AgentClaim
}

// errRenewed says that a claim is of a later report than the one that was read.
var errRenewed = errors.New("another report came in place of the claimed one")

// AcceptClaim takes in the report of a claim, whose agent speaks for the computer from
// then on, and returns the claim as it was last.
func (s *Service) AcceptClaim(ctx context.Context, who desk.Caller, t desk.Target) (*inventory.AgentClaim, error) {
	for {
		a, in, err := s.accepting(ctx, who, t)
		if errors.Is(err, errUnreadable) {
			return nil, s.dropUnreadable(ctx, who, t)
		}
		if err != nil {
			return nil, err
		}
		_, err = s.Report(ctx, in)
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
func (s *Service) accepting(ctx context.Context, who desk.Caller, t desk.Target) (*acceptance, Delivery, error) {
	s.desk.Claims().Expire(ctx, t.Kind)
	a := &acceptance{who: who}
	var kept []byte
	err := s.desk.Store().View(ctx, func(tx *store.Tx) error {
		rec, err := s.desk.LoadTarget(ctx, tx, who.User, t)
		if err != nil {
			return err
		}
		a.claim = rec.(*inventory.AgentClaim)
		if err := desk.ShowClaims(ctx, tx, []any{rec}); err != nil {
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
	token := s.tokens.withID(a.claim.TokenID.V)
	if token == nil {
		return nil, Delivery{}, desk.Refuse(desk.Conflict, "the agent token %s was revoked", a.claim.Token)
	}
	admit := func(int64, bool) error { return nil }
	return a, Delivery{By: Reporter{Token: token, Address: a.claim.Address}, Report: r, Admit: admit, accepted: a}, nil
}

// errUnreadable says that a claim has no report that can be read, as one that was
// stored in another form.
var errUnreadable = errors.New("the report of the claim cannot be read")

// dropUnreadable removes such a claim, which is as good as none: its agent reports
// again.
func (s *Service) dropUnreadable(ctx context.Context, who desk.Caller, t desk.Target) error {
	err := s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		if err := answersClaims(ctx, s.desk, tx, &who); err != nil {
			return err
		}
		rec, err := s.desk.LoadTarget(ctx, tx, who.User, t)
		if err != nil {
			return err
		}
		return desk.DropClaims(ctx, tx, []any{rec})
	})
	if err != nil {
		return err
	}
	return desk.NoSuch(t.Kind, t.ID)
}

// begin refuses what the technician may not do.
func (c *acceptance) begin(ctx context.Context, d *desk.Desk, tx *store.Tx) error {
	if c == nil {
		return nil
	}
	return answersClaims(ctx, d, tx, &c.who)
}

// answersClaims refuses callers who may not accept or refuse claims.
func answersClaims(ctx context.Context, d *desk.Desk, tx *store.Tx, who *desk.Caller) error {
	if who.User == nil {
		return nil // a command
	}
	return d.LockRights(ctx, tx, who, desk.Changing, inventory.AgentClaims.Schema)
}

// end removes the claim, takes the key of an agent away in whose place the accepted
// one is, and records who accepted it. The claim is locked after the computer, as by
// whoever removes that.
func (c *acceptance) end(ctx context.Context, a *arrival) error {
	if c == nil {
		return nil
	}
	rec, err := a.Tx.GetLocked(ctx, inventory.AgentClaims.Schema, c.claim.ID)
	if errors.Is(err, store.ErrNotFound) {
		return desk.NoSuch(inventory.AgentClaims.Schema, c.claim.ID)
	}
	if err != nil {
		return err
	}
	if rec.(*inventory.AgentClaim).Version != c.claim.Version {
		return errRenewed
	}
	if err := a.Tx.DropKeys(ctx, a.computer, a.agent.Program, a.agent.ID); err != nil {
		return err
	}
	if err := desk.DropClaims(ctx, a.Tx, []any{rec}); err != nil {
		return err
	}
	return a.auditClaim(ctx, c)
}

// auditClaim records what a technician said of a claim.
func (a *arrival) auditClaim(ctx context.Context, c *acceptance) error {
	return a.WriteAudit(ctx, a.Tx, c.who, a.Kind, a.Rec, desk.NewAudit(inventory.Updated, claimMessage(c.claim, true)))
}

func claimMessage(c *inventory.AgentClaim, accepted bool) message.Text {
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
func (s *Service) RefuseClaim(ctx context.Context, who desk.Caller,
	t desk.Target) (claim *inventory.AgentClaim, err error) {
	s.desk.Claims().Expire(ctx, t.Kind)
	if who.User != nil { // else it is a command
		if err := s.desk.CheckMayChange(ctx, who, desk.Changing, t); err != nil {
			return nil, err
		}
	}
	err = s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		if err := answersClaims(ctx, s.desk, tx, &who); err != nil {
			return err
		}
		if _, err := tx.GetLocked(ctx, t.Kind, t.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		old, err := s.desk.LoadTarget(ctx, tx, who.User, t)
		if err != nil {
			return err
		}
		rec := t.Kind.Copy(old)
		claim = rec.(*inventory.AgentClaim)
		if claim.Status != inventory.ClaimRefused {
			claim.Status = inventory.ClaimRefused
			err = s.storeRefusal(ctx, tx, who, claim, old)
		}
		if err != nil {
			return err
		}
		return desk.ShowClaims(ctx, tx, []any{rec})
	})
	return claim, err
}

// storeRefusal stores a claim that was refused, and records it.
func (s *Service) storeRefusal(ctx context.Context, tx *store.Tx, who desk.Caller, claim *inventory.AgentClaim,
	old any) error {
	if err := tx.Update(ctx, inventory.AgentClaims.Schema, claim, old, s.desk.Now()); err != nil {
		return err
	}
	if err := desk.SetClaimedAt(ctx, tx, claim.ComputerID.V); err != nil {
		return err
	}
	c, err := store.Get(ctx, tx, inventory.Computers, claim.ComputerID.V)
	if err != nil {
		return err
	}
	return s.desk.WriteAudit(ctx, tx, who, inventory.Computers.Schema, c,
		desk.NewAudit(inventory.Updated, claimMessage(claim, false)))
}
