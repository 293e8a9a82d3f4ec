package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"

	"muster/internal/server"
)

type claimCmd struct {
	List   claimListCmd   `cmd:"" help:"List the claims: reports that wait because another agent reports the computer."`
	Accept claimAcceptCmd `cmd:"" help:"Accept claims. The waiting reports are stored, and their agents report the computers from now on."`
	Refuse claimRefuseCmd `cmd:"" help:"Refuse claims. Their reports, and later ones of the same agents, change nothing until somebody accepts them."`
}

type claimListCmd struct {
	Token string `name:"agent-token" placeholder:"TOKEN" help:"List only the claims with this agent token, given by its id or name."`
	place
}

// Run lists the claims.
func (c *claimListCmd) Run() error {
	where := c.place.place(newLog(slog.LevelWarn))
	res, err := where.Claim(context.Background(), server.ClaimCommand{Do: "list", Token: c.Token})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tCOMPUTER\tAGENT TOKEN\tAGENT\tFROM\tLAST REPORT\tWHY IT WAITS")
	for _, claim := range res.Claims {
		fmt.Fprintf(w, "%d\t%d (%s)\t%s\t%s\t%s\t%s\t%s\n", claim.ID, claim.ComputerID.V, claim.ComputerName,
			claim.Token, claim.DeviceID,
			shown(claim.Address), claim.UpdatedAt.UTC().Format("2006-01-02 15:04 UTC"), claim.Reason)
	}
	return w.Flush()
}

// claimsArgs name the claims that are answered.
type claimsArgs struct {
	Claim []string `arg:"" optional:"" help:"Id of a claim, as listed by muster claim list."`
	Token string   `name:"agent-token" placeholder:"TOKEN" help:"All claims with this agent token, given by its id or name."`
	place
}

// answer accepts or refuses claims, and prints how many there were.
func (c *claimsArgs) answer(do, done string) error {
	where := c.place.place(newLog(slog.LevelWarn))
	res, err := where.Claim(context.Background(), server.ClaimCommand{Do: do, Which: c.Claim, Token: c.Token})
	if err != nil {
		return err
	}
	for _, claim := range res.Claims {
		fmt.Printf("Claim %d of computer %d (%s) %s.\n", claim.ID, claim.ComputerID.V, claim.ComputerName, done)
	}
	if len(res.Faults) > 0 {
		return errors.New(strings.Join(res.Faults, "\n"))
	}
	return nil
}

type claimAcceptCmd struct{ claimsArgs }

// Run accepts claims.
func (c *claimAcceptCmd) Run() error { return c.answer("accept", "was accepted") }

type claimRefuseCmd struct{ claimsArgs }

// Run refuses claims.
func (c *claimRefuseCmd) Run() error { return c.answer("refuse", "was refused") }
