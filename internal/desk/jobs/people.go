package jobs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// Of returns a job that the caller may see: their own, and all for administrators. Nobody is the program itself.
func (s *Service) Of(ctx context.Context, who desk.Caller, id int64) (queue.Job, error) {
	j, err := s.look(ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && !sees(who, &j) {
		return j, desk.Refuse(desk.NotFound, "there is no job %d any more", id)
	}
	return j, err
}

// sees reports whether the caller may see a job.
func sees(who desk.Caller, j *queue.Job) bool {
	return who.User == nil || who.User.Role == inventory.Administrator || j.UserID == who.User.ID
}

// List returns the jobs that a filter finds, and how many there are; those of the caller alone unless they are an
// administrator.
func (s *Service) List(ctx context.Context, who desk.Caller, f queue.Filter) (found []queue.Job, total int64, err error) {
	if who.User != nil && who.User.Role != inventory.Administrator {
		f.UserID = who.User.ID
	}
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		if total, err = queue.Count(ctx, tx, f); err != nil {
			return err
		}
		found, err = queue.List(ctx, tx, f)
		return err
	})
	return found, total, err
}

// People returns the users on whose behalf jobs are done, by their ids. Those who were deleted are not among them.
func (s *Service) People(ctx context.Context, all []queue.Job) (people map[int64]*inventory.User, err error) {
	var ids []int64
	for _, j := range all {
		if j.UserID != 0 && !slices.Contains(ids, j.UserID) {
			ids = append(ids, j.UserID)
		}
	}
	people = map[int64]*inventory.User{}
	if len(ids) == 0 {
		return people, nil
	}
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		found, err := tx.Rows(ctx, inventory.Users.Schema, ids)
		for _, rec := range found {
			people[rec.(*inventory.User).ID] = rec.(*inventory.User)
		}
		return err
	})
	return people, err
}

// RunNow adds a job of what happens by itself, besides the one that waits for its time.
func (s *Service) RunNow(ctx context.Context, who desk.Caller, handler string) (j queue.Job, err error) {
	if !slices.Contains(s.Dailies(), handler) {
		return j, desk.Refuse(desk.NotFound, "there is no job %q that happens by itself; there are %s", handler,
			strings.Join(s.Dailies(), ", "))
	}
	busy := desk.Refuse(desk.Conflict, "the job %s is under way already", handler)
	return s.Begin(ctx, who, Job{Handler: handler, Key: handler + "/now"}, func(tx *store.Tx, _ int64) error {
		if err := s.desk.Administers(ctx, tx, who, "a %s may not start what happens by itself"); err != nil {
			return err
		}
		running, err := queue.Count(ctx, tx, queue.Filter{Handler: handler, State: queue.Running})
		if err == nil && running > 0 {
			err = busy
		}
		return err
	}, busy)
}

// Dailies returns the names of what happens by itself.
func (s *Service) Dailies() (names []string) {
	for _, d := range s.dailies {
		names = append(names, d.Handler)
	}
	return names
}

// Outside reports whether a job reaches beyond the installation, so that it is held while jobs are.
func (s *Service) Outside(j *queue.Job) bool {
	h := s.handlers[j.Handler]
	return h != nil && h.Outside
}

// A Slice is a page of the jobs of a part.
type Slice struct {
	Jobs   []queue.Job
	Totals map[queue.Part]int // of all parts
	People map[int64]*inventory.User
	Held   bool // jobs that reach outside are held, for whatever reason
}

// Slice returns a page of the jobs of a part: of a user, or whose is asked for by an administrator.
func (s *Service) Slice(ctx context.Context, who desk.Caller, p queue.Part, whose queue.Whose, offset, most int,
) (l Slice, err error) {
	if who.User.Role != inventory.Administrator {
		whose = queue.Whose(who.User.ID)
	}
	now := s.desk.Now()
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		l = Slice{Totals: map[queue.Part]int{}}
		for _, part := range []queue.Part{queue.Current, queue.Planned, queue.Troubled, queue.Over} {
			if l.Totals[part], err = queue.CountPart(ctx, tx, part, whose, now); err != nil {
				return err
			}
		}
		why, err := heldFor(ctx, tx)
		if err != nil {
			return err
		}
		l.Held = why != ""
		l.Jobs, err = queue.ListPart(ctx, tx, p, whose, now, offset, most)
		return err
	})
	if err == nil {
		l.People, err = s.People(ctx, l.Jobs)
	}
	return l, err
}

// A Routine is what happens by itself.
type Routine struct {
	Handler string
	Title   message.Text
	At      time.Duration // since midnight
	On      bool
	Last    queue.Job // whose ID is 0 before the first time
}

// Routines returns what happens by itself.
func (s *Service) Routines(ctx context.Context) (all []Routine, err error) {
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		all = nil
		last, err := queue.Last(ctx, tx, s.Dailies())
		for _, d := range s.dailies {
			at, on := d.At()
			all = append(all, Routine{d.Handler, s.handlers[d.Handler].Title(nil), at, on, last[d.Handler]})
		}
		return err
	})
	return all, err
}

// Stop ends a job that the caller may see: at once while it waits, soon while it runs. One that has failed is given up.
func (s *Service) Stop(ctx context.Context, who desk.Caller, id int64) error {
	var j queue.Job
	stop := func(ctx context.Context, tx *store.Tx, id int64, now time.Time) (bool, error) {
		found, err := queue.Stop(ctx, tx, id, now)
		if err == nil && !found {
			return queue.GiveUp(ctx, tx, id)
		}
		if err != nil {
			return false, err
		}
		if j, err = queue.Look(ctx, tx, id); err != nil {
			return false, err
		}
		if h := s.handlers[j.Handler]; h != nil && h.Stopped != nil {
			err = h.Stopped(ctx, tx, who, &j)
		}
		if err == nil && j.State == queue.Stopped {
			err = s.ended(ctx, tx, &j)
		}
		return true, err
	}
	err := s.change(ctx, who, id, desk.Refuse(desk.Conflict, "the job %d has ended already", id), stop)
	s.Wake()
	if err == nil {
		s.leave(ctx, &j)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[id]; err == nil && cancel != nil {
		cancel()
	}
	return err
}

// Retry lets a job that failed, was stopped or waits for its next try go on at once.
func (s *Service) Retry(ctx context.Context, who desk.Caller, id int64) error {
	refusal := desk.Refuse(desk.Conflict,
		"the job %d can't be tried again now: it runs, is done, or another of its kind is under way", id)
	err := s.change(ctx, who, id, refusal, func(ctx context.Context, tx *store.Tx, id int64, now time.Time) (bool, error) {
		return s.retry(ctx, tx, who, id, now)
	})
	if err == nil {
		s.Wake()
	}
	return err
}

// retry lets a job be tried again, unless its handler refuses that.
func (s *Service) retry(ctx context.Context, tx *store.Tx, who desk.Caller, id int64, now time.Time) (bool, error) {
	found, err := queue.Retry(ctx, tx, id, now)
	if err != nil || !found {
		return false, err
	}
	j, err := queue.Look(ctx, tx, id)
	if h := s.handlers[j.Handler]; err == nil && h != nil && h.Retried != nil {
		err = h.Retried(ctx, tx, who, &j)
	}
	return true, err
}

// TakeOver lets a job that has failed or was stopped go on from where it was, on behalf of the caller.
func (s *Service) TakeOver(ctx context.Context, who desk.Caller, id int64) error {
	err := s.change(ctx, who, id, desk.Refuse(desk.Conflict, "the job %d is under way or done", id),
		func(ctx context.Context, tx *store.Tx, id int64, now time.Time) (bool, error) {
			found, err := queue.Retry(ctx, tx, id, now)
			if err != nil || !found {
				return false, err
			}
			user := int64(0)
			if who.User != nil {
				user = who.User.ID
			}
			return true, queue.Hand(ctx, tx, id, user)
		})
	s.Wake()
	return err
}

// change changes the state of a job that the caller may see, or refuses it.
func (s *Service) change(ctx context.Context, who desk.Caller, id int64, refusal error,
	do func(context.Context, *store.Tx, int64, time.Time) (bool, error)) error {
	j, err := s.Of(ctx, who, id)
	if err != nil {
		return err
	}
	if who.User != nil && who.User.ReadOnly.V && j.UserID != who.User.ID {
		return desk.Refuse(desk.Forbidden, "a user who may only read may not change jobs of others")
	}
	return s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		if who.User != nil {
			if _, err := s.desk.CurrentUser(ctx, tx, who); err != nil {
				return err
			}
		}
		found, err := do(ctx, tx, id, s.desk.Now())
		if err == nil && !found {
			err = refusal
		}
		return err
	})
}

// A State is what all jobs come to, for those who operate the installation.
type State struct {
	Numbers []queue.Number           // of those that wait, run or have failed
	Late    map[string]time.Duration // for how long jobs have been due that no process has, by handlers
	Taken   int64                    // that a process has
	Held    bool                     // jobs that reach outside, until somebody lets them go on
}

// State returns what all jobs come to.
func (s *Service) State(ctx context.Context) (state State, err error) {
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		state, err = StateOf(ctx, tx, s.desk.Now())
		return err
	})
	return state, err
}

// StateOf returns what all jobs of a database come to at a time, also to those who have no desk.
func StateOf(ctx context.Context, tx *store.Tx, now time.Time) (state State, err error) {
	if state.Numbers, err = queue.Numbers(ctx, tx); err != nil {
		return state, err
	}
	if state.Late, err = queue.Late(ctx, tx, now); err != nil {
		return state, err
	}
	if state.Taken, err = queue.Count(ctx, tx, queue.Filter{State: queue.Running, After: now}); err != nil {
		return state, err
	}
	why, err := heldFor(ctx, tx)
	state.Held = why == restored
	return state, err
}

// Count returns how many jobs are in a state.
func (s State) Count(state queue.State) (n int64) {
	for _, one := range s.Numbers {
		if one.State == state {
			n += one.Jobs
		}
	}
	return n
}

// Latest returns for how long the job has been due that has waited longest.
func (s State) Latest() (longest time.Duration) {
	for _, one := range s.Late {
		longest = max(longest, one)
	}
	return longest
}
