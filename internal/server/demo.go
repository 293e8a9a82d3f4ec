package server

import (
	"context"
	"time"

	"muster/internal/demo"
	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// demoSpan is how long the computers of the demo organisation have been
// coming in.
const demoSpan = 2 * 365 * 24 * time.Hour

// fillDemo fills a new database with a believable organisation.
func fillDemo(ctx context.Context, d *desk.Desk, now time.Time) error {
	who := desk.Caller{Origin: "import"}
	var users, computers []any
	var people []kind.Person
	for _, user := range demo.Users() {
		users = append(users, user)
	}
	if err := d.Add(ctx, who, inventory.Users.Schema, users); err != nil {
		return err
	}
	for _, user := range users {
		people = append(people, user.(*inventory.User).Person())
	}
	for i := range demo.Size {
		c := demo.Computer(i, people, now)
		c.CreatedAt = now.Add(-demoSpan / demo.Size * time.Duration(demo.Size-i)).UTC().Truncate(time.Second)
		computers = append(computers, c)
	}
	return d.Add(ctx, who, inventory.Computers.Schema, computers)
}
