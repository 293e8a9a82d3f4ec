package main

import (
	"context"
	"fmt"
	"log/slog"

	"muster/internal/server"
)

type computerCmd struct {
	Merge computerMergeCmd `cmd:"" help:"Make two computers one, such as one that was reported twice. The one with the lower id stays, with the tickets, software, agents and history of both."`
	Split computerSplitCmd `cmd:"" help:"Take back a wrong join: give an agent of a computer a computer of its own, made of what it told last. Tickets, owner and notes stay."`
}

type computerMergeCmd struct {
	First  string `arg:"" help:"Id or asset id of one of the two, or its name if no other computer has it."`
	Second string `arg:"" help:"Id, asset id or name of the other. The order does not matter."`
	place
}

type computerSplitCmd struct {
	Computer string `arg:"" help:"Id or asset id of the computer, or its name if no other computer has it."`
	Agent    string `required:"" help:"Id or device id of the agent that gets a computer of its own. With one that does not exist the command lists all of them."`
	place
}

// Run splits a computer.
func (c *computerSplitCmd) Run() error {
	where := c.place.place(newLog(slog.LevelWarn))
	res, err := where.Computer(context.Background(),
		server.ComputerCommand{Do: "split", Which: []string{c.Computer}, Agent: c.Agent})
	if err != nil {
		return err
	}
	fmt.Printf("Computer %d (%s) was split off computer %d (%s).\n", res.Made.ID, res.Made.Name, res.Kept.ID,
		res.Kept.Name)
	return nil
}

// Run merges two computers.
func (c *computerMergeCmd) Run() error {
	where := c.place.place(newLog(slog.LevelWarn))
	res, err := where.Computer(context.Background(),
		server.ComputerCommand{Do: "merge", Which: []string{c.First, c.Second}})
	if err != nil {
		return err
	}
	fmt.Printf("Computer %d (%s) was merged into computer %d (%s).\n", res.Gone.ID, res.Gone.Name, res.Kept.ID,
		res.Kept.Name)
	return nil
}
