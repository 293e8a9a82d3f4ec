package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"muster/bench/result"
)

// Each round starts the server anew for each request, so there are few; the warm one is the tenth.
const (
	coldRounds   = 3
	coldRequests = 10
)

// coldReads are the requests that are the first after a start, one of each sort.
func coldReads(n int) (all []operation) {
	for _, o := range pages(n) {
		if slices.Contains([]string{"page, dashboard", "page, computers", "page, search", "page, a computer"}, o.name) {
			all = append(all, o)
		}
	}
	list := fmt.Sprintf("/hardwares.xml?per_page=%d", listSize)
	return append(all, get(fmt.Sprintf("list of %d", listSize), func(int64) string { return list }))
}

// newCold returns the first requests that are to be measured, beside the tenth.
func newCold(s *settings, database string) (all []*contest) {
	for _, o := range coldReads(s.size) {
		c := s.comparison(database, "first "+o.name, "tenth")
		if s.only.MatchString(c.Name) {
			all = append(all, &contest{operation: o, Comparison: c})
		}
	}
	return all
}

// benchCold measures first requests, in rounds in which they take turns.
func benchCold(ctx context.Context, s *settings, r *result.Run, db *databaseRun, all []*contest) error {
	if len(all) == 0 {
		return nil
	}
	a, err := openArena(ctx, s, db)
	if err != nil {
		return err
	}
	defer a.close()
	if _, err := a.session(ctx); err != nil {
		return err
	}
	for round := range min(s.rounds, coldRounds) {
		for _, c := range all {
			if round == 0 {
				progress("%s", c.Name)
				r.Comparisons = append(r.Comparisons, c.Comparison)
			}
			if err := a.coldRound(ctx, c); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
		}
	}
	return nil
}

// coldRound starts the server, on SQLite without any of the database in memory, and makes a request ten times.
func (a *arena) coldRound(ctx context.Context, c *contest) error {
	a.muster.stop()
	if err := a.forget(); err != nil {
		return fmt.Errorf("drop the database from memory: %w", err)
	}
	if err := a.startServer(ctx); err != nil {
		return err
	}
	conn, err := dial(ctx, a.muster)
	if err != nil {
		return err
	}
	defer conn.close()
	d := &driver{client: conn, status: c.status, next: func() request { return c.make(c.next.Add(1) - 1) }}
	if c.session {
		d.cookie, conn.cookie = a.cookie, a.cookie
	}
	var samples []result.Sample
	for range coldRequests {
		one, _, err := a.measured(ctx, a.muster, []*driver{d}, func(d *driver, _ time.Time) error {
			d.times, d.bytes = nil, 0
			return d.make(ctx, 1)
		})
		if err != nil {
			return err
		}
		samples = append(samples, one)
	}
	add(c.Comparison, samples[0], samples[coldRequests-1])
	return nil
}

// forget drops the database from the memory of the system, where that is possible. PostgreSQL's is its own.
func (a *arena) forget() error {
	if a.db.order.Database != "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(a.db.order.Data, "muster.db*"))
	for _, file := range files {
		err = errors.Join(err, dropCache(file))
	}
	return err
}
