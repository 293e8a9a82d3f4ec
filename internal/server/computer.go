package server

import (
	"context"
	"fmt"

	"muster/internal/inventory"
)

// A ComputerCommand merges two computers, or splits one.
type ComputerCommand struct {
	Do    string   // merge, split
	Which []string // ids, asset ids or names of the two, or of the one
	Agent string   // that gets a computer of its own, by its id or device id
}

// A ComputerResult is the outcome of a ComputerCommand.
type ComputerResult struct {
	Kept, Gone *inventory.Computer // the one that stays, and the other as it was last
	Made       *inventory.Computer // by a split
}

// Computer carries out a command about computers, whether or not a server runs
// on the data folder.
func (p *Place) Computer(ctx context.Context, cmd ComputerCommand) (*ComputerResult, error) {
	return do(ctx, p, cmd)
}

func (c ComputerCommand) path() string { return "/computers" }

func (c ComputerCommand) first() bool { return false }

func (c ComputerCommand) carryOut(ctx context.Context, h *installation) (res *ComputerResult, err error) {
	res = &ComputerResult{}
	switch {
	case c.Do == "merge" && len(c.Which) == 2:
		res.Kept, res.Gone, err = h.merges.Computers(ctx, origin, c.Which[0], c.Which[1])
	case c.Do == "split" && len(c.Which) == 1:
		res.Kept, res.Made, err = h.agents.SplitComputer(ctx, origin, c.Which[0], c.Agent)
	default:
		err = fmt.Errorf("unknown command %q about %d computers", c.Do, len(c.Which))
	}
	return res, err
}
