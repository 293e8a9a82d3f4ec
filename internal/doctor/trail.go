package doctor

import (
	"context"
	"errors"

	"muster/internal/inventory"
	"muster/internal/store"
	"muster/internal/witness"
)

// lastAudits is how many audit records are looked at: muster audit verify looks
// at all of them.
const lastAudits = 1000

// trail looks whether the last audit records are as they were written.
func (e *examiner) trail(ctx context.Context, s *store.Store) {
	const check = "audit trail"
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	testimony := e.Testimony() // first: the trail goes on meanwhile
	v, err := s.Verify(ctx, inventory.Audits.Schema, store.Walk{Last: lastAudits})
	_, misfit := errors.AsType[*store.Misfit](err)
	switch {
	case misfit:
		e.problem(check, "Keep copies of the database and its backups, run muster audit verify, and find out who has changed it.", "%v.", err)
	case err != nil:
		e.problem(check, "Run muster audit verify, and look into the log of the server.",
			"The audit records cannot be read: %v.", err)
	case !v.Guarded:
		e.warn(check, "Restart muster serve, which makes them.",
			"Triggers are missing that keep audit records from being changed.")
	default:
		e.ok(check, "The last %d audit records are as they were written.", min(v.Head.Count, lastAudits))
	}
	if err == nil {
		e.trailEnd(ctx, s, testimony, v)
	}
}

// trailEnd looks what vouches for the end of the audit trail.
func (e *examiner) trailEnd(ctx context.Context, s *store.Store, testimony *witness.Testimony, v store.Verified) {
	const check = "audit head"
	vouched, err := testimony.Judge(ctx, s, v)
	switch remedy := witness.Remedy(err); {
	case remedy != "":
		e.problem(check, remedy, "%s.", sentence(err))
	case err != nil:
		e.problem(check, "Run muster audit verify, and look into the log of the server.",
			"The end of the audit trail cannot be looked at: %v.", err)
	case vouched.Doubt != "":
		e.warn(check, "Start muster serve, or run muster audit verify --head with a head from a log that is kept elsewhere.",
			"Nothing vouches for the end of the audit trail: %s.", vouched.Doubt)
	default:
		e.ok(check, "%s of the audit trail.", vouched.Text)
	}
}
