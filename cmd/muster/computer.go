package main

import (
	"context"
	"fmt"
	"log/slog"

	"muster/internal/server"
)

type computerCmd struct {
	Merge computerMergeCmd `cmd:"" help:"Merge two computers, such as one that was reported twice. The one with the lower id stays and gets the tickets, software, agents and history of both."`
	Split computerSplitCmd `cmd:"" help:"Split a computer that was merged wrongly. One of its agents gets a computer of its own, made from its last report. Tickets, owner and notes stay."`
}

type computerMergeCmd struct {
	First  string `arg:"" help:"Id or asset id of one of the two computers, or its name if no other computer has it."`
	Second string `arg:"" help:"Id, asset id or name of the other computer. The order does not matter."`
	place
}

type computerSplitCmd struct {
	Computer string `arg:"" help:"Id or asset id of the computer, or its name if no other computer has it."`
	Agent    string `required:"" help:"Id or device id of the agent that gets a computer of its own. If there is no such agent, the command lists all agents of the computer."`
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
