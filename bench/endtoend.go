package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"muster/bench/result"
)

// Each side of a round is driven for windowTime by so many connections, after
// a few requests that do not count.
const (
	windowTime  = 200 * time.Millisecond
	connections = 4
	warmUp      = 10 // a connection
)

// benchServers measures the real server on each database beside the ceiling.
func benchServers(ctx context.Context, s *settings, r *result.Run) error {
	if err := benchDatabase(ctx, s, r, result.SQLite, openSQLiteRun); err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	if os.Getenv(postgresVariable) == "" {
		const note = "PostgreSQL was not measured: " + postgresVariable +
			" is not set; use make bench, or scripts/with-postgres."
		if !slices.Contains(r.Notes, note) {
			r.Notes = append(r.Notes, note)
		}
		return nil
	}
	if err := benchDatabase(ctx, s, r, result.Postgres, openPostgresRun); err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	return nil
}

// A databaseRun is a filled database while it is being measured.
type databaseRun struct {
	name  string
	order order
	cpu   func(context.Context) (time.Duration, error) // of the database's own processes
	close func()
}

func openSQLiteRun(ctx context.Context, s *settings) (*databaseRun, error) {
	data, remove, err := sqliteData(ctx, s.data, s.size, s.reading)
	if err != nil {
		return nil, err
	}
	none := func(context.Context) (time.Duration, error) { return 0, nil }
	return &databaseRun{result.SQLite, order{Data: data}, none, remove}, nil
}

func openPostgresRun(ctx context.Context, s *settings) (*databaseRun, error) {
	data, err := os.MkdirTemp(s.data, passing+"run-")
	if err != nil {
		return nil, err
	}
	remove := func() { _ = os.RemoveAll(data) } // a rest does no harm
	p, err := openPostgres(ctx, os.Getenv(postgresVariable))
	if err != nil {
		remove()
		return nil, err
	}
	run := &databaseRun{result.Postgres, order{Data: data, Database: p.address}, p.cpu, func() { p.close(); remove() }}
	if err := p.fill(ctx, s.data, data, s.size); err != nil {
		run.close()
		return nil, err
	}
	return run, nil
}

// benchDatabase measures all chosen operations on one database.
func benchDatabase(ctx context.Context, s *settings, r *result.Run, name string, open func(context.Context,
	*settings) (*databaseRun, error)) error {
	read := slices.Concat(computerLists(), walks(s.size), nearUniqueLists(), firstUses(), reads(s.size), freshReads(s.size),
		rowReads(s.size))
	write := slices.Concat(writes(s.size), rowWrites(s.size))
	groups := [][]*contest{chosen(s, name, read), chosen(s, name, pages(s.size)), chosen(s, name, write)}
	beside := besides(s, name)
	in, begin, peak, work := newIngest(s, name), newStart(s, name), newMemory(s, name), newWork(s, name)
	bulk, cold := newAftermaths(s, name), newCold(s, name)
	s.reading = len(groups[1])+len(groups[2])+len(beside) == 0 && len(in.chosen())+len(bulk)+len(cold) == 0 && work == nil // a session is a change
	if s.reading && len(groups[0]) == 0 && begin == nil && peak == nil {
		return nil
	}
	progress("%s: prepare %d computers", name, s.size)
	if err := openRoot(s.data); err != nil {
		return err
	}
	db, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer db.close()
	if begin != nil {
		r.Comparisons = append(r.Comparisons, begin)
		if err := benchStart(ctx, s, db, begin); err != nil {
			return fmt.Errorf("start: %w", err)
		}
	}
	if peak != nil {
		r.Comparisons = append(r.Comparisons, peak)
		if err := benchMemory(ctx, s, db, peak); err != nil {
			return fmt.Errorf("memory: %w", err)
		}
	}
	if err := benchCold(ctx, s, r, db, cold); err != nil {
		return fmt.Errorf("cold start: %w", err)
	}
	if err := benchAftermaths(ctx, s, r, db, bulk); err != nil {
		return fmt.Errorf("after bulk work: %w", err)
	}
	if err := benchRequests(ctx, s, r, db, groups, beside, in); err != nil || work == nil {
		return err
	}
	r.Works = append(r.Works, work.Work)
	return work.bench(ctx, s, db)
}

// benchRequests measures requests to the server, those of a group in turn, and
// then reports.
func benchRequests(ctx context.Context, s *settings, r *result.Run, db *databaseRun, groups [][]*contest,
	beside []*beside, in *ingest) error {
	a, err := openArena(ctx, s, db)
	if err != nil {
		return err
	}
	defer a.close()
	for _, group := range groups {
		if err := a.rounds(ctx, group); err != nil {
			return err
		}
		for _, c := range group {
			r.Comparisons = append(r.Comparisons, c.Comparison)
		}
	}
	for _, b := range beside {
		if err := a.benchBeside(ctx, b); err != nil {
			return err
		}
		for _, c := range b.contests {
			r.Comparisons = append(r.Comparisons, c.Comparison)
		}
	}
	r.Comparisons = append(r.Comparisons, in.chosen()...)
	return in.bench(ctx, a)
}

// A contest is an operation with what was found about it.
type contest struct {
	operation
	*result.Comparison
	next atomic.Int64 // the next request, over all rounds: none is made twice
}

// comparison returns one without figures, of an operation on a database of the
// present size.
func (s *settings) comparison(database, operation, rival string) *result.Comparison {
	return &result.Comparison{Name: fmt.Sprintf("%s %d %s", database, s.size, operation), Rival: rival, Computers: s.size}
}

// chosen returns the contests of the operations that are to be measured.
func chosen(s *settings, database string, operations []operation) []*contest {
	var out []*contest
	for _, o := range operations {
		c := s.comparison(database, o.name, cmp.Or(o.rival, "fixed body"))
		c.Goals = o.goals.On(database)
		if s.only.MatchString(c.Name) {
			out = append(out, &contest{operation: o, Comparison: c})
		}
	}
	return out
}

// An arena is the server and the ceiling, both running.
type arena struct {
	settings *settings
	window   time.Duration // how long one side of a round is driven
	db       *databaseRun
	muster   *process
	fixed    *process
	folder   string // of the ceiling
	cookie   string // see session
	basic    string // see agentCredentials
}

func openArena(ctx context.Context, s *settings, db *databaseRun) (a *arena, err error) {
	a = &arena{settings: s, window: cmp.Or(s.window, windowTime), db: db}
	if a.folder, err = os.MkdirTemp(s.data, passing+"fixed-"); err != nil {
		return nil, err
	}
	if err = a.startServer(ctx); err == nil {
		a.fixed, err = start(ctx, order{Fixed: true, Data: a.folder})
	}
	if err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// restart ends the server and starts it again.
func (a *arena) restart(ctx context.Context) error {
	a.muster.stop()
	return a.startServer(ctx)
}

// startServer starts the server.
func (a *arena) startServer(ctx context.Context) (err error) {
	ours := a.db.order
	ours.Observe = a.settings.observe
	a.muster, err = start(ctx, ours)
	return err
}

func (a *arena) close() {
	for _, p := range []*process{a.muster, a.fixed} {
		if p != nil {
			p.stop()
		}
	}
	_ = os.RemoveAll(a.folder) // a rest does no harm
}

// rounds measures contests in turn, round after round, so that a slow moment of
// the machine hits one round of each rather than all rounds of one. What fails is
// not tried again, and says so: the others take long.
func (a *arena) rounds(ctx context.Context, group []*contest) error {
	for round := range a.settings.rounds {
		for _, c := range group {
			if round == 0 {
				progress("%s", c.Name)
			}
			if c.Failed != "" {
				continue
			}
			if err := a.round(ctx, c); ctx.Err() != nil {
				return ctx.Err()
			} else if err != nil {
				progress("%s: %v", c.Name, err)
				c.Fail(err)
			}
		}
	}
	return nil
}

// prepare lets the operation find out or make what it needs.
func (c *contest) prepare(ctx context.Context, a *arena) error {
	if c.ready == nil {
		return nil
	}
	return c.ready(ctx, a, c.Comparison)
}

// round measures both sides of a contest once. The ceiling reads the same
// requests and answers with as many bytes.
func (a *arena) round(ctx context.Context, c *contest) error {
	if err := c.prepare(ctx, a); err != nil {
		return fmt.Errorf("prepare a round: %w", err)
	}
	like, err := a.like(ctx, c)
	if err != nil {
		return err
	}
	ours, _, err := a.drive(ctx, a.muster, like)
	if err != nil {
		return err
	}
	theirs, err := a.theirs(ctx, c, ours)
	if err != nil {
		return err
	}
	add(c.Comparison, ours, theirs)
	return nil
}

// like returns what makes the requests of a contest.
func (a *arena) like(ctx context.Context, c *contest) (d driver, err error) {
	d = driver{status: c.status, count: c.count, window: a.window, fresh: c.fresh,
		next: func() request { return c.make(c.next.Add(1) - 1) }}
	if c.session {
		d.cookie, err = a.session(ctx)
	}
	if c.agent {
		d.basic, err = a.agentCredentials(ctx)
	}
	return d, err
}

// theirs measures the other side of a round, whose own side is done.
func (a *arena) theirs(ctx context.Context, c *contest, ours result.Sample) (out result.Sample, err error) {
	if c.second != nil {
		var next atomic.Int64
		next.Store(c.next.Load() - int64(connections*c.count))
		out, _, err = a.drive(ctx, a.muster,
			driver{status: c.status, count: c.count, next: func() request { return c.second(next.Add(1) - 1) }})
		return out, err
	}
	same := c.make(0)
	same.target = fmt.Sprintf("/%d", int(ours.Bytes))
	if out, _, err = a.drive(ctx, a.fixed,
		driver{status: http.StatusOK, window: a.window, fresh: c.fresh, next: func() request { return same }}); err != nil {
		return out, fmt.Errorf("the ceiling: %w", err)
	}
	return out, nil
}

// use returns what a process has used, and if it is the server, its database too.
func (a *arena) use(ctx context.Context, p *process) (use, error) {
	used, err := p.use()
	if err != nil || p != a.muster {
		return used, err
	}
	used.Database, err = a.db.cpu(ctx)
	return used, err
}
