package main

import (
	"cmp"
	"context"
	"time"

	"muster/bench/result"
)

// memoryWithin is how many MB of memory the server may use with so many computers, while neither mail nor
// directories nor files are used.
var memoryWithin = map[int]float64{10_000: 90, 1_000_000: 700}

// memoryTime is for how long each list is asked for while memory is measured.
const memoryTime = 100 * time.Millisecond

// newMemory returns the comparison of the server's peak memory with the ceiling, without figures; nil if it is
// not to be measured.
func newMemory(s *settings, database string) *result.Comparison {
	c := s.comparison(database, "memory", "fixed body")
	if !s.only.MatchString(c.Name) {
		return nil
	}
	if database == result.SQLite {
		c.Goals = result.Goals{Aim: "memory", MaxResident: memoryWithin[s.size]}
	}
	return c
}

// benchMemory measures in each round servers that have just started, while no
// other has the database.
func benchMemory(ctx context.Context, s *settings, db *databaseRun, c *result.Comparison) error {
	progress("%s", c.Name)
	for range s.rounds {
		ours, theirs, err := peakWithLists(ctx, s, db)
		if err != nil {
			return err
		}
		c.Ours, c.Theirs = append(c.Ours, ours), append(c.Theirs, theirs)
	}
	return nil
}

// peakWithLists requests all lists of computers and returns the peak memory of both sides, each time just after
// a list, since neither frees any for the sake of the figure.
func peakWithLists(ctx context.Context, s *settings, db *databaseRun) (ours, theirs result.Sample, err error) {
	a, err := openArena(ctx, s, db)
	if err != nil {
		return ours, theirs, err
	}
	defer a.close()
	a.window = cmp.Or(s.window, memoryTime)
	for _, o := range computerLists() {
		c := &contest{operation: o, Comparison: s.comparison(db.name, o.name, "fixed body")}
		if err := a.round(ctx, c); ctx.Err() != nil {
			return ours, theirs, ctx.Err()
		} else if err != nil {
			progress("%s: %v", c.Name, err) // as when it is measured itself
			continue
		}
		ours.Resident = max(ours.Resident, c.Ours[0].Resident)
		theirs.Resident = max(theirs.Resident, c.Theirs[0].Resident)
	}
	return ours, theirs, nil
}
