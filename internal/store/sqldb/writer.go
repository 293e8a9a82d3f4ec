package sqldb

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// GroupSize is how many changes are committed together at most. In a group of 64 the cost of a commit to disk
// is small for each.
const GroupSize = 64

// restTime is how long the writer is idle before it frees its page cache.
const restTime = time.Minute

var errClosed = fmt.Errorf("%w: it is being closed", ErrUnavailable)

// A writer owns the connection that changes an SQLite file. Changes that wait during a commit are committed
// together; one that fails does not affect the others.
type writer struct {
	conn  *SQLiteConn
	queue chan *change
	alone chan *change // those that others should not wait for, see CommitAlone
	quit  chan struct{}
	done  chan struct{}
	once  sync.Once

	commits atomic.Int64
	hooks   Hooks
}

// Hooks are called by the writer of an SQLite file, one at a time.
type Hooks struct {
	Begin      func()                       // before the changes of a transaction, which may be repeated
	Undone     func()                       // after a change was undone whose transaction goes on
	Committing func()                       // before each commit
	Ended      func(c Conn, committed bool) // after each commit, before the callers of Update return
}

var noHooks = Hooks{Begin: func() {}, Undone: func() {}, Committing: func() {}, Ended: func(Conn, bool) {}}

// A change is a function that waits for the writer, and then its outcome.
type change struct {
	ctx     context.Context
	run     func(Conn) error
	begun   time.Time // to wait
	outcome chan error
}

func newWriter(c *SQLiteConn) *writer {
	c.delays = true
	w := &writer{
		conn: c, queue: make(chan *change, GroupSize), alone: make(chan *change),
		quit: make(chan struct{}), done: make(chan struct{}), hooks: noHooks,
	}
	go w.loop()
	return w
}

// run passes f to the writer and waits until its changes are on disk or undone.
func (w *writer) run(ctx context.Context, f func(Conn) error) error {
	c, queue := &change{ctx, f, time.Now(), make(chan error, 1)}, w.queue
	if isAlone(ctx) {
		queue = w.alone
	}
	select {
	case queue <- c:
	case <-ctx.Done():
		return Waited(ctx, c.begun)
	case <-w.quit:
		return errClosed
	}
	select {
	case err := <-c.outcome:
		return err
	case <-w.done:
	}
	select {
	case err := <-c.outcome:
		return err
	default:
		return errClosed
	}
}

// stop stops the writer after the changes under way.
func (w *writer) stop() {
	w.once.Do(func() { close(w.quit) })
	<-w.done
}

func (w *writer) loop() {
	defer close(w.done)
	rest := time.NewTimer(restTime)
	defer rest.Stop()
	for {
		select {
		case c := <-w.queue:
			w.group(w.gather(c))
			rest.Reset(restTime)
		case c := <-w.alone:
			w.group([]*change{c})
			rest.Reset(restTime)
		case <-rest.C:
			_ = w.conn.Shrink() // after an error the memory is used again
		case <-w.quit:
			return
		}
	}
}

// gather returns first and the other waiting changes. When the processors are busy it yields first, so that
// others who are about to submit a change can share the commit.
func (w *writer) gather(first *change) []*change {
	group, yielded := []*change{first}, false
	for len(group) < GroupSize {
		select {
		case c := <-w.queue:
			group = append(group, c)
		default:
			if yielded {
				return group
			}
			yielded = true
			runtime.Gosched()
		}
	}
	return group
}

// group runs changes in one transaction and reports each one's outcome. It first runs them without savepoints,
// which make SQLite copy pages; if a change fails, it undoes all and runs them again with savepoints.
func (w *writer) group(group []*change) {
	outcomes, err := w.transaction(group, w.plainly)
	if err != nil && len(group) > 1 {
		outcomes, err = w.transaction(group, w.Guarded)
	}
	for i, c := range group {
		if outcomes[i] == nil {
			outcomes[i] = err
		}
		c.outcome <- outcomes[i]
	}
}

// transaction runs changes by apply and commits. An error of apply, other than a change's own outcome, undoes
// all.
func (w *writer) transaction(group []*change, apply func(*change) (outcome, err error)) (outcomes []error, err error) {
	outcomes = make([]error, len(group))
	w.conn.delayed = nil
	w.hooks.Begin()
	err = w.conn.Exec("BEGIN IMMEDIATE")
	for i := 0; i < len(group) && err == nil; i++ {
		outcomes[i], err = apply(group[i])
		if err == nil && w.conn.conn.AutocommitEnabled() { // SQLite has rolled back the whole transaction
			err = errors.Join(errors.New("the transaction was undone"), outcomes[i])
		}
	}
	if err == nil {
		err = w.conn.catchUp()
	}
	if err == nil {
		return outcomes, w.commit()
	}
	return outcomes, w.undo(err)
}

// commit commits the transaction under way, or undoes it.
func (w *writer) commit() error {
	w.hooks.Committing()
	err := w.conn.Exec("COMMIT")
	committed := err == nil
	if committed {
		w.commits.Add(1)
	} else {
		err = w.undo(err)
	}
	w.hooks.Ended(w.conn, committed)
	return err
}

// undo rolls back the transaction under way, if there is one, because of an error.
func (w *writer) undo(err error) error {
	if !w.conn.conn.AutocommitEnabled() {
		err = errors.Join(err, w.conn.Exec("ROLLBACK"))
	}
	return err
}

// plainly runs one change; if it fails, so does its whole transaction.
func (w *writer) plainly(c *change) (outcome, err error) {
	outcome = w.carryOut(c)
	return outcome, outcome
}

// Guarded runs one change in a savepoint.
func (w *writer) Guarded(c *change) (outcome, err error) {
	if err := w.conn.Exec("SAVEPOINT change"); err != nil {
		return nil, err
	}
	if outcome = w.carryOut(c); outcome == nil {
		outcome = w.conn.catchUp()
	}
	if outcome != nil {
		w.conn.delayed = nil
		w.hooks.Undone()
		if w.conn.conn.AutocommitEnabled() {
			return outcome, nil
		}
		if err := w.conn.Exec("ROLLBACK TO change"); err != nil {
			return outcome, err
		}
	}
	return outcome, w.conn.Exec("RELEASE change")
}

// carryOut runs one change, unless its caller has stopped waiting.
func (w *writer) carryOut(c *change) error {
	if c.ctx.Err() != nil {
		return Waited(c.ctx, c.begun)
	}
	return protect(c.run, w.conn)
}

// protect runs a change and returns a panic as its error, so that the writer goes on.
func protect(run func(Conn) error, c Conn) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return run(c)
}
