package main

import (
	"context"
	"os"
	"time"

	"muster/bench/result"
)

// startTime is how many milliseconds a start may take, at a million computers.
const startTime = 5000

// idleWithin is how many MB of memory the server may use with so many computers before the first request,
// whatever features are in use.
var idleWithin = map[int]float64{10_000: 110}

// newStart returns the comparison of how the server starts, beside one that has
// nothing to do, without figures; nil if it is not to be measured.
func newStart(s *settings, database string) *result.Comparison {
	c := s.comparison(database, "start", "fixed body")
	if !s.only.MatchString(c.Name) {
		return nil
	}
	if database == result.SQLite {
		c.Goals = result.Goals{Aim: "start", MaxTime: startTime, MaxResident: idleWithin[s.size]}
	}
	return c
}

// benchStart starts the server and the ceiling in turn, while no other server
// has the database.
func benchStart(ctx context.Context, s *settings, db *databaseRun, c *result.Comparison) error {
	progress("%s", c.Name)
	folder, err := os.MkdirTemp(s.data, passing+"fixed-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for range s.rounds {
		ours, err := started(ctx, db.order)
		if err != nil {
			return err
		}
		theirs, err := started(ctx, order{Fixed: true, Data: folder})
		if err != nil {
			return err
		}
		add(c, ours, theirs)
	}
	return nil
}

// started measures one start, until requests are answered.
func started(ctx context.Context, o order) (result.Sample, error) {
	began := time.Now()
	p, err := start(ctx, o)
	if err != nil {
		return result.Sample{}, err
	}
	defer p.stop()
	took := time.Since(began)
	used, err := p.use()
	out := used.per(1)
	out.P50, out.PerSecond = float64(took.Microseconds())/1e3, 1/took.Seconds()
	out.Resident = float64(used.Resident) / (1 << 20)
	return out, err
}
