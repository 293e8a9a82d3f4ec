package server

import (
	"context"

	"muster/internal/desk/tally"
)

// A MendCommand counts again what is counted beside records, and mends what differs.
type MendCommand struct{}

// Mended is what a MendCommand has mended, a text each.
type Mended struct{ Counts []string }

// Mend carries out the command, whether or not a server runs on the data folder.
func (p *Place) Mend(ctx context.Context) (*Mended, error) { return do(ctx, p, MendCommand{}) }

func (c MendCommand) path() string { return "/counts" }

func (c MendCommand) first() bool { return false }

func (c MendCommand) carryOut(ctx context.Context, h *installation) (*Mended, error) {
	mended, err := tally.Mend(ctx, h.desk, origin)
	res := &Mended{}
	for _, d := range mended {
		res.Counts = append(res.Counts, d.String())
	}
	return res, err
}
