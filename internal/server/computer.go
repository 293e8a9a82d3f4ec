package server

import (
	"context"
	"fmt"

	"muster/internal/desk"
	"muster/internal/inventory"
)

// A ComputerCommand merges two computers.
type ComputerCommand struct {
	Do    string   // merge
	Which []string // ids, asset ids or names of the two
}

// A ComputerResult is the outcome of a ComputerCommand.
type ComputerResult struct {
	Kept, Gone *inventory.Computer // the one that stays, and the other as it was last
}

// Computer carries out a command about computers, whether or not a server runs
// on the data folder.
func (p *Place) Computer(ctx context.Context, cmd ComputerCommand) (*ComputerResult, error) {
	return do(ctx, p, cmd)
}

func (c ComputerCommand) path() string { return "/computers" }

func (c ComputerCommand) first() bool { return false }

func (c ComputerCommand) carryOut(ctx context.Context, d *desk.Desk) (res *ComputerResult, err error) {
	if c.Do != "merge" || len(c.Which) != 2 {
		return nil, fmt.Errorf("unknown command %q about %d computers", c.Do, len(c.Which))
	}
	res = &ComputerResult{}
	res.Kept, res.Gone, err = d.MergeComputers(ctx, origin, c.Which[0], c.Which[1])
	return res, err
}
