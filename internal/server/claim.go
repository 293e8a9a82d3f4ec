package server

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
)

// A ClaimCommand lists, accepts or refuses the reports that wait for a technician.
type ClaimCommand struct {
	Do    string   // list, accept or refuse
	Which []string // ids of claims
	Token string   // id or name of the agent token of all that are meant, "" for those with the ids
}

// A ClaimResult is the outcome of a ClaimCommand.
type ClaimResult struct {
	Claims []*inventory.AgentClaim // that wait, or that were answered
	Faults []string                // of those that could not be answered
}

// Claim carries out a command about claims, whether or not a server runs on the data
// folder.
func (p *Place) Claim(ctx context.Context, cmd ClaimCommand) (*ClaimResult, error) {
	return do(ctx, p, cmd)
}

func (c ClaimCommand) path() string { return "/claims" }

func (c ClaimCommand) first() bool { return false }

func (c ClaimCommand) carryOut(ctx context.Context, h *installation) (res *ClaimResult, err error) {
	res = &ClaimResult{}
	if c.Token != "" && len(c.Which) > 0 {
		return nil, errors.New("ids and --agent-token both say which claims: give one of them")
	}
	if c.Do == "list" || c.Token != "" {
		if res.Claims, err = c.waiting(ctx, h.agents); err != nil || c.Do == "list" {
			return res, err
		}
	}
	if c.Do != "accept" && c.Do != "refuse" {
		return nil, fmt.Errorf("unknown command %q", c.Do)
	}
	ids, err := c.ids(res.Claims)
	if err != nil {
		return nil, err
	}
	answer := agents.ClaimAnswer{Accept: c.Do == "accept"}
	for _, id := range ids {
		answer.Claims = append(answer.Claims, desk.Target{Kind: inventory.AgentClaims.Schema, ID: id})
	}
	got, err := h.agents.AnswerClaims(ctx, origin, answer)
	if err != nil && len(got.Done) > 0 {
		return nil, fmt.Errorf("after %d claims: %w", len(got.Done), err)
	}
	if err != nil {
		return nil, err
	}
	res.Claims = got.Done
	for _, fault := range got.Faults {
		res.Faults = append(res.Faults, fault.Error())
	}
	if got.Left > 0 {
		res.Faults = append(res.Faults, fmt.Sprintf("there was no time for %d more: give the same command again",
			got.Left))
	}
	return res, nil
}

// waiting returns the claims that wait, those with the agent token if one is given.
func (c ClaimCommand) waiting(ctx context.Context, d *agents.Service) (claims []*inventory.AgentClaim, err error) {
	all, err := d.Claims(ctx, origin)
	for _, claim := range all {
		if c.Token == "" || strings.EqualFold(claim.Token, c.Token) ||
			strconv.FormatInt(claim.TokenID.V, 10) == c.Token {
			claims = append(claims, claim)
		}
	}
	if c.Token != "" && len(claims) == 0 && err == nil {
		return nil, fmt.Errorf("no claim waits with the agent token %s: muster claim list shows all", c.Token)
	}
	return claims, err
}

// ids returns the ids of the claims that are meant: the given ones, or those that were
// found.
func (c ClaimCommand) ids(found []*inventory.AgentClaim) (ids []int64, err error) {
	for _, claim := range found {
		ids = append(ids, claim.ID)
	}
	for _, which := range c.Which {
		id, err := strconv.ParseInt(which, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not the id of a claim: muster claim list shows them", which)
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("which claims? Give their ids, or --agent-token for all with one: muster claim list shows them")
	}
	return ids, nil
}
