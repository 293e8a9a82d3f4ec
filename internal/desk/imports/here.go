package imports

import (
	"context"
	"errors"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// Here returns the service for a command: what it begins is done by this process, whether or not that does other jobs, and
// has ended when the method returns. Progress is called with how many rows are done. When the context ends meanwhile, or
// the job would have to be tried again, what was written is taken back.
func (s *Service) Here(who desk.Caller, progress func(done, total int)) *Service {
	here := *s
	here.begin = func(ctx context.Context, id int64, n jobs.Job, busy error) error {
		defer s.watch(ctx, who, id, progress)()
		j, err := s.jobs.SubmitHere(ctx, id, n, busy)
		if err == nil && (j.State == queue.Draft || j.State.Ended()) {
			return nil
		}
		return errors.Join(ctx.Err(), err, s.abandon(context.WithoutCancel(ctx), who, id))
	}
	here.back = s.jobs.BeginHere
	here.again = func(ctx context.Context, who desk.Caller, id int64) error {
		if err := s.jobs.TakeOver(ctx, who, id); err != nil {
			return err
		}
		return s.jobs.Finish(ctx, id)
	}
	return &here
}

// watchEvery is how often progress is reported.
const watchEvery = 200 * time.Millisecond

// watch reports the progress of an import until it is told to end.
func (s *Service) watch(ctx context.Context, who desk.Caller, id int64, progress func(done, total int)) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if st, err := s.Of(ctx, who, id); err == nil {
				progress(st.Done, st.Total)
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// abandon stops an import that was interrupted, and takes back what was written.
func (s *Service) abandon(ctx context.Context, who desk.Caller, id int64) error {
	if err := s.Stop(ctx, who, id); err != nil {
		return err
	}
	var back queue.Job
	err := s.desk.Store().Read(ctx, func(tx *store.Tx) (err error) {
		back, err = queue.With(ctx, tx, backKey(id))
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil // nothing was written
	}
	if err == nil {
		err = s.jobs.Finish(ctx, back.ID)
	}
	return err
}
