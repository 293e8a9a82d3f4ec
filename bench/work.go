package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"muster/bench/result"
)

// A desk at work: so many technicians click every few seconds, and so many reports of agents come an hour. Its memory
// has a goal at workSize computers on SQLite.
const (
	workTechnicians = 50
	workPause       = 3 * time.Second
	workReports     = 10_000
	workSize        = 100_000
	workResident    = 250 // MB
)

// A work is a desk at work while it is measured.
type work struct {
	*result.Work
	pause time.Duration // between the clicks of a technician, on average
}

// newWork returns a work without figures, nil if it is not to be measured.
func newWork(s *settings, database string) *work {
	name := s.comparison(database, "desk at work", "").Name
	if s.work == 0 || !s.only.MatchString(name) {
		return nil
	}
	w := &work{&result.Work{Name: name, Computers: s.size, Technicians: workTechnicians, Reports: workReports},
		workPause}
	if database == result.SQLite && s.size == workSize {
		w.MaxResident = workResident
	}
	return w
}

// bench measures a desk at work on a server that has just started.
func (w *work) bench(ctx context.Context, s *settings, db *databaseRun) error {
	progress("%s for %v", w.Name, s.work)
	a, err := openArena(ctx, s, db)
	if err != nil {
		return err
	}
	defer a.close()
	plan, err := a.planWork(ctx, w)
	if err != nil {
		return err
	}
	end := make(chan struct{})
	var outcomes []outcome
	var running sync.WaitGroup
	running.Go(func() {
		defer close(end)
		outcomes = carryOut(ctx, plan)
	})
	err = a.watch(ctx, w, end)
	running.Wait()
	w.Actions = actionsOf(outcomes)
	return errors.Join(err, ctx.Err())
}

// watch notes what the server uses until the end, its memory each second.
func (a *arena) watch(ctx context.Context, w *work, end <-chan struct{}) error {
	before, err := a.use(ctx, a.muster)
	if err != nil {
		return err
	}
	began, tick := time.Now(), time.NewTicker(time.Second)
	defer tick.Stop()
	for ended := false; !ended; {
		select {
		case <-end:
			ended = true
		case <-tick.C:
		}
		now, err := a.use(ctx, a.muster)
		if err != nil {
			return err
		}
		used := now.since(before)
		w.Seconds = time.Since(began).Seconds()
		w.CPU, w.DatabaseCPU = 100*used.CPU.Seconds()/w.Seconds, 100*used.Database.Seconds()/w.Seconds
		w.Resident = max(w.Resident, float64(used.Resident)/(1<<20))
	}
	return nil
}

// A step is what somebody does at a time of the plan.
type step struct {
	at      time.Duration
	name    string
	do      func(ctx context.Context) error
	lasting bool // it takes as long as it should, so its time means nothing
}

// An outcome is what became of a step.
type outcome struct {
	name string
	took time.Duration // from when it was planned
	err  error
}

// carryOut begins each step when it is planned, whether or not those before it are done: who waits for a slow server
// does not spare it anything.
func carryOut(ctx context.Context, plan []step) []outcome {
	outcomes, began := make([]outcome, len(plan)), time.Now()
	var running sync.WaitGroup
	for i, t := range plan {
		due := began.Add(t.at)
		select {
		case <-time.After(time.Until(due)):
		case <-ctx.Done():
			running.Wait()
			return outcomes[:i]
		}
		running.Go(func() {
			err := t.do(ctx)
			outcomes[i] = outcome{t.name, time.Since(due), err}
			if t.lasting {
				outcomes[i].took = 0
			}
		})
	}
	running.Wait()
	return outcomes
}

// errLimit is the error of a request that a limit refuses, with 429 or 503.
var errLimit = errors.New("a limit refuses the request")

// actionsOf returns the sorts of actions that there were, by name.
func actionsOf(outcomes []outcome) (all []*result.Action) {
	times := map[*result.Action][]float64{}
	for _, o := range outcomes {
		i := slices.IndexFunc(all, func(a *result.Action) bool { return a.Name == o.name })
		if i < 0 {
			i, all = len(all), append(all, &result.Action{Name: o.name})
		}
		a := all[i]
		a.Count++
		switch {
		case o.err == nil:
			times[a] = append(times[a], float64(o.took.Microseconds())/1e3)
		case errors.Is(o.err, errLimit):
			a.Refused++
		default:
			a.Failed++
			if a.Fault == "" {
				a.Fault, _, _ = strings.Cut(o.err.Error(), "\n")
			}
		}
	}
	for a, of := range times {
		slices.Sort(of)
		a.P50, a.P99, a.Worst = result.Quantile(of, 0.5), result.Quantile(of, 0.99), of[len(of)-1]
	}
	slices.SortFunc(all, func(a, b *result.Action) int { return strings.Compare(a.Name, b.Name) })
	return all
}
