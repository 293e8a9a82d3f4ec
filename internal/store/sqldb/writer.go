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

// GroupSize is how many changes are committed together at most: with 64 in a
// group a commit to disk costs each of them little.
const GroupSize = 64

// restTime is how long nothing may change until the writer gives its page cache
// back.
const restTime = time.Minute

var errClosed = fmt.Errorf("%w: it is being closed", ErrUnavailable)

// A writer owns the connection that changes an SQLite file. Changes that wait
// while one commits are committed together; one that fails does not touch the
// others.
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

// Hooks are what follows from changes of an SQLite file. The writer calls them, one
// at a time.
type Hooks struct {
	Begin      func()                       // before the changes of a transaction, which may be carried out again
	Undone     func()                       // after a change was undone whose transaction goes on
	Committing func()                       // before each commit
	Ended      func(c Conn, committed bool) // after it, before those who wait for it are told
}

// noHooks are those of a file from whose changes nothing follows.
var noHooks = Hooks{Begin: func() {}, Undone: func() {}, Committing: func() {}, Ended: func(Conn, bool) {}}

// A change is a function that waits for the writer, and then its outcome.
type change struct {
	ctx     context.Context
	run     func(Conn) error
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

// run has the writer carry out f and waits until it is on disk or undone.
func (w *writer) run(ctx context.Context, f func(Conn) error) error {
	c, queue := &change{ctx, f, make(chan error, 1)}, w.queue
	if isAlone(ctx) {
		queue = w.alone
	}
	select {
	case queue <- c:
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrUnavailable, context.Cause(ctx))
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

// stop ends the writer after the changes under way.
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
			_ = w.conn.Shrink() // what it does not give back it uses again
		case <-w.quit:
			return
		}
	}
}

// gather returns first and what else is waiting. When the processors are busy it
// lets others go on before, who may be about to hand in a change: so a commit is
// shared by more of them.
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

// group carries out changes in one transaction and tells each its outcome.
// First without savepoints, which make SQLite copy pages; if a change fails,
// all that was done is undone and done again with them.
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

// transaction carries out changes by apply and commits. An error of apply that
// is not the change's own outcome undoes all.
func (w *writer) transaction(group []*change, apply func(*change) (outcome, err error)) (outcomes []error, err error) {
	outcomes = make([]error, len(group))
	w.conn.delayed = nil
	w.hooks.Begin()
	err = w.conn.Exec("BEGIN IMMEDIATE")
	for i := 0; i < len(group) && err == nil; i++ {
		outcomes[i], err = apply(group[i])
		if err == nil && w.conn.conn.AutocommitEnabled() { // the database gave up the whole transaction
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

// undo undoes the transaction under way, if there is one, because of an error.
func (w *writer) undo(err error) error {
	if !w.conn.conn.AutocommitEnabled() {
		err = errors.Join(err, w.conn.Exec("ROLLBACK"))
	}
	return err
}

// plainly carries out one change; if it fails, so does its whole transaction.
func (w *writer) plainly(c *change) (outcome, err error) {
	outcome = w.carryOut(c)
	return outcome, outcome
}

// Guarded carries out one change in a savepoint.
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

// carryOut runs one change, unless nobody waits for it any more.
func (w *writer) carryOut(c *change) error {
	if c.ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, context.Cause(c.ctx))
	}
	return protect(c.run, w.conn)
}

// protect runs a change; a panic in it is its own error, not the writer's end.
func protect(run func(Conn) error, c Conn) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return run(c)
}
