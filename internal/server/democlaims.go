package server

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
)

// demoClaims is how many computers of the demo organisation were reinstalled, with
// another token for their agents.
const demoClaims = 3

// demoJoined is the number of the laptop that two agents report.
const demoJoined = 20

// claimDemo lets agents report some computers of the demo organisation, and others with
// another token claim them. One more is reported by two agents, which perhaps are on
// two: so there is something to split.
func claimDemo(ctx context.Context, h *installation, clock *time.Time, now time.Time) error {
	q := &kind.Query{Page: 1, PerPage: demoJoined, Conds: []kind.Cond{{
		Field: inventory.Computers.Field("category"), Any: []kind.Test{{Text: []string{"Laptop"}}},
	}}}
	page, err := h.desk.List(ctx, origin, inventory.Computers.Schema, q)
	if err != nil {
		return err
	}
	claimed := page.Records[:min(demoClaims, len(page.Records))]
	administrator, err := h.desk.Get(ctx, origin, inventory.Users.Schema, 1)
	if err != nil {
		return err
	}
	person := desk.Caller{User: administrator.(*inventory.User), Origin: origin.Origin}
	for i, one := range []struct {
		token, system string
		ago           time.Duration
	}{{"Laptops", "", 26 * time.Hour}, {"Laptops 2", "Windows 11 Pro", 90 * time.Minute}} {
		*clock = now.Add(-one.ago)
		token, _, err := h.agents.AddToken(ctx, origin, agents.NewToken{Name: one.token})
		if err != nil {
			return err
		}
		if i == 0 && len(page.Records) == demoJoined {
			if err := joinDemo(ctx, h, token, page.Records[demoJoined-1].(*inventory.Computer).ID); err != nil {
				return err
			}
		}
		for _, rec := range claimed {
			whole, err := h.desk.Get(ctx, origin, inventory.Computers.Schema, rec.(*inventory.Computer).ID)
			if err != nil {
				return err
			}
			c := whole.(*inventory.Computer)
			if one.system != "" {
				c.OperatingSystem = one.system
			}
			if err := reportDemo(ctx, h, token, c, demoAgent{"GLPI-Agent_v1.12", i + 1}); err != nil {
				return err
			}
			if i > 0 {
				continue
			}
			// reports set it from now on
			if _, err := h.desk.Release(ctx, person, c.ID, inventory.Computers.Field("operating-system")); err != nil {
				return err
			}
		}
	}
	return nil
}

// joinDemo lets two agents report a computer, each by another name: its serial number
// was written to another mainboard too.
func joinDemo(ctx context.Context, h *installation, token *agents.Token, id int64) error {
	rec, err := h.desk.Get(ctx, origin, inventory.Computers.Schema, id)
	if err != nil {
		return err
	}
	c := rec.(*inventory.Computer)
	if err := reportDemo(ctx, h, token, c, demoAgent{"GLPI-Agent_v1.12", 1}); err != nil {
		return err
	}
	c.Name += "-B"
	return reportDemo(ctx, h, token, c, demoAgent{"FusionInventory-Agent_v2.6", 2})
}

// A demoAgent is one that reports a computer of the demo organisation.
type demoAgent struct {
	client string // what it calls itself
	month  int    // in which it was installed
}

// reportDemo reports a computer as an agent does that has seen little of it.
func reportDemo(ctx context.Context, h *installation, token *agents.Token, c *inventory.Computer, by demoAgent) error {
	type part map[string]string
	body, err := json.Marshal(map[string]any{
		"action": "inventory", "itemtype": "Computer", "partial": true,
		"deviceid": fmt.Sprintf("%s-2026-0%d-05-08-30-00", strings.ToLower(c.Name), by.month),
		"content": map[string]any{
			"versionclient": by.client, "hardware": part{"name": c.Name},
			"operatingsystem": part{"full_name": c.OperatingSystem},
			"bios":            part{"smanufacturer": c.Manufacturer, "smodel": c.Model, "ssn": c.SerialNumber},
		},
	})
	if err != nil {
		return err
	}
	m, err := report.Read(body, report.Source{})
	if err != nil {
		return err
	}
	_, err = h.agents.Report(ctx,
		agents.Delivery{By: agents.Reporter{Token: token, Address: c.IP}, Report: m.Report,
			Admit: func(int64, bool) error { return nil }})
	return err
}
