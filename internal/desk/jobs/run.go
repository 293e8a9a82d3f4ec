package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// A Run is a job while a process does it.
type Run struct {
	service *Service
	job     queue.Job
}

// errStopped ends a job that is to be stopped.
var errStopped = errors.New("the job is stopped")

// ID returns the id of the job.
func (r *Run) ID() int64 { return r.job.ID }

// Payload reads what to do.
func (r *Run) Payload(into any) error { return json.Unmarshal(r.job.Payload, into) }

// Noted reads how far the job was when it was noted last; it leaves what it is given where nothing was noted.
func (r *Run) Noted(into any) error {
	if r.job.Note == nil {
		return nil
	}
	return json.Unmarshal(r.job.Note, into)
}

// Change runs f in a transaction in which the process still has the job, and in which its user may still do something;
// else f is not run, and the error ends the job. Updating runs the transaction, such as that of desk.Updating.
func (r *Run) Change(ctx context.Context, updating func(context.Context, func(*store.Tx) error) error,
	f func(tx *store.Tx, who desk.Caller) error) error {
	return updating(ctx, func(tx *store.Tx) error {
		if err := r.confirm(ctx, tx); err != nil {
			return err
		}
		who, err := r.caller(ctx, tx)
		if err != nil {
			return err
		}
		return f(tx, who)
	})
}

// Update is Change of what concerns no kind of its own.
func (r *Run) Update(ctx context.Context, f func(tx *store.Tx, who desk.Caller) error) error {
	return r.Change(ctx, r.service.desk.Store().Update, f)
}

// confirm makes sure that the process still has the job.
func (r *Run) confirm(ctx context.Context, tx *store.Tx) error {
	stopping, err := queue.Confirm(ctx, tx, &r.job, r.service.desk.Now().Add(lease))
	if err == nil && stopping {
		err = errStopped
	}
	return err
}

// caller returns on whose behalf the job is done.
func (r *Run) caller(ctx context.Context, tx *store.Tx) (who desk.Caller, err error) {
	who.Origin = r.job.Origin
	if r.job.UserID == 0 {
		return who, nil
	}
	user := &inventory.User{}
	user.ID = r.job.UserID
	if who.User, err = desk.PresentUser(ctx, tx, user); err != nil {
		if _, gone := errors.AsType[*desk.Error](err); gone {
			err = desk.Refuse(desk.Forbidden, "the user who asked for it does not exist any more")
		}
		return who, err
	}
	if who.User.Disabled.V {
		err = desk.Refuse(desk.Forbidden, "the user %s is disabled", who.User.Email)
	}
	return who, err
}

// Caller returns on whose behalf the job is done, for what only reads.
func (r *Run) Caller(ctx context.Context) (who desk.Caller, err error) {
	err = r.Update(ctx, func(_ *store.Tx, now desk.Caller) error {
		who = now
		return nil
	})
	return who, err
}

// Note stores, in a transaction of the job, how far it is: so many of its steps, and what it needs to go on from there.
func (r *Run) Note(ctx context.Context, tx *store.Tx, done, total int64, note any) error {
	document, err := json.Marshal(note)
	if err != nil {
		return err
	}
	return r.note(ctx, tx, done, total, document)
}

// Progress is Note of a job that needs no more than its steps.
func (r *Run) Progress(ctx context.Context, tx *store.Tx, done, total int64) error {
	return r.note(ctx, tx, done, total, r.job.Note)
}

// note stores how far the job is. One that has come further than in its earlier tries has all its tries again.
func (r *Run) note(ctx context.Context, tx *store.Tx, done, total int64, document []byte) error {
	if done > r.job.Done && !r.service.anew(&r.job) {
		r.job.Tries = 1
	}
	j := r.job
	j.Done, j.Total, j.Note = done, total, document
	return queue.Note(ctx, tx, &j)
}

// ClearSteps removes the steps of the job.
func (r *Run) ClearSteps(ctx context.Context) error { return r.clear(ctx, r.job.ID, queue.ClearSteps) }

// ClearFileOf removes the file of another job.
func (r *Run) ClearFileOf(ctx context.Context, id int64) error {
	return r.clear(ctx, id, queue.ClearFile)
}

// clear removes what a job has much of, in transactions of this one.
func (r *Run) clear(ctx context.Context, id int64, parts ...func(context.Context, *store.Tx, int64) (bool, error)) error {
	return inParts(ctx, func(ctx context.Context, f func(*store.Tx) error) error {
		return r.Update(ctx, func(tx *store.Tx, _ desk.Caller) error { return f(tx) })
	}, id, parts...)
}

// do does a job that this process has, and removes what it leaves of no use.
func (s *Service) do(ctx context.Context, j queue.Job) {
	r := &Run{service: s, job: j}
	r.do(ctx)
	s.leave(ctx, &r.job)
}

// do does the job until it ends, is lost or is to be stopped, and stores how it ended.
func (r *Run) do(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, id := r.service, r.job.ID
	s.note(id, cancel)
	defer s.note(id, nil)
	go r.renew(ctx, cancel)
	err := r.call(ctx)
	if end := r.end(ctx, err); end != nil && !errors.Is(end, queue.ErrLost) {
		s.desk.Log().Error("the end of a job was not stored; it is tried again", "job", id, "handler", r.job.Handler, "error", end)
	}
}

// anew reports whether each try of a job does all of it again.
func (s *Service) anew(j *queue.Job) bool {
	h := s.handlers[j.Handler]
	return h != nil && h.Anew
}

// leave removes what is of no use of a job that came to nothing. Where it can't be done now, tidy does it.
func (s *Service) leave(ctx context.Context, j *queue.Job) {
	if !s.anew(j) || !j.State.Ended() || j.State == queue.Done {
		return
	}
	err := inParts(ctx, s.desk.Store().Update, j.ID, ifEnded(queue.ClearSteps), ifEnded(queue.ClearFile))
	if err != nil {
		s.desk.Log().Warn("what a job has left is removed later", "job", j.ID, "handler", j.Handler, "error", err)
	}
}

// note keeps what ends a job of this process, nil for nothing more.
func (s *Service) note(id int64, cancel context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel == nil {
		delete(s.running, id)
		return
	}
	s.running[id] = cancel
}

// call calls the handler, also of a job that this version does not know.
func (r *Run) call(ctx context.Context) (err error) {
	defer func() {
		if v := recover(); v != nil {
			r.service.desk.Log().Error("a job has made the program fail", "job", r.job.ID, "handler", r.job.Handler, "panic", v,
				"stack", string(debug.Stack()))
			err = fmt.Errorf("the program has failed: %v", v)
		}
	}()
	h := r.service.handlers[r.job.Handler]
	if h == nil {
		return fmt.Errorf("this version knows no jobs %q", r.job.Handler)
	}
	if r.service.anew(&r.job) {
		if err := r.clear(ctx, r.job.ID, queue.ClearSteps, queue.ClearFile); err != nil {
			return err
		}
	}
	if r.job.Tries > MostTries { // no try has come to an end, not even with an error
		return desk.Refuse(desk.Conflict, "the server has ended %d times while it did this", int64(MostTries))
	}
	return h.Do(ctx, r)
}

// renew keeps the lease of a job, and ends the job when it is lost or to be stopped.
func (r *Run) renew(ctx context.Context, cancel context.CancelFunc) {
	tick := time.NewTicker(renewEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := r.service.desk.Store().Update(ctx, func(tx *store.Tx) error { return r.confirm(ctx, tx) })
		if errors.Is(err, queue.ErrLost) || errors.Is(err, errStopped) {
			cancel()
			return
		}
	}
}

// endTime is how long the end of a job may take to be stored.
const endTime = 10 * time.Second

// end stores what became of a job.
func (r *Run) end(ctx context.Context, err error) error {
	s, left := r.service, ctx.Err() != nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	now := s.desk.Now()
	return s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		stopping, lost := queue.Confirm(ctx, tx, &r.job, now.Add(lease))
		if lost != nil {
			return lost
		}
		state, fault := queue.Done, []byte(nil)
		switch {
		case err == nil:
		case errors.Is(err, ErrPark):
			return queue.Park(ctx, tx, &r.job)
		case stopping:
			state = queue.Stopped
		case left:
			return queue.Release(ctx, tx, &r.job, now)
		default:
			fault = faultOf(err)
			if !IsRefusal(err) && r.job.Tries < MostTries {
				s.log(r, err, "a job is tried again later")
				return queue.Later(ctx, tx, &r.job, now.Add(wait(r.job.Tries)), fault)
			}
			s.log(r, err, "a job has failed")
			state = queue.Failed
		}
		if err := queue.End(ctx, tx, &r.job, state, fault, now); err != nil {
			return err
		}
		return s.ended(ctx, tx, &r.job)
	})
}

// ended lets the handler of a job that has ended do what follows.
func (s *Service) ended(ctx context.Context, tx *store.Tx, j *queue.Job) error {
	if h := s.handlers[j.Handler]; h != nil && h.Ended != nil {
		return h.Ended(ctx, tx, j)
	}
	return nil
}

// log logs what went wrong with a job.
func (s *Service) log(r *Run, err error, what string) {
	s.desk.Log().Warn(what, "job", r.job.ID, "handler", r.job.Handler, "try", r.job.Tries, "error", err)
}

// faultOf returns why a job failed, as it is stored.
func faultOf(err error) []byte {
	text := message.Of(err)
	if invalid, ok := errors.AsType[*kind.Invalid](err); ok {
		text = message.Joined(invalid.Faults, "; ")
	}
	stored, err := json.Marshal(text)
	if err != nil {
		return []byte(text.String())
	}
	return stored
}

// wait returns how long to wait after a try: twice as long each time.
func wait(tries int64) time.Duration {
	if tries > 12 {
		return longWait
	}
	return min(firstWait<<max(tries-1, 0), longWait)
}
