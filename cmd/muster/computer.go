package main

import (
	"context"
	"fmt"
	"log/slog"

	"muster/internal/server"
)

type computerCmd struct {
	Merge computerMergeCmd `cmd:"" help:"Make two computers one, such as one that was reported twice. The one with the lower id stays, with the tickets, software, agents and history of both."`
}

type computerMergeCmd struct {
	First  string `arg:"" help:"Id or asset id of one of the two, or its name if no other computer has it."`
	Second string `arg:"" help:"Id, asset id or name of the other. The order does not matter."`
	place
}

// Run merges two computers.
func (c *computerMergeCmd) Run() error {
	where := c.place.place(newLog(slog.LevelWarn))
	res, err := where.Computer(context.Background(), server.ComputerCommand{Do: "merge", Which: []string{c.First, c.Second}})
	if err != nil {
		return err
	}
	fmt.Printf("Computer %d (%s) was merged into computer %d (%s).\n", res.Gone.ID, res.Gone.Name, res.Kept.ID, res.Kept.Name)
	return nil
}
