package trail

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/queue"
	"muster/internal/witness"
)

// VerifyHandler is the name of the jobs that verify the audit trail.
const VerifyHandler = "verify-trail"

// A Verification is a walk along the audit trail, as muster audit verify does it, by a job.
type Verification struct {
	Job         int64 // 0 when there was none
	State       queue.State
	Done, Total int64 // records
	Node        string
	Begun       time.Time
	Ended       time.Time    // zero while it is under way
	Fault       message.Text // why it came to no end, or is tried again
	Finding
}

// A Finding is what a walk along the audit trail has found, as its job notes it.
type Finding struct {
	Records int64        `json:"records"`         // that fit
	Guarded bool         `json:"guarded"`         // the database refuses to change the trail
	Vouched bool         `json:"vouched"`         // what the node saw that walked vouches for the end
	Misfit  message.Text `json:"misfit,omitzero"` // what does not fit, nothing when all does
}

// A Verifier walks along the audit trail of a desk.
type Verifier struct {
	desk      *desk.Desk
	jobs      *jobs.Service
	testimony func() *witness.Testimony
}

// NewVerifier returns a verifier, whose jobs do the work. Testimony reads what this node saw of the trail.
func NewVerifier(d *desk.Desk, j *jobs.Service, testimony func() *witness.Testimony) *Verifier {
	v := &Verifier{d, j, testimony}
	j.Handle(&jobs.Handler{Name: VerifyHandler, Do: v.do, Said: verified, Anew: true,
		Title: func([]byte) message.Text { return message.New("Verify the audit trail") }})
	return v
}

// verified says what a job has found.
func verified(note []byte) message.Text {
	var f Finding
	if err := json.Unmarshal(note, &f); err != nil || f.Records == 0 {
		return message.Text{}
	}
	said := []message.Text{message.New("%s fit", message.Count{N: f.Records, Noun: "audit record"})}
	if !f.Guarded {
		said = append(said, message.New("the database would let them be changed"))
	}
	if !f.Vouched {
		said = append(said, message.New("nothing vouches for the end"))
	}
	return message.Joined(said, "; ")
}

// Last returns how the last verification of the audit trail went, or how far it is.
func (v *Verifier) Last(ctx context.Context) (last Verification, err error) {
	var j queue.Job
	err = v.desk.Store().View(ctx, func(tx *store.Tx) error {
		if j, err = queue.With(ctx, tx, VerifyHandler); !errors.Is(err, store.ErrNotFound) {
			return err
		}
		ended, err := queue.Last(ctx, tx, []string{VerifyHandler})
		j = ended[VerifyHandler]
		return err
	})
	if err != nil || j.ID == 0 {
		return last, err
	}
	last = Verification{Job: j.ID, State: j.State, Done: j.Done, Total: j.Total, Begun: j.Started, Ended: j.Ended,
		Fault: jobs.Fault(&j)}
	last.Node, _, _ = strings.Cut(j.Node, "/")
	if j.State.Ended() && j.Note != nil {
		err = json.Unmarshal(j.Note, &last.Finding)
	}
	return last, err
}

// Start lets a job walk along the audit trail, unless that is under way. It changes nothing, so administrators who may
// only read may do it.
func (v *Verifier) Start(ctx context.Context, who desk.Caller) error {
	if err := mayVerify(who); err != nil {
		return err
	}
	err := v.desk.Store().Update(ctx, func(tx *store.Tx) error {
		_, _, err := v.jobs.Add(ctx, tx, who, jobs.Job{Handler: VerifyHandler, Key: VerifyHandler})
		return err
	})
	v.jobs.Wake()
	return err
}

// mayVerify returns a refusal for who is no administrator.
func mayVerify(who desk.Caller) error {
	if who.User != nil && who.User.Role != inventory.Administrator {
		return desk.Refuse(desk.Forbidden, "a %s may not verify the audit trail", message.Word(who.User.Role))
	}
	return nil
}

// noteEvery is how often a job notes how far it is.
const noteEvery = 250 * time.Millisecond

// do walks along the audit trail. It begins anew after a restart: how far it was is in the database, which is what is
// doubted.
func (v *Verifier) do(ctx context.Context, r *jobs.Run) error {
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	err := r.Update(ctx, func(tx *store.Tx, _ desk.Caller) error { return r.Note(ctx, tx, 0, 0, Finding{}) })
	if err != nil {
		return err
	}
	var noted time.Time
	found, err := v.walk(ctx, func(_ string, done, total int64) {
		if time.Since(noted) < noteEvery && done < total {
			return
		}
		noted = time.Now()
		err := r.Update(ctx, func(tx *store.Tx, who desk.Caller) error {
			return errors.Join(mayVerify(who), r.Progress(ctx, tx, done, total))
		})
		if err != nil {
			leave(err)
		}
	})
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err != nil {
		return err
	}
	err = r.Update(ctx, func(tx *store.Tx, _ desk.Caller) error {
		return r.Note(ctx, tx, found.Records, found.Records, found)
	})
	if err == nil && !found.Misfit.IsZero() {
		err = &desk.Error{Code: desk.Conflict, Text: found.Misfit} // no further try would find another
	}
	return err
}

// walk verifies the trail and what vouches for its end. That it does not fit is no error.
func (v *Verifier) walk(ctx context.Context, progress func(part string, done, total int64)) (f Finding, err error) {
	saw := v.testimony() // first: the trail goes on meanwhile
	if err := v.desk.Complete(ctx, inventory.Audits.Schema); err != nil {
		return f, err
	}
	walked, err := v.desk.Store().Verify(ctx, inventory.Audits.Schema, store.Walk{Progress: progress})
	f.Records, f.Guarded = walked.Head.Count, walked.Guarded
	if err == nil && saw != nil {
		var judged witness.Vouched
		judged, err = saw.Judge(ctx, v.desk.Store(), walked)
		f.Vouched = err == nil && judged.Doubt == ""
	}
	if _, misfit := errors.AsType[*store.Misfit](err); misfit || witness.Remedy(err) != "" {
		v.desk.Log().Error("the audit trail does not fit", "error", err)
		f.Misfit, err = message.Of(err), nil
	}
	return f, err
}
