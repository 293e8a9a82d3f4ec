package server

import (
	"context"
	"math"
	"sync"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
	"muster/internal/store/survey"
)

// How often records are counted at most, and how long that may take: 100,000 of
// them take 1 ms on SQLite, and it grows with them; nobody should pay that at
// every look.
const (
	censusEvery = time.Minute
	censusTime  = 3 * time.Second
)

// pagesEvery is how often the tables of an SQLite file are measured at most,
// which reads all of it, and pagesAgain when that is tried again if it fails.
const (
	pagesEvery = 24 * time.Hour
	pagesAgain = time.Hour
)

// unknown is the value of what could not be read.
var unknown = math.NaN()

// A census caches how many records there are, and what room they take. While the
// database does not answer it keeps its last figures.
type census struct {
	desk  *desk.Desk
	kinds []*kind.Schema

	mu      sync.Mutex
	taken   time.Time
	bytes   float64
	pending float64 // audit records that wait for the chain
	feed    float64 // rows
	counts  map[*kind.Schema]int64

	measure time.Time // the tables of an SQLite file from then on
	tables  map[string]int64
}

func newCensus(d *desk.Desk, kinds []*kind.Schema) *census {
	return &census{desk: d, kinds: kinds, bytes: unknown, pending: unknown, feed: unknown}
}

// size returns the bytes of the database.
func (c *census) size() float64 { return c.figure(func() float64 { return c.bytes }) }

// waiting returns how many audit records wait for the chain.
func (c *census) waiting() float64 { return c.figure(func() float64 { return c.pending }) }

// fed returns how many rows the feed has.
func (c *census) fed() float64 { return c.figure(func() float64 { return c.feed }) }

// records returns how many records of a kind there are.
func (c *census) records(k *kind.Schema) float64 {
	return c.figure(func() float64 {
		if n, ok := c.counts[k]; ok {
			return float64(n)
		}
		return unknown
	})
}

// sizes returns the bytes of each table, none before they are known.
func (c *census) sizes() (tables map[string]int64) {
	c.figure(func() float64 {
		tables = c.tables // which is never changed, but replaced
		return 0
	})
	return tables
}

// figure returns a figure that is not older than it may be.
func (c *census) figure(read func() float64) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.desk.Now()
	if c.taken.IsZero() || now.Sub(c.taken) >= censusEvery {
		c.take()
		c.taken = now // also of one that failed: a database that is away is not asked all the time
	}
	return read()
}

// take counts.
func (c *census) take() {
	ctx, cancel := context.WithTimeout(context.Background(), censusTime)
	defer cancel()
	counts, shared := map[*kind.Schema]int64{}, c.desk.Store().Shared()
	var bytes, pending, feed int64
	err := c.desk.Store().View(ctx, func(tx *store.Tx) (err error) {
		for _, k := range c.kinds {
			if counts[k], err = tx.Total(ctx, k); err != nil {
				return err
			}
		}
		if shared {
			pending, feed, err = wait(ctx, tx)
		}
		if err == nil {
			bytes, err = tx.Size(ctx)
		}
		return err
	})
	if err != nil {
		return
	}
	c.counts, c.bytes, c.pending, c.feed = counts, float64(bytes), float64(pending), float64(feed)
	if shared {
		c.measureNow(ctx)
	} else if now := c.desk.Now(); !now.Before(c.measure) {
		c.measure = now.Add(pagesAgain)
		c.desk.Background(func(ctx context.Context) { c.measureLater(ctx) })
	}
}

// wait returns what waits in tables of PostgreSQL.
func wait(ctx context.Context, tx *store.Tx) (pending, feed int64, err error) {
	if pending, err = survey.Pending(ctx, tx, inventory.Audits.Schema); err != nil {
		return 0, 0, err
	}
	feed, err = survey.Feed(ctx, tx)
	return pending, feed, err
}

// measureNow measures the tables.
func (c *census) measureNow(ctx context.Context) {
	if tables, err := survey.Tables(ctx, c.desk.Store()); err == nil {
		c.tables = tables
	}
}

// measureLater measures the tables, while others read the figures.
func (c *census) measureLater(ctx context.Context) {
	tables, err := survey.Tables(ctx, c.desk.Store())
	if err != nil {
		if ctx.Err() == nil {
			c.desk.Log().Warn("the tables of the database could not be measured", "error", err)
		}
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tables, c.measure = tables, c.desk.Now().Add(pagesEvery)
}
