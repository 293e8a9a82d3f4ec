package server

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"muster/internal/demo"
	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// demoAge is how long the demo organisation has had its users.
const demoAge = 3 * 365 * 24 * time.Hour

// fillDemo fills a new database with a believable organisation. Its past is
// played through a desk of its own, whose clock is that of the story, so that
// records and audit trail look as if it had happened.
func (cfg *Config) fillDemo(ctx context.Context, h *installation) error {
	now := cfg.Now()
	users := demo.Users()
	if err := addDemoUsers(ctx, h.desk, users, now.Add(-demoAge)); err != nil {
		return fmt.Errorf("demo users: %w", err)
	}
	key, err := cfg.key(ctx, h.store)
	if err != nil {
		return err
	}
	at := now
	d, err := desk.Open(ctx,
		desk.Config{Store: h.store, Key: key, Realm: cfg.Realm, Now: func() time.Time { return at }, Log: cfg.Log})
	if err != nil {
		return err
	}
	defer d.Close()
	reports, err := agents.Open(ctx, d)
	if err != nil {
		return err
	}
	for _, step := range demo.Story(cmp.Or(cfg.DemoSize, demo.Size), users, now) {
		at = step.At
		if err := replay(ctx, d, step); err != nil {
			return fmt.Errorf("demo %s: %w", step.Kind.Plural, err)
		}
	}
	if err := claimDemo(ctx, &installation{desk: d, agents: reports}, &at, now); err != nil {
		return fmt.Errorf("demo agents: %w", err)
	}
	return h.desk.CatchUp(ctx)
}

// addDemoUsers stores the people of the demo organisation. They have no
// password until an administrator sets one.
func addDemoUsers(ctx context.Context, d *desk.Desk, users []*inventory.User, since time.Time) error {
	var recs []any
	for _, user := range users {
		user.CreatedAt = since
		recs = append(recs, user)
	}
	return d.Add(ctx, desk.Caller{Origin: "import"}, inventory.Users.Schema, recs)
}

// replay takes one step of the demo organisation's past.
func replay(ctx context.Context, d *desk.Desk, step demo.Step) error {
	who := desk.Caller{User: step.By, Origin: step.Origin}
	if step.New != nil {
		return d.Add(ctx, who, step.Kind, step.New())
	}
	target := desk.Target{Kind: step.Kind, ID: step.Kind.Meta(step.Of).ID}
	if step.Software != nil {
		return d.SetSoftware(ctx, who, target.ID, step.Software)
	}
	_, err := d.Update(ctx, who, target,
		func() (*kind.Patch, error) { return step.Kind.Decode([]byte(step.Document())) })
	return err
}
