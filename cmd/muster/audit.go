package main

import (
	"fmt"
	"log/slog"

	"muster/internal/server"
	"muster/internal/store"
	"muster/internal/witness"
)

// unvouched is the exit status of a verification that found nothing wrong, and
// nothing that vouches for the end of the trail.
const unvouched = 3

type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Check all audit records, whether or not the server is running, and name the first one that was altered. Also print what vouches for the end of the trail: audit.head in the data folder, --head, or nothing. It changes nothing. The exit status is 0 if all is right and something vouches for the end, 1 if something is wrong, and 3 if all is right but nothing vouches for the end."`
	Accept auditAcceptCmd `cmd:"" help:"Accept an audit trail that does not match audit.head, for example after a failover that lost changes. The old file is kept, and the trail gets a record of this. It applies to the database and the data folder of this node."`
	Key    auditKeyCmd    `cmd:"" help:"Print the public key that verifies the signature of audit.head, in PEM."`
}

type auditVerifyCmd struct {
	Head string `placeholder:"COUNT:HASH" help:"Earlier head of the trail, as printed by this command or logged by the server. Besides audit.head, it shows whether records were cut off at the end or the whole trail was rewritten."`
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
		return outcome(ctx, fmt.Errorf("verify the audit trail: %w", withRemedy(err)))
	}
	fmt.Printf("All %d audit records fit. The head is\n%s\n", v.Head.Count, v.Head)
	if v.Pending > 0 {
		fmt.Printf("%d more are not part of the trail yet; a running server adds them within a second.\n", v.Pending)
	}
	if !v.Guarded {
		fmt.Println("The database would let them be changed: triggers are missing. The next start of the server makes them.")
	}
	return printVouched(v, expect)
}

// withRemedy adds what to do about a trail that is not the one that the node saw.
func withRemedy(err error) error {
	if remedy := witness.Remedy(err); remedy != "" {
		return fmt.Errorf("%w. %s", err, remedy)
	}
	return err
}

// printVouched says what vouches for the end of the trail. Nothing is an error.
func printVouched(v server.Audited, expect *store.Head) error {
	if v.Text != "" {
		fmt.Printf("%s.\n", v.Text)
	}
	if expect != nil {
		fmt.Printf("The given head vouches for the first %d.\n", expect.Count)
	}
	if v.Doubt != "" && (expect == nil || expect.Count < v.Head.Count) {
		return &status{unvouched, fmt.Errorf("nothing vouches for the end of the audit trail: %s", v.Doubt)}
	}
	return nil
}

type auditAcceptCmd struct{ place }

// Run accepts the audit trail as it is.
func (c *auditAcceptCmd) Run() error {
	ctx, stop := interruptible()
	defer stop()
	where := c.place.place(newLog(slog.LevelError + 1)) // what is wrong is about to be accepted
	accepted, err := where.AcceptTrail(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("Accepted: %s.\nThe former file is kept as %s. The head is now\n%s\n", accepted.What, accepted.Kept,
		accepted.Head)
	return nil
}

type auditKeyCmd struct{ place }

// Run prints the public key.
func (c *auditKeyCmd) Run() error {
	where := c.place.place(newLog(slog.LevelWarn))
	key, err := where.AuditKey()
	if err == nil {
		fmt.Print(key)
	}
	return err
}
