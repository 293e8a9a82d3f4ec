package server

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
)

// demoClaims is how many computers of the demo organisation were set up anew by
// somebody who gave their agents another token.
const demoClaims = 3

// claimDemo lets agents report some computers of the demo organisation, and others with
// another token claim them.
func claimDemo(ctx context.Context, d *desk.Desk, clock *time.Time, now time.Time) error {
	q := &kind.Query{Page: 1, PerPage: demoClaims, Conds: []kind.Cond{{
		Field: inventory.Computers.Field("category"), Any: []kind.Test{{Text: []string{"Laptop"}}},
	}}}
	page, err := d.List(ctx, origin, inventory.Computers.Schema, q)
	if err != nil {
		return err
	}
	for i, one := range []struct {
		token, system string
		ago           time.Duration
	}{{"Laptops", "", 26 * time.Hour}, {"Laptops 2", "Windows 11 Pro", 90 * time.Minute}} {
		*clock = now.Add(-one.ago)
		token, _, err := d.AddAgentToken(ctx, origin, desk.NewAgentToken{Name: one.token})
		if err != nil {
			return err
		}
		for _, rec := range page.Records {
			whole, err := d.Get(ctx, origin, inventory.Computers.Schema, rec.(*inventory.Computer).ID)
			if err != nil {
				return err
			}
			c := whole.(*inventory.Computer)
			if one.system != "" {
				c.OperatingSystem = one.system
			}
			if err := reportDemo(ctx, d, token, c, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// reportDemo reports a computer as an agent does that has seen little of it.
func reportDemo(ctx context.Context, d *desk.Desk, token *desk.AgentToken, c *inventory.Computer, nth int) error {
	type part map[string]string
	body, err := json.Marshal(map[string]any{
		"action": "inventory", "itemtype": "Computer", "partial": true,
		"deviceid": fmt.Sprintf("%s-2026-0%d-05-08-30-00", strings.ToLower(c.Name), nth+1),
		"content": map[string]any{
			"versionclient": "GLPI-Agent_v1.12", "hardware": part{"name": c.Name}, "operatingsystem": part{"full_name": c.OperatingSystem},
			"bios": part{"smanufacturer": c.Manufacturer, "smodel": c.Model, "ssn": c.SerialNumber},
		},
	})
	if err != nil {
		return err
	}
	m, err := report.Read(body, report.Source{})
	if err != nil {
		return err
	}
	by := desk.Reporter{Token: token, Address: c.IP}
	_, err = d.Report(ctx, desk.Delivery{By: by, Report: m.Report, Body: body, Admit: func(int64) error { return nil }})
	return err
}
