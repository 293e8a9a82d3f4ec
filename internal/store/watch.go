package store

import (
	"context"
	"errors"
	"time"

	"muster/internal/store/mapping"
	"muster/internal/store/plan"
	"muster/internal/store/sqldb"
)

// A Mode is what a transaction is for.
type Mode uint8

// The modes of transactions, as Read, View and Update run them.
const (
	Reading Mode = iota
	Viewing
	Updating
	modes
)

// String returns the mode's name in metrics.
func (m Mode) String() string { return [...]string{"read", "view", "update"}[m] }

// A Source is where a list is answered from.
type Source uint8

// The sources of lists: the index in memory, or the tables.
const (
	FromMemory Source = iota
	FromTables
	sources
)

// String returns the source's name in metrics.
func (s Source) String() string { return [...]string{"memory", "tables"}[s] }

// sourceOf returns the source of a list, by its reason. On SQLite a list that also uses the tables of words,
// ties or values counts as one from the tables.
func (s *Store) sourceOf(why plan.Reason) Source {
	switch why.Way() {
	case plan.SQL:
		return FromTables
	case plan.SearchThenIndex:
		if !s.Shared() {
			return FromTables
		}
	}
	return FromMemory
}

// A Transaction is what is measured of one that has ended.
type Transaction struct {
	Mode   Mode
	Waited time.Duration // until it began: for the writer, or for a connection
	Took   time.Duration // from its begin to its end
	Err    error         // nil also when the client had gone away
}

// A Usage is the time that all transactions of one request have taken.
type Usage struct{ Waited, Took time.Duration }

type usageKey struct{}

// A using is the Usage of a request, and when it began.
type using struct {
	*Usage
	begun time.Time
}

// WithUsage returns the context of a request that begins now. Its transactions add their time to u.
func WithUsage(ctx context.Context, u *Usage) context.Context {
	return context.WithValue(ctx, usageKey{}, &using{u, time.Now()})
}

// begunAt returns when the request of a context began, or now without one.
func begunAt(ctx context.Context) time.Time {
	if u, ok := ctx.Value(usageKey{}).(*using); ok {
		return u.begun
	}
	return time.Now()
}

// watch runs f in a transaction of the database and measures it.
func (s *Store) watch(
	ctx context.Context, mode Mode, run func(context.Context, func(sqldb.Conn) error) error, f func(*Tx) error,
) error {
	start, begun := time.Now(), time.Time{}
	begin := func() {
		if begun.IsZero() { // f may be run several times
			begun = time.Now()
			s.waiting[mode].Add(-1)
		}
	}
	s.waiting[mode].Add(1)
	var tx *Tx
	clock, seen := s.clock.Load(), s.seen.Load()
	err := run(ctx, func(c sqldb.Conn) error {
		begin()
		tx = &Tx{store: s, conn: c, clock: clock, seen: seen}
		if mode == Updating {
			tx.ledger = s.ledger
		}
		if mode == Updating && s.Shared() {
			tx.touched = map[*mapping.Table]touched{}
		}
		if err := f(tx); err != nil {
			return err
		}
		if err := tx.writeFeed(ctx); err != nil || mode != Updating || tx.checked {
			return err
		}
		return tx.CheckWriter(ctx)
	})
	begin()
	s.markChanged(tx, err)
	t := Transaction{Mode: mode, Waited: begun.Sub(start), Took: time.Since(begun), Err: err}
	if u, ok := ctx.Value(usageKey{}).(*using); ok {
		u.Waited += t.Waited
		u.Took += t.Took
	}
	if stale := (*staleError)(nil); errors.As(err, &stale) || errors.Is(ctx.Err(), context.Canceled) {
		t.Err = nil
	}
	if s.observe != nil {
		s.observe(t)
	}
	return err
}

// Stats are the metrics of a store at one moment.
type Stats struct {
	Waiting      [modes]int64        // transactions that have not begun yet, by mode
	Lists        [sources]int64      // number of answers, by source
	Reasons      [plan.Reasons]int64 // number of answers, by reason
	Loads, Drops int64               // of the indexes in memory
	sqldb.Stats
	// Behind is the age of what lists from memory have of other nodes' changes, on PostgreSQL. Above a second,
	// lists wait for the next look.
	Behind time.Duration
}

// Stats returns the present metrics.
func (s *Store) Stats() Stats {
	var out Stats
	for mode := range s.waiting {
		out.Waiting[mode] = s.waiting[mode].Load()
	}
	for why := range s.lists {
		out.Reasons[why] = s.lists[why].Load()
		out.Lists[s.sourceOf(plan.Reason(why))] += out.Reasons[why]
	}
	out.Stats, out.Loads, out.Drops = s.database.Stats(), s.loads.Load(), s.drops.Load()
	if s.follower != nil {
		out.Behind = s.follower.behind()
	}
	return out
}
