package desk

import (
	"context"
	"errors"
	"sync"
	"time"

	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/witness"
)

// A Verification is a walk along the audit trail, as muster audit verify does it.
type Verification struct {
	Running     bool
	Done, Total int64 // records
	Begun       time.Time
	Ended       time.Time // zero while it runs
	Head        store.Head
	Guarded     bool         // the database refuses to change the trail
	Vouched     bool         // what this node saw vouches for the end
	Misfit      message.Text // what does not fit, nothing when all does
	Failed      bool         // it could not be walked to its end, for a reason that the log has
}

// verification is the last walk of this node.
type verification struct {
	mu   sync.Mutex
	last Verification // whose Begun is zero when there was none
}

// Verification returns how the last verification of the audit trail on this node
// went, or how far it is.
func (d *Desk) Verification() Verification {
	d.verification.mu.Lock()
	defer d.verification.mu.Unlock()
	return d.verification.last
}

// VerifyTrail begins to walk the audit trail in the background, unless that is
// under way. It changes nothing, so administrators who may only read may do it.
func (d *Desk) VerifyTrail(who Caller) error {
	if who.User != nil && who.User.Role != inventory.Administrator {
		return Refuse(Forbidden, "a %s may not verify the audit trail", message.Word(who.User.Role))
	}
	d.verification.mu.Lock()
	defer d.verification.mu.Unlock()
	if d.verification.last.Running {
		return nil
	}
	d.verification.last = Verification{Running: true, Begun: d.now()}
	d.background.Go(func() { d.verifyTrail(d.living) })
	return nil
}

func (d *Desk) verifyTrail(ctx context.Context) {
	v, vouched, err := d.walkTrail(ctx)
	d.verification.mu.Lock()
	defer d.verification.mu.Unlock()
	last := &d.verification.last
	last.Running, last.Ended, last.Head, last.Guarded = false, d.now(), v.Head, v.Guarded
	last.Vouched = vouched
	if _, misfit := errors.AsType[*store.Misfit](err); misfit || witness.Remedy(err) != "" {
		last.Misfit = message.Of(err)
		d.log.Error("the audit trail does not fit", "error", err)
	} else if err != nil {
		last.Failed = true
		d.log.Warn("the audit trail could not be verified", "error", err)
	}
}

// walkTrail verifies the trail, and reports whether what this node saw vouches for
// its end.
func (d *Desk) walkTrail(ctx context.Context) (v store.Verified, vouched bool, err error) {
	var saw *witness.Testimony
	if d.testimony != nil {
		saw = d.testimony() // first: the trail goes on meanwhile
	}
	if err := d.Complete(ctx, inventory.Audits.Schema); err != nil {
		return v, false, err
	}
	v, err = d.store.Verify(ctx, inventory.Audits.Schema, store.Walk{Progress: func(_ string, done, total int64) {
		d.verification.mu.Lock()
		defer d.verification.mu.Unlock()
		d.verification.last.Done, d.verification.last.Total = done, total
	}})
	if err != nil || saw == nil {
		return v, false, err
	}
	judged, err := saw.Judge(ctx, d.store, v)
	return v, err == nil && judged.Doubt == "", err
}

// An Installation tells what the desk works on.
type Installation struct {
	Database string // SQLite or PostgreSQL
	Bytes    int64  // of the database
	Head     store.Head
}

// Installation tells administrators what the desk works on.
func (d *Desk) Installation(ctx context.Context, who Caller) (in Installation, err error) {
	if who.User != nil && who.User.Role != inventory.Administrator {
		return in, Refuse(Forbidden, "a %s may not see this", message.Word(who.User.Role))
	}
	in.Database = "SQLite"
	if d.store.Shared() {
		in.Database = "PostgreSQL"
	}
	if in.Head, err = d.Head(ctx); err != nil {
		return in, err
	}
	err = d.store.View(ctx, func(tx *store.Tx) error {
		in.Bytes, err = tx.Size(ctx)
		return err
	})
	return in, err
}
