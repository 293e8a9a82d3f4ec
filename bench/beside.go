package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"muster/bench/result"
)

// besideSizes are the numbers of computers of the databases with which all tasks are measured beside writers.
var besideSizes = []int{10_000, besideSize, 1_000_000}

// besideSize is the one with which all pages and lists are, and have goals, besideWindow how long one side of a round is
// driven, and besideReaders over how many connections: more would take all that a small machine has, and wait for each
// other.
const (
	besideSize    = 100_000
	besideWindow  = 500 * time.Millisecond
	besideReaders = 1
)

// A writing is how much is written beside reads, and what these are held to: times their own CPU time and p99 while
// nobody writes.
type writing struct {
	name  string
	rate  int // changes of computers a second, and as many of tickets
	goals result.Goals
}

var writings = []writing{
	{"beside 40 writes a second", 20, result.Goals{Aim: "reads beside 40 writes a second", Within: 1.5, MaxSlower: 3}},
	{"beside 200 writes a second", 100, result.Goals{Aim: "reads beside 200 writes a second", Within: 2.5}},
}

// A beside is the reads that are measured beside some writing.
type beside struct {
	writing
	contests []*contest
}

// besides returns what is to be measured beside writers.
func besides(s *settings, database string) (all []*beside) {
	if !slices.Contains(s.beside, s.size) {
		return nil
	}
	for _, w := range writings {
		b := &beside{writing: w}
		for _, o := range besideOperations(s.size) {
			c := s.comparison(database, o.name+", "+w.name, "while nobody writes")
			if s.size == besideSize && !o.changes {
				c.Goals = w.goals
			}
			if s.only.MatchString(c.Name) {
				b.contests = append(b.contests, &contest{operation: o, Comparison: c})
			}
		}
		if len(b.contests) > 0 {
			all = append(all, b)
		}
	}
	return all
}

// besideOperations are the tasks, and with besideSize computers all pages, and a list of computers with each filter.
func besideOperations(n int) []operation {
	all := taskOperations(n)
	if n != besideSize {
		return all
	}
	reads := pages(n)
	for _, f := range filters(time.Now()) {
		reads = append(reads, listPage(listName(25, f, firstPage), "/hardwares.xml", f.query, 25, firstPage.halves))
	}
	for _, o := range reads {
		if !slices.ContainsFunc(all, func(other operation) bool { return other.name == o.name }) {
			all = append(all, o)
		}
	}
	return all
}

// benchBeside measures reads while others write, each beside itself while nobody does.
func (a *arena) benchBeside(ctx context.Context, b *beside) error {
	for round := range a.settings.rounds {
		cost, err := a.costOfWrites(ctx, b.rate)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		for _, c := range b.contests {
			if round == 0 {
				progress("%s", c.Name)
			}
			if c.Failed != "" {
				continue
			}
			err := a.besideRound(ctx, b.rate, cost, c)
			for again := 1; again < besideTries && errors.Is(err, errPace); again++ {
				err = a.besideRound(ctx, b.rate, cost, c)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				progress("%s: %v", c.Name, err)
				c.Fail(err)
			}
		}
	}
	return nil
}

// costOfWrites returns what a change costs the server while nobody reads.
func (a *arena) costOfWrites(ctx context.Context, rate int) (use, error) {
	ws, err := a.write(ctx, rate)
	if err != nil {
		return use{}, err
	}
	before, err := a.use(ctx, a.muster)
	made := ws.count()
	select {
	case <-time.After(4 * cmp.Or(a.settings.window, besideWindow)):
	case <-ctx.Done():
	}
	if err := errors.Join(err, ws.stop()); err != nil {
		return use{}, err
	}
	after, err := a.use(ctx, a.muster)
	if made = ws.count() - made; made == 0 {
		return use{}, errors.Join(err, errors.New("nothing was written"))
	}
	used := after.since(before)
	return use{CPU: used.CPU / time.Duration(made), Database: used.Database / time.Duration(made)}, err
}

// besideTries is how often a round is measured whose writers fell behind, as when the disk is busy with something else
// for a moment.
const besideTries = 3

// errPace is the error of writers that did not make the changes that were due.
var errPace = errors.New("the writers fell behind")

// besideRound measures a read once while nobody writes and once while others do. What their changes cost by
// themselves is not the read's.
func (a *arena) besideRound(ctx context.Context, rate int, cost use, c *contest) error {
	if err := c.prepare(ctx, a); err != nil {
		return fmt.Errorf("prepare a round: %w", err)
	}
	like, err := a.like(ctx, c)
	if err != nil {
		return err
	}
	like.window, like.connections = cmp.Or(a.settings.window, besideWindow), besideReaders
	quiet, _, err := a.drive(ctx, a.muster, like)
	if err != nil {
		return err
	}
	ws, err := a.write(ctx, rate)
	if err != nil {
		return err
	}
	ws.cost = cost
	like.beside = ws
	busy, _, err := a.drive(ctx, a.muster, like)
	if err := errors.Join(err, ws.stop()); err != nil {
		return err
	}
	add(c.Comparison, busy, quiet)
	return nil
}

// writerConnections are those over which records of a kind are changed.
const writerConnections = 4

// writers change computers and tickets at a steady pace, until they are stopped.
type writers struct {
	made atomic.Int64
	cost use // of a change by itself
	stop func() error
}

// count returns how many changes were made so far.
func (w *writers) count() int64 {
	if w == nil {
		return 0
	}
	return w.made.Load()
}

// write begins to change so many computers a second, and as many tickets.
func (a *arena) write(ctx context.Context, rate int) (*writers, error) {
	w, began := &writers{}, time.Now()
	end := make(chan struct{})
	errs := make(chan error, 2*writerConnections)
	var running sync.WaitGroup
	w.stop = sync.OnceValue(func() (err error) {
		close(end)
		running.Wait()
		close(errs)
		for one := range errs {
			err = errors.Join(err, one)
		}
		due := int64(time.Since(began).Seconds()*float64(rate)) * 2
		if made := w.made.Load(); err == nil && made < due*8/10-writerConnections {
			err = fmt.Errorf("%w: %d changes were made of %d that were due", errPace, made, due)
		}
		return err
	})
	for _, o := range []operation{updateComputer(a.settings.size), updateTicket(a.settings.size)} {
		var next atomic.Int64
		for range writerConnections {
			c, err := dial(ctx, a.muster)
			if err != nil {
				return nil, errors.Join(err, w.stop())
			}
			running.Go(func() {
				defer c.close()
				errs <- w.run(c, &o, &next, rate, began, end)
			})
		}
	}
	return w, nil
}

// run makes changes on a connection, each when it is due.
func (w *writers) run(c *client, o *operation, next *atomic.Int64, rate int, began time.Time, end chan struct{}) error {
	d := &driver{client: c, status: o.status}
	for {
		i := next.Add(1) - 1
		select {
		case <-end:
			return nil
		case <-time.After(time.Until(began.Add(time.Duration(i) * time.Second / time.Duration(rate)))):
		}
		d.next = func() request { return o.make(besideFirst.Add(1)) }
		if err := d.one(); err != nil {
			return err
		}
		w.made.Add(1)
	}
}

// besideFirst counts the changes of all rounds, so that each differs from those before.
var besideFirst atomic.Int64

// updateComputer and updateTicket are the changes that are made.
func updateComputer(n int) operation {
	return operation{status: http.StatusOK, make: func(i int64) request {
		body := fmt.Sprintf("<hardware><notes>Seen at %d</notes></hardware>", i)
		return request{http.MethodPut, fmt.Sprintf("/hardwares/%d.xml", scattered(i, n)), body}
	}}
}

func updateTicket(n int) operation {
	return operation{status: http.StatusOK, make: func(i int64) request {
		body := fmt.Sprintf("<ticket><tag>beside %d</tag></ticket>", i)
		return request{http.MethodPut, fmt.Sprintf("/tickets/%d.xml", scattered(i, n)), body}
	}}
}
