package trail

import (
	"context"
	"errors"
	"sync"
	"time"

	"muster/internal/desk"
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

// A Verifier walks along the audit trail of a desk.
type Verifier struct {
	desk      *desk.Desk
	testimony func() *witness.Testimony // reads what this node saw of the trail, nil when nobody keeps that

	mu   sync.Mutex
	last Verification // whose Begun is zero when there was none
}

// NewVerifier returns a verifier. Testimony reads what this node saw of the trail, nil when nobody keeps that.
func NewVerifier(d *desk.Desk, testimony func() *witness.Testimony) *Verifier {
	return &Verifier{desk: d, testimony: testimony}
}

// Last returns how the last verification of the audit trail on this node
// went, or how far it is.
func (v *Verifier) Last() Verification {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.last
}

// Start begins to walk the audit trail in the background, unless that is
// under way. It changes nothing, so administrators who may only read may do it.
func (v *Verifier) Start(who desk.Caller) error {
	if who.User != nil && who.User.Role != inventory.Administrator {
		return desk.Refuse(desk.Forbidden, "a %s may not verify the audit trail", message.Word(who.User.Role))
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.last.Running {
		return nil
	}
	v.last = Verification{Running: true, Begun: v.desk.Now()}
	v.desk.Background(v.verify)
	return nil
}

func (v *Verifier) verify(ctx context.Context) {
	verified, vouched, err := v.walk(ctx)
	v.mu.Lock()
	defer v.mu.Unlock()
	last := &v.last
	last.Running, last.Ended, last.Head, last.Guarded = false, v.desk.Now(), verified.Head, verified.Guarded
	last.Vouched = vouched
	if _, misfit := errors.AsType[*store.Misfit](err); misfit || witness.Remedy(err) != "" {
		last.Misfit = message.Of(err)
		v.desk.Log().Error("the audit trail does not fit", "error", err)
	} else if err != nil {
		last.Failed = true
		v.desk.Log().Warn("the audit trail could not be verified", "error", err)
	}
}

// walk verifies the trail, and reports whether what this node saw vouches for
// its end.
func (v *Verifier) walk(ctx context.Context) (verified store.Verified, vouched bool, err error) {
	var saw *witness.Testimony
	if v.testimony != nil {
		saw = v.testimony() // first: the trail goes on meanwhile
	}
	if err := v.desk.Complete(ctx, inventory.Audits.Schema); err != nil {
		return verified, false, err
	}
	verified, err = v.desk.Store().Verify(ctx, inventory.Audits.Schema,
		store.Walk{Progress: func(_ string, done, total int64) {
			v.mu.Lock()
			defer v.mu.Unlock()
			v.last.Done, v.last.Total = done, total
		}})
	if err != nil || saw == nil {
		return verified, false, err
	}
	judged, err := saw.Judge(ctx, v.desk.Store(), verified)
	return verified, err == nil && judged.Doubt == "", err
}
