package store

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"muster/internal/index"
	"muster/internal/store/sqldb"
)

// Intervals of following the feed: how often a node reads it, the age above which lists wait for the next read,
// how long they wait before the tables answer instead, the pause after a failure, and how long a starting
// server waits for its indexes.
const (
	lookEvery  = 250 * time.Millisecond
	mostBehind = time.Second
	lookTime   = time.Second
	loadRetry  = time.Second
	warmTime   = time.Minute
)

// A follower keeps the indexes of a node on PostgreSQL current. It is the only writer of these indexes, and
// reads the feed one look at a time, so that no look overwrites newer data with older. It has its own
// connection, since transactions that wait for it occupy those of the pool.
type follower struct {
	store    *Store
	db       *sqldb.Postgres
	position position
	began    time.Time
	loaded   bool          // the indexes were loaded before
	tried    chan struct{} // closed when loading has succeeded or failed once
	failing  atomic.Bool   // loading or looking has failed, and that was logged
	swept    time.Time     // when old rows were last removed

	committed atomic.Int64 // changes that this node has committed
	applied   atomic.Int64 // as many of these changes are in the indexes
	looked    atomic.Int64 // start of the last look that is in the indexes, since began
	awaited   atomic.Int64 // the value of looked for which a wait for the next look timed out

	looks int64 // number of looks that were started, loads included

	mu   sync.Mutex
	next *look         // the look that is waited for, nil when nobody waits
	wake chan struct{} // gets a value when somebody waits

	turn  sync.Mutex // locked during a look
	end   context.CancelFunc
	ended chan struct{}

	lookTime time.Duration // how long a list waits for a look
}

// A look is one read of the feed, which others may wait for.
type look struct{ over chan struct{} }

// end releases those who wait for the look.
func (l *look) end() {
	if l != nil {
		close(l.over)
	}
}

// follow loads and updates the indexes of a node on PostgreSQL, in the background. The tables answer until they
// are loaded.
func (s *Store) follow(db *sqldb.Postgres) error {
	ctx, end := context.WithCancel(context.Background())
	own, err := db.Single(ctx)
	if err != nil {
		end()
		return err
	}
	f := &follower{
		store: s, db: own, began: time.Now(), tried: make(chan struct{}), wake: make(chan struct{}, 1),
		end: end, ended: make(chan struct{}), lookTime: lookTime,
	}
	f.awaited.Store(-1)
	s.follower = f
	go f.loop(ctx)
	return nil
}

// close stops the follower.
func (f *follower) close() {
	f.end()
	<-f.ended
	_ = f.db.Close() // which never fails
}

// Warm waits until lists come from memory, for a minute at most. A server that answered earlier would do so
// from the tables, which with many records slows down the loading itself.
func (s *Store) Warm(ctx context.Context) error {
	if s.follower == nil { // SQLite has loaded its indexes in Open
		return nil
	}
	limit := time.NewTimer(warmTime)
	defer limit.Stop()
	select {
	case <-s.follower.tried:
	case <-limit.C:
		s.log.Warn("lists are read from the tables until all records are in memory, which takes long")
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// Loaded reports whether the indexes have been loaded once. While they are loaded again later, the tables answer.
func (s *Store) Loaded() bool { return s.frozen || s.seen.Load() != nil }

// loop loads the indexes and follows the feed, and starts again when they must be reloaded.
func (f *follower) loop(ctx context.Context) {
	defer close(f.ended)
	tried := sync.OnceFunc(func() { close(f.tried) })
	for ctx.Err() == nil {
		err := f.load(ctx)
		tried()
		if f.note(ctx, err); err == nil {
			f.follow(ctx)
			f.store.drops.Add(1)
		}
		f.store.indexes.Store(nil)
		f.take().end()
		select {
		case <-ctx.Done():
		case <-time.After(loadRetry):
		}
	}
}

// note logs that the indexes cannot be kept current, once until they can again.
func (f *follower) note(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil: // the store is being closed
		return
	case err != nil && !f.failing.Load():
		f.store.log.Warn("lists are read from the tables while memory is behind the database", "error", err)
	case err == nil && f.failing.Load():
		f.store.log.Info("lists are read from memory again")
	}
	f.failing.Store(err != nil)
}

// load reads the data of the indexes from one snapshot, whose position is where the feed is followed from.
func (f *follower) load(ctx context.Context) error {
	f.turn.Lock()
	defer f.turn.Unlock()
	began, committed, all, stamp := time.Since(f.began), f.committed.Load(), f.store.newIndexes(), int64(0)
	f.looks++
	f.store.recent.forget(f.looks)
	if f.loaded { // what is cached of records from before the reload is invalid
		stamp = f.store.clock.Add(1)
	}
	err := f.db.Snapshot(ctx, func(c sqldb.Conn) (err error) {
		if f.position, err = readPosition(ctx, c); err != nil {
			return err
		}
		for _, k := range f.store.kinds {
			if err := all[k].open(ctx, c, stamp); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.loaded = true
	f.store.indexes.Store(&all)
	f.store.loads.Add(1)
	f.store.seen.Store(&seen{f.looks, f.position})
	f.applied.Store(committed)
	f.looked.Store(int64(began))
	return nil
}

// follow reads the feed at intervals, and when somebody waits for it, until the indexes must be reloaded.
func (f *follower) follow(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		err := f.look(ctx)
		if f.note(ctx, err); errors.Is(err, errReload) {
			return
		}
		select {
		case <-tick.C:
		case <-f.wake:
		case <-ctx.Done():
			return
		}
	}
}

// look updates the indexes to everything that was committed when it begins. After a failure the next look
// starts from the same position.
func (f *follower) look(ctx context.Context) error {
	f.turn.Lock()
	defer f.turn.Unlock()
	defer f.take().end()
	began, committed := time.Since(f.began), f.committed.Load()
	err := f.db.Read(ctx, func(c sqldb.Conn) error { return f.catchUp(ctx, c) })
	if err != nil {
		return err
	}
	f.applied.Store(committed)
	f.looked.Store(int64(began))
	return f.sweep(ctx)
}

// catchUp reads the feed after the position, and the records that it names.
func (f *follower) catchUp(ctx context.Context, c sqldb.Conn) error {
	now, changed, err := f.position.since(ctx, c)
	if err != nil {
		return err
	}
	f.looks++
	all, renewed := *f.store.indexes.Load(), map[*indexed][]int64{}
	for _, k := range f.store.kinds {
		if ids := changed[f.store.tables[k].Name]; len(ids) > 0 {
			f.store.recent.add(f.looks, f.store.tables[k], ids)
			renewed[all[k]] = slices.Collect(maps.Keys(ids))
			if err := all[k].renew(ctx, c, index.Later, ids); err != nil {
				return err
			}
		}
	}
	stamp := f.store.clock.Add(1) // what is read from now on is at least as new as the indexes
	for x, ids := range renewed {
		x.Touch(stamp, ids...)
	}
	f.position = now
	f.store.seen.Store(&seen{f.looks, now})
	return nil
}

// take returns the look that is waited for, to begin it.
func (f *follower) take() *look {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.next
	f.next = nil
	return l
}

// join returns the next look, which has not begun yet.
func (f *follower) join() *look {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.next == nil {
		f.next = &look{make(chan struct{})}
	}
	select {
	case f.wake <- struct{}{}:
	default: // it is going to look
	}
	return f.next
}

// behind returns the age of what the indexes have of other nodes' changes.
func (f *follower) behind() time.Duration {
	return time.Since(f.began) - time.Duration(f.looked.Load())
}

// isCurrent reports whether lists of a kind may be answered from the indexes: they have all changes of this
// node, and those of others until a second ago or until the list's request began. Otherwise it waits for the
// next look, since on an overloaded machine lists from the tables would cost more. It does not wait while looks
// fail, or when a wait for the same look has timed out. With always it waits in any case: records of a chained
// kind may be added by any node, on behalf of this one too.
func (f *follower) isCurrent(ctx context.Context, always bool) bool {
	asked, committed, looked := int64(time.Since(f.began)), f.committed.Load(), f.looked.Load()
	isLate := f.behind() > mostBehind && looked < int64(begunAt(ctx).Sub(f.began))
	switch {
	case (isLate || always) && (f.failing.Load() || f.awaited.Load() == looked):
		return false
	case !isLate && !always && f.applied.Load() >= committed:
		return true
	}
	l := f.join()
	timeout := time.NewTimer(f.maxWait(ctx))
	defer timeout.Stop()
	select {
	case <-l.over:
		return f.looked.Load() >= asked && f.applied.Load() >= committed
	case <-timeout.C:
		f.awaited.Store(looked)
	case <-ctx.Done():
	}
	return false
}

// maxWait returns how long a list waits for a look, so that there is time left for the tables.
func (f *follower) maxWait(ctx context.Context) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		return min(f.lookTime, time.Until(end)/2)
	}
	return f.lookTime
}
