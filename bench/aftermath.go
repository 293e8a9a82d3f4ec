package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"muster/bench/result"
)

// firstWithin is how many times the CPU time of an update that follows nothing each may take that follows bulk work.
const firstWithin = 2

// A stretch is updates that follow bulk work, counted from 0: the first until before the end.
type stretch struct {
	name       string
	first, end int
}

// stretches are the updates whose costs are shown: what bulk work leaves behind is paid by the first, or now and then.
var stretches = []stretch{
	{"first update", 0, 1}, {"first 10 updates", 0, 10}, {"updates 1 to 100", 0, 100},
	{"updates 101 to 200", 100, 200}, {"updates 201 to 500", 200, 500}, later,
}

// later are the updates with which all others are compared. They are made by tens, the dearest of which is shown too.
var later = stretch{"updates 501 to 1000", 500, 1000}

const tenUpdates, dearestTen = 10, "dearest 10 of 1000 updates"

// An aftermath is the updates that follow some bulk work.
type aftermath struct {
	name        string // of that work
	rounds      int
	started     bool                                                 // the server has just started
	work        func(ctx context.Context, a *arena, round int) error // does it, once a round
	goals       result.Goals
	comparisons []*result.Comparison // as stretches, and the dearest ten
	wanted      []*result.Comparison // those that are to be shown
}

// newAftermaths returns what follows the making of the database, an import, and a start of the server, without
// figures. The last is no bulk work: it shows which part of the first update after the making is that of a server
// that has just started.
func newAftermaths(s *settings, database string) (all []*aftermath) {
	const making = 1 // there is one for each database
	within := result.Goals{Aim: "updates after bulk work", Within: firstWithin}
	for _, m := range []*aftermath{
		{name: "the making", rounds: making, started: true, work: func(ctx context.Context, a *arena, _ int) error {
			return a.rest(ctx)
		}, goals: within},
		{name: "an import", rounds: s.rounds, work: importBulk, goals: within},
		{name: "a start", rounds: s.rounds, started: true, work: func(ctx context.Context, a *arena, _ int) error {
			return errors.Join(a.restart(ctx), a.rest(ctx))
		}},
	} {
		if m.choose(s, database); len(m.wanted) > 0 {
			all = append(all, m)
		}
	}
	return all
}

// choose makes the comparisons, without figures. The dearest ten have no goal: the collector and the search index take
// their time now and then. Nor has the first update of a server that has just started, which reads what all others need
// too: after the making it is to be seen beside the first after a start.
func (m *aftermath) choose(s *settings, database string) {
	for _, of := range append(slices.Clone(stretches), stretch{name: dearestTen}) {
		c := s.comparison(database, of.name+" after "+m.name, "later updates")
		isStart := m.started && of.end == 1
		if database == result.SQLite && of.end > 0 && !isStart {
			c.Goals = m.goals
		}
		m.comparisons = append(m.comparisons, c)
		if s.only.MatchString(c.Name) {
			m.wanted = append(m.wanted, c)
		}
	}
}

// importBulk imports computers that no round before it has imported.
func importBulk(ctx context.Context, a *arena, round int) error {
	t, err := a.signIn(ctx, user)
	if err != nil {
		return err
	}
	defer t.client.CloseIdleConnections()
	return t.importComputers(ctx, fmt.Sprintf("bulk-%d", round))
}

// benchAftermaths measures updates that follow bulk work, those after the making of the database first.
func benchAftermaths(ctx context.Context, s *settings, r *result.Run, db *databaseRun, all []*aftermath) error {
	if len(all) == 0 {
		return nil
	}
	a, err := openArena(ctx, s, db)
	if err != nil {
		return err
	}
	defer a.close()
	var laters []result.Sample
	for _, m := range all {
		progress("%s", m.wanted[0].Name)
		r.Comparisons = append(r.Comparisons, m.wanted...)
		for round := range m.rounds {
			if err := m.round(ctx, a, round); err != nil {
				return fmt.Errorf("%s: %w", m.wanted[0].Name, err)
			}
			laters = append(laters, m.later())
		}
	}
	for _, m := range all {
		m.compare(result.Median(laters))
	}
	return nil
}

// round does bulk work and measures the updates that follow it.
func (m *aftermath) round(ctx context.Context, a *arena, round int) error {
	if err := m.work(ctx, a, round); err != nil {
		return err
	}
	used, err := a.updates(ctx)
	if err != nil {
		return err
	}
	costs := []result.Sample{dearest(used)}
	for i, of := range stretches {
		costs = slices.Insert(costs, i, of.cost(used))
	}
	for i, c := range m.comparisons {
		c.Ours = append(c.Ours, costs[i])
	}
	return nil
}

// later returns what the later updates of the last round have cost.
func (m *aftermath) later() result.Sample {
	ours := m.comparisons[slices.Index(stretches, later)].Ours
	return ours[len(ours)-1]
}

// compare sets all rounds beside later updates: those of any round, since bulk work may burden even these of its own.
func (m *aftermath) compare(later result.Sample) {
	for _, c := range m.comparisons {
		c.Theirs = slices.Repeat([]result.Sample{later}, len(c.Ours))
	}
}

// Before a server is measured that has just started, it is left alone until it uses less than restUse of CPU time in
// restTime, or until restMost.
const (
	restTime = 250 * time.Millisecond
	restUse  = 5 * time.Millisecond
	restMost = 20 * time.Second
)

// rest waits until the server has done what follows its start.
func (a *arena) rest(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < restMost; {
		before, err := a.use(ctx, a.muster)
		if err != nil {
			return err
		}
		select {
		case <-time.After(restTime):
		case <-ctx.Done():
			return ctx.Err()
		}
		after, err := a.use(ctx, a.muster)
		if err != nil || after.since(before).CPU < restUse {
			return err
		}
	}
	return nil
}

// updates makes as many updates as are measured, and returns what the server had used before the first, after it, and
// after each ten.
func (a *arena) updates(ctx context.Context) (used map[int]use, err error) {
	c, err := dial(ctx, a.muster)
	if err != nil {
		return nil, err
	}
	defer c.close()
	o := updateComputer(a.settings.size)
	d := &driver{client: c, status: o.status, next: func() request { return o.make(besideFirst.Add(1)) }}
	used = map[int]use{}
	for n := 0; ; n++ {
		if n == 1 || n%tenUpdates == 0 {
			if used[n], err = a.use(ctx, a.muster); err != nil || n == later.end {
				return used, err
			}
		}
		if err := errors.Join(c.conn.SetDeadline(time.Now().Add(clientTime)), d.make(ctx, 1)); err != nil {
			return nil, err
		}
	}
}

// cost returns what an update of a stretch has cost.
func (s stretch) cost(used map[int]use) result.Sample {
	return used[s.end].since(used[s.first]).per(s.end - s.first)
}

// dearest returns what an update has cost among the dearest ten.
func dearest(used map[int]use) (most result.Sample) {
	for n := 0; n < later.end; n += tenUpdates {
		if one := (stretch{first: n, end: n + tenUpdates}).cost(used); one.CPU > most.CPU {
			most = one
		}
	}
	return most
}
