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

// How a node follows the feed: it looks so often, lets lists wait for a look when
// the last one is older than mostBehind, answers them from the tables when that
// takes longer than lookTime, and tries again after a failure. A server that
// starts waits for the indexes no longer than warmTime.
const (
	lookEvery  = 250 * time.Millisecond
	mostBehind = time.Second
	lookTime   = time.Second
	loadRetry  = time.Second
	warmTime   = time.Minute
)

// A follower keeps the indexes of a node on PostgreSQL. It alone changes them, one
// look at the feed after the other: each reads the records that the feed names
// as they are then, so that no look sets what is older than the one before. It
// has a connection of its own, since those who wait for it hold others.
type follower struct {
	store    *Store
	db       *sqldb.Postgres
	position position
	began    time.Time
	loaded   bool          // before
	tried    chan struct{} // is closed when they have been loaded, or could not be
	failing  atomic.Bool   // to load or to look, which was logged
	swept    time.Time     // when old rows were last removed

	told    atomic.Int64 // changes that this node has committed
	applied atomic.Int64 // as many of them are in the indexes
	looked  atomic.Int64 // when the last look began that the indexes are renewed by, since began
	awaited atomic.Int64 // looked, when the next look was waited for in vain

	looks  int64                // how many were begun, loads included
	seen   atomic.Pointer[seen] // what the indexes know, nil before the first load
	recent recentChanges

	mu   sync.Mutex
	next *look         // the one that is waited for, nil when nobody does
	wake chan struct{} // has something in it when somebody waits

	turn  sync.Mutex // is held during a look
	end   context.CancelFunc
	ended chan struct{}

	lookTime time.Duration // that a list waits for a look
}

// A look at the feed, that others may wait for.
type look struct{ over chan struct{} }

// end tells those who wait that the look is over.
func (l *look) end() {
	if l != nil {
		close(l.over)
	}
}

// follow makes the indexes of a node on PostgreSQL, in the background: until they
// are there, the tables answer.
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

// close ends the follower.
func (f *follower) close() {
	f.end()
	<-f.ended
	_ = f.db.Close() // which never fails
}

// Warm waits until lists come from memory, for a minute at most: a server that
// answered before would do so from the tables, and with many records keep the
// database from telling it what it needs to do better.
func (s *Store) Warm(ctx context.Context) error {
	if s.follower == nil { // SQLite has no other time to read than when it is opened
		return nil
	}
	limit := time.NewTimer(warmTime)
	defer limit.Stop()
	select {
	case <-s.follower.tried:
	case <-limit.C:
		s.log.Warn("lists come from the tables until all records are read into memory, which takes long")
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// loop loads the indexes and follows the feed until they must be loaded again.
func (f *follower) loop(ctx context.Context) {
	defer close(f.ended)
	tried := sync.OnceFunc(func() { close(f.tried) })
	for ctx.Err() == nil {
		err := f.load(ctx)
		tried()
		if f.note(ctx, err); err == nil {
			f.follow(ctx)
		}
		f.store.indexes.Store(nil)
		f.take().end()
		select {
		case <-ctx.Done():
		case <-time.After(loadRetry):
		}
	}
}

// note logs that the indexes cannot be kept, once until they can again.
func (f *follower) note(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil: // the store is being closed
		return
	case err != nil && !f.failing.Load():
		f.store.log.Warn("lists come from the tables as long as memory is behind the database", "error", err)
	case err == nil && f.failing.Load():
		f.store.log.Info("lists come from memory again")
	}
	f.failing.Store(err != nil)
}

// load reads what the indexes keep of all records, in one state, whose position
// is where the feed is followed from.
func (f *follower) load(ctx context.Context) error {
	f.turn.Lock()
	defer f.turn.Unlock()
	began, told, all, stamp := time.Since(f.began), f.told.Load(), f.store.newIndexes(), int64(0)
	f.looks++
	f.recent.forget(f.looks)
	if f.loaded { // what was made of records before is no good
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
	f.seen.Store(&seen{f.looks, f.position})
	f.applied.Store(told)
	f.looked.Store(int64(began))
	return nil
}

// follow looks at the feed now and then, and when somebody waits for it, until
// the indexes must be loaded again.
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

// look makes the indexes know all that is committed when it begins. One that
// fails changes nothing of where the next one begins.
func (f *follower) look(ctx context.Context) error {
	f.turn.Lock()
	defer f.turn.Unlock()
	defer f.take().end()
	began, told := time.Since(f.began), f.told.Load()
	err := f.db.Read(ctx, func(c sqldb.Conn) error { return f.catchUp(ctx, c) })
	if err != nil {
		return err
	}
	f.applied.Store(told)
	f.looked.Store(int64(began))
	return f.sweep(ctx)
}

// catchUp reads the feed behind the position, and the records that it names.
func (f *follower) catchUp(ctx context.Context, c sqldb.Conn) error {
	now, changed, err := f.position.since(ctx, c)
	if err != nil {
		return err
	}
	f.looks++
	all, renewed := *f.store.indexes.Load(), map[*indexed][]int64{}
	for _, k := range f.store.kinds {
		if ids := changed[f.store.tables[k].Name]; len(ids) > 0 {
			f.recent.add(f.looks, f.store.tables[k], ids)
			renewed[all[k]] = slices.Collect(maps.Keys(ids))
			if err := all[k].renew(ctx, c, index.Later, ids); err != nil {
				return err
			}
		}
	}
	stamp := f.store.clock.Add(1) // what is read from now on is no older than what the indexes know
	for x, ids := range renewed {
		x.Touch(stamp, ids...)
	}
	f.position = now
	f.seen.Store(&seen{f.looks, now})
	return nil
}

// take returns the look that is waited for, which begins.
func (f *follower) take() *look {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.next
	f.next = nil
	return l
}

// join returns a look that has not begun yet.
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

// behind returns how old what the indexes know of others' changes may be.
func (f *follower) behind() time.Duration {
	return time.Since(f.began) - time.Duration(f.looked.Load())
}

// isCurrent reports whether lists of a kind may be answered from the indexes: they
// have all changes that this node has acknowledged, and others' until a second
// ago, or until the request began that the list is of. Otherwise it waits for a
// look that begins now: a machine with so much to do that looks are late would be
// worse off with lists from the tables. Nobody waits while looks fail, or for one
// that others have waited for in vain. Records of a chained kind are added by any
// node, also those of this one's changes, so a look is waited for always.
func (f *follower) isCurrent(ctx context.Context, always bool) bool {
	asked, told, looked := int64(time.Since(f.began)), f.told.Load(), f.looked.Load()
	isLate := f.behind() > mostBehind && looked < int64(begunAt(ctx).Sub(f.began))
	switch {
	case (isLate || always) && (f.failing.Load() || f.awaited.Load() == looked):
		return false
	case !isLate && !always && f.applied.Load() >= told:
		return true
	}
	l := f.join()
	timeout := time.NewTimer(f.maxWait(ctx))
	defer timeout.Stop()
	select {
	case <-l.over:
		return f.looked.Load() >= asked && f.applied.Load() >= told
	case <-timeout.C:
		f.awaited.Store(looked)
	case <-ctx.Done():
	}
	return false
}

// maxWait returns how long a list waits for a look, so that there is time for the
// tables.
func (f *follower) maxWait(ctx context.Context) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		return min(f.lookTime, time.Until(end)/2)
	}
	return f.lookTime
}
