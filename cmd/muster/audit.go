package main

import (
	"fmt"
	"log/slog"

	"muster/internal/store"
)

type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Walk the audit trail, whether or not the server runs, and name the first record that is not as it was written. Changes nothing."`
}

type auditVerifyCmd struct {
	Head string `placeholder:"COUNT:HASH" help:"Head that the trail had before, as printed by this command or logged by the server. Tells whether the end was cut off, or all written anew."`
	place
}

// Run verifies the audit trail.
func (c *auditVerifyCmd) Run() error {
	ctx, stop := interruptible()
	defer stop()
	var expect *store.Head
	if c.Head != "" {
		head, err := store.ParseHead(c.Head)
		if err != nil {
			return fmt.Errorf("--head: %w", err)
		}
		expect = &head
	}
	where, bar := c.place.place(newLog(slog.LevelWarn)), newBar("verify")
	v, err := where.VerifyAudits(ctx, expect, bar.show)
	bar.end()
	if err != nil {
		return outcome(ctx, fmt.Errorf("verify the audit trail: %w", err))
	}
	fmt.Printf("All %d audit records fit. The head is\n%s\n", v.Head.Count, v.Head)
	if v.Pending > 0 {
		fmt.Printf("%d more are not part of the trail yet; a running server adds them within a second.\n", v.Pending)
	}
	if !v.Guarded {
		fmt.Println("The database would let them be changed: triggers are missing. The next start of the server makes them.")
	}
	return nil
}
