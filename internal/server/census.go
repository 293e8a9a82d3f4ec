package server

import (
	"context"
	"math"
	"sync"
	"time"

	"muster/internal/kind"
	"muster/internal/store"
)

// How often records are counted at most, and how long that may take: 100,000 of
// them take 1 ms on SQLite, and it grows with them; nobody should pay that at
// every look.
const (
	censusEvery = time.Minute
	censusTime  = 3 * time.Second
)

// unknown is the value of what could not be read.
var unknown = math.NaN()

// A census caches how many records there are, and what room they take. While the
// database does not answer it keeps its last figures.
type census struct {
	store *store.Store
	kinds []*kind.Schema
	now   func() time.Time

	mu     sync.Mutex
	taken  time.Time
	bytes  float64
	counts map[*kind.Schema]int64
}

func newCensus(s *store.Store, kinds []*kind.Schema, now func() time.Time) *census {
	return &census{store: s, kinds: kinds, now: now, bytes: unknown}
}

// size returns the bytes of the database.
func (c *census) size() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.take()
	return c.bytes
}

// records returns how many records of a kind there are.
func (c *census) records(k *kind.Schema) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.take()
	if n, ok := c.counts[k]; ok {
		return float64(n)
	}
	return unknown
}

// take counts, unless that was done a short while ago.
func (c *census) take() {
	if !c.taken.IsZero() && c.now().Sub(c.taken) < censusEvery {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), censusTime)
	defer cancel()
	counts := map[*kind.Schema]int64{}
	var bytes int64
	err := c.store.View(ctx, func(tx *store.Tx) (err error) {
		for _, k := range c.kinds {
			if counts[k], err = tx.Total(ctx, k); err != nil {
				return err
			}
		}
		bytes, err = tx.Size(ctx)
		return err
	})
	c.taken = c.now() // also of one that failed: a database that is away is not asked all the time
	if err == nil {
		c.counts, c.bytes = counts, float64(bytes)
	}
}
