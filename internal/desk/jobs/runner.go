package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"muster/internal/desk"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// A Daily is what happens by itself once a day, whatever becomes of nodes and clocks.
type Daily struct {
	Handler string
	// At returns at what time of the day, and false while it is not to happen.
	At func() (sinceMidnight time.Duration, on bool)
}

// Daily lets jobs of a handler happen by themselves. It is called before Start.
func (s *Service) Daily(d Daily) { s.dailies = append(s.dailies, d) }

// Start lets this process do jobs, so many at once, until the desk is closed. With none it does none, and plans none.
func (s *Service) Start(atOnce int) {
	if atOnce <= 0 {
		return
	}
	s.desk.Background(func(ctx context.Context) {
		slots := make(chan struct{}, atOnce)
		defer s.waited.Wait()
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		var planned time.Time
		for ctx.Err() == nil {
			if now := s.desk.Now(); now.Sub(planned).Abs() >= time.Minute {
				planned = now
				s.plan(ctx, now)
			}
			s.takeAll(ctx, slots)
			select {
			case <-ctx.Done():
			case <-s.wake:
			case <-tick.C:
			}
		}
	})
}

// Inherit lets the jobs be done at once that a process has left behind, which is known to be dead. Where the database is not
// shared all others are. The jobs of the others wait for the end of their leases.
func (s *Service) Inherit(ctx context.Context, dead string) error {
	if dead == "" && s.desk.Store().Shared() {
		return nil
	}
	err := s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		return queue.Inherit(ctx, tx, dead, s.node, s.desk.Now())
	})
	s.Wake()
	return err
}

// takeAll takes jobs that are due, while there are some and slots for them.
func (s *Service) takeAll(ctx context.Context, slots chan struct{}) {
	for {
		select {
		case slots <- struct{}{}:
		default:
			return // whatever ends a job looks again
		}
		j, err := s.take(ctx)
		if err != nil {
			<-slots
			if !errors.Is(err, store.ErrNotFound) && ctx.Err() == nil {
				s.desk.Log().Debug("no job was taken", "error", err)
			}
			return
		}
		s.waited.Go(func() {
			defer s.Wake()
			defer func() { <-slots }()
			s.do(ctx, j)
		})
	}
}

// taker returns this process as one that takes jobs.
func (s *Service) taker(held []string) queue.Taker {
	return queue.Taker{Node: s.node, Held: held, Lease: lease}
}

// take takes the job that has been due for longest, or returns store.ErrNotFound.
func (s *Service) take(ctx context.Context) (j queue.Job, err error) {
	now, due := s.desk.Now(), false
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		due, err = queue.Due(ctx, tx, now)
		return err
	})
	if err == nil && !due {
		err = store.ErrNotFound
	}
	if err != nil {
		return j, err
	}
	err = s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		held, err := s.held(ctx, tx)
		if err != nil {
			return err
		}
		j, err = queue.Take(ctx, tx, s.taker(held), now)
		return err
	})
	if err == nil {
		s.quiet.forget() // of one that another process has added
	}
	return j, err
}

// held returns the handlers whose jobs are to wait: they are held, or as many of them run as may.
func (s *Service) held(ctx context.Context, tx *store.Tx) (names []string, err error) {
	why, err := heldFor(ctx, tx)
	if err != nil {
		return nil, err
	}
	running, err := queue.RunningOf(ctx, tx, s.desk.Now())
	for name, h := range s.handlers {
		if h.Outside && why != "" || h.AtOnce > 0 && running[name] >= h.AtOnce {
			names = append(names, name)
		}
	}
	return names, err
}

// plan adds the next job of all that happens by itself. Its key is the day, and stays taken after its end: however many
// nodes plan it, and wherever clocks jump, it is done once.
func (s *Service) plan(ctx context.Context, now time.Time) {
	for _, d := range s.dailies {
		err := s.desk.Store().Update(ctx, func(tx *store.Tx) error {
			at, on := d.At()
			if !on {
				return queue.Unplan(ctx, tx, d.Handler)
			}
			due := next(now, at)
			j := queue.Job{Handler: d.Handler, Key: d.Handler + "/" + due.Format(time.DateOnly), Once: true, Origin: "rule",
				Payload: []byte("null"), Created: now, DueAt: due}
			added, err := queue.Add(ctx, tx, &j)
			if err == nil && !added {
				err = queue.Move(ctx, tx, j.ID, due)
			}
			return err
		})
		if err != nil && ctx.Err() == nil {
			s.desk.Log().Warn("what happens by itself was not planned; it is tried again", "handler", d.Handler, "error", err)
		}
	}
}

// next returns when a time of the day comes next.
func next(now time.Time, at time.Duration) time.Time {
	year, month, day := now.Date()
	due := time.Date(year, month, day, 0, 0, int(at/time.Second), 0, now.Location())
	if !due.After(now) {
		due = time.Date(year, month, day+1, 0, 0, int(at/time.Second), 0, now.Location())
	}
	return due
}

// tidySize is how many jobs are removed in one transaction.
const tidySize = 100

// tidy removes the jobs that have ended long ago, what handlers keep for less long of others, and what is left of jobs that
// were removed.
func (s *Service) tidy(ctx context.Context, r *Run) error {
	err := s.eachOld(ctx, "", keptFor, func(ids []int64) error { return s.removeAll(ctx, r, ids) })
	for _, name := range s.Handlers() {
		if h := s.handlers[name]; err == nil && h.Keeps > 0 {
			err = s.eachOld(ctx, name, h.Keeps, func(ids []int64) error { return s.cleanAll(ctx, r, ids) })
		}
	}
	for id := int64(0); err == nil; {
		err = s.desk.Store().View(ctx, func(tx *store.Tx) (err error) {
			id, err = queue.Orphan(ctx, tx, id)
			return err
		})
		if err != nil || id == 0 {
			break
		}
		err = r.clear(ctx, id, queue.ClearSteps, queue.ClearFile)
	}
	if err != nil {
		return fmt.Errorf("remove old jobs: %w", err)
	}
	return nil
}

// eachOld does something with all jobs of a handler that have ended for some time, of all handlers where it has no name.
func (s *Service) eachOld(ctx context.Context, handler string, kept time.Duration, do func(ids []int64) error) error {
	for above := int64(0); ; {
		var ids []int64
		err := s.desk.Store().View(ctx, func(tx *store.Tx) (err error) {
			ids, err = queue.Old(ctx, tx, handler, s.desk.Now().Add(-kept), above, tidySize)
			return err
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := do(ids); err != nil {
			return err
		}
		above = ids[len(ids)-1]
	}
}

// removeAll removes jobs, unless they have been begun again.
func (s *Service) removeAll(ctx context.Context, r *Run, ids []int64) error {
	return r.Update(ctx, func(tx *store.Tx, _ desk.Caller) error {
		for _, id := range ids {
			if err := queue.RemoveEnded(ctx, tx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// cleanAll removes drafts, and the steps and files of jobs that have ended.
func (s *Service) cleanAll(ctx context.Context, r *Run, ids []int64) error {
	for _, id := range ids {
		err := s.clean(ctx, r, id)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return nil
}

// clean removes a draft, or the steps and the file of a job that has ended.
func (s *Service) clean(ctx context.Context, r *Run, id int64) error {
	j, err := s.look(ctx, id)
	switch {
	case err != nil:
		return err
	case j.State == queue.Draft:
		return s.removeAll(ctx, r, []int64{id})
	}
	if needed, err := s.needed(ctx, &j); err != nil || needed {
		return err
	}
	return r.clear(ctx, id, ifEnded(queue.ClearSteps), ifEnded(queue.ClearFile))
}

// needed reports whether the steps and the file of a job are needed for longer than those of others.
func (s *Service) needed(ctx context.Context, j *queue.Job) (needed bool, err error) {
	h := s.handlers[j.Handler]
	if h == nil || h.Needed == nil {
		return false, nil
	}
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		needed, err = h.Needed(ctx, tx, j)
		return err
	})
	return needed, err
}

// ifEnded leaves what belongs to a job that was begun again.
func ifEnded(clear func(context.Context, *store.Tx, int64) (bool, error)) func(context.Context, *store.Tx, int64) (bool, error) {
	return func(ctx context.Context, tx *store.Tx, id int64) (more bool, err error) {
		j, err := queue.Look(ctx, tx, id)
		if err != nil || !j.State.Ended() {
			return false, err
		}
		return clear(ctx, tx, id)
	}
}
