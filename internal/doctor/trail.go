package doctor

import (
	"context"
	"errors"

	"muster/internal/inventory"
	"muster/internal/store"
)

// lastAudits is how many audit records are looked at: muster audit verify looks
// at all of them.
const lastAudits = 1000

// trail looks whether the last audit records are as they were written.
func (e *examiner) trail(ctx context.Context, s *store.Store) {
	const check = "audit trail"
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	v, err := s.Verify(ctx, inventory.Audits.Schema, store.Walk{Last: lastAudits})
	_, misfit := errors.AsType[*store.Misfit](err)
	switch {
	case misfit:
		e.problem(check, "Keep copies of the database and its backups, run muster audit verify, and find out who has changed it.", "%v.", err)
	case err != nil:
		e.problem(check, "Run muster audit verify, and look into the log of the server.", "The audit records cannot be read: %v.", err)
	case !v.Guarded:
		e.warn(check, "Restart muster serve, which makes them.", "Triggers are missing that keep audit records from being changed.")
	default:
		e.ok(check, "The last %d audit records are as they were written.", min(v.Head.Count, lastAudits))
	}
}
