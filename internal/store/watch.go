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

// Modes of transactions, as Read, View and Update run them.
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

// Sources of lists: which records are on a page is known in memory, or asked of
// the tables.
const (
	FromMemory Source = iota
	FromTables
	sources
)

// String returns the source's name in metrics.
func (s Source) String() string { return [...]string{"memory", "tables"}[s] }

// sourceOf returns where a list is answered from, for a reason. On SQLite the tables
// of words, ties and values count as tables, though the index has a part.
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

// A Transaction is what is known of one that has ended.
type Transaction struct {
	Mode   Mode
	Waited time.Duration // until it began: for its turn to write, or for a connection
	Took   time.Duration // from then to its end
	Err    error         // nil also when the one who asked had gone
}

// A Usage is the time that all transactions of one request have taken.
type Usage struct{ Waited, Took time.Duration }

type usageKey struct{}

// A using is the Usage of a request, and when it began.
type using struct {
	*Usage
	begun time.Time
}

// WithUsage returns the context of a request that begins now, whose transactions
// add their time to u.
func WithUsage(ctx context.Context, u *Usage) context.Context {
	return context.WithValue(ctx, usageKey{}, &using{u, time.Now()})
}

// begunAt returns when the request of a context began, now when it is of none.
func begunAt(ctx context.Context) time.Time {
	if u, ok := ctx.Value(usageKey{}).(*using); ok {
		return u.begun
	}
	return time.Now()
}

// watch runs f in a transaction of the database and takes its time.
func (s *Store) watch(
	ctx context.Context, mode Mode, run func(context.Context, func(sqldb.Conn) error) error, f func(*Tx) error,
) error {
	start, begun := time.Now(), time.Time{}
	begin := func() {
		if begun.IsZero() { // f may be run again
			begun = time.Now()
			s.waiting[mode].Add(-1)
		}
	}
	s.waiting[mode].Add(1)
	var tx *Tx
	clock, changes, worded, seen := s.clock.Load(), s.changes.Load(), s.worded.Load(), s.seen()
	err := run(ctx, func(c sqldb.Conn) error {
		begin()
		tx = &Tx{store: s, conn: c, clock: clock, changes: changes, worded: worded, seen: seen}
		tx.indexAllowed = mode == Viewing && !s.Shared()
		if mode == Updating {
			tx.ledger = s.ledger
		}
		if mode == Updating && s.Shared() {
			tx.touched = map[*mapping.Table]touched{}
		}
		if err := f(tx); err != nil {
			return err
		}
		return tx.writeFeed(ctx)
	})
	begin()
	s.markChanged(tx, err)
	t := Transaction{Mode: mode, Waited: begun.Sub(start), Took: time.Since(begun), Err: err}
	if u, ok := ctx.Value(usageKey{}).(*using); ok {
		u.Waited += t.Waited
		u.Took += t.Took
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		t.Err = nil
	}
	if s.observe != nil {
		s.observe(t)
	}
	return err
}

// Stats are figures of a store at one moment.
type Stats struct {
	Waiting [modes]int64        // transactions that have not begun yet, by mode
	Lists   [sources]int64      // answered, by where from
	Reasons [plan.Reasons]int64 // of the same, by why so
	sqldb.Stats
	// Behind is how old what lists from memory know of other nodes' changes may
	// be, on PostgreSQL; above a second they wait for the next look.
	Behind time.Duration
}

// Stats returns the present figures.
func (s *Store) Stats() Stats {
	var out Stats
	for mode := range s.waiting {
		out.Waiting[mode] = s.waiting[mode].Load()
	}
	for why := range s.lists {
		out.Reasons[why] = s.lists[why].Load()
		out.Lists[s.sourceOf(plan.Reason(why))] += out.Reasons[why]
	}
	out.Stats = s.database.Stats()
	if s.follower != nil {
		out.Behind = s.follower.behind()
	}
	return out
}
