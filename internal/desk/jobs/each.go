package jobs

import (
	"context"
	"errors"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/store"
)

// A Batch is some things that a job does in one transaction, each of which may be refused alone. A T is how far the job
// is: what all of them are counted in.
type Batch[T any] struct {
	Size     int
	Updating func(context.Context, func(*store.Tx) error) error // runs a transaction
	One      func(tx *store.Tx, who desk.Caller, i int, t *T) error
	Refused  func(tx *store.Tx, i int, why error, t *T) error
	Note     func(tx *store.Tx, t *T) error // at the end of each transaction
}

// Do does the things, and returns how far the job is then. Where one is refused, each has a transaction of its own, so that
// nothing of the refused one stays.
func (b Batch[T]) Do(ctx context.Context, r *Run, before T) (T, error) {
	after, err := b.part(ctx, r, before, 0, b.Size, nil)
	if !IsRefusal(err) {
		return after, err
	}
	for i := range b.Size {
		after, err = b.part(ctx, r, before, i, i+1, nil)
		if IsRefusal(err) {
			after, err = b.part(ctx, r, before, i, i+1, err)
		}
		if err != nil {
			return before, err
		}
		before = after
	}
	return before, nil
}

// part does some of the things in one transaction, or with a refusal notes that.
func (b Batch[T]) part(ctx context.Context, r *Run, before T, from, to int, refusal error) (after T, err error) {
	err = r.Change(ctx, b.Updating, func(tx *store.Tx, who desk.Caller) error {
		after = before
		for i := from; i < to; i++ {
			var err error
			if refusal == nil {
				err = b.One(tx, who, i, &after)
			} else {
				err = b.Refused(tx, i, refusal, &after)
			}
			if err != nil {
				return err
			}
		}
		return b.Note(tx, &after)
	})
	if err != nil {
		return before, err
	}
	return after, nil
}

// IsRefusal reports whether a change was refused, rather than the database away or the job ended. Another try would not
// help.
func IsRefusal(err error) bool {
	_, refused := errors.AsType[*desk.Error](err)
	_, invalid := errors.AsType[*kind.Invalid](err)
	return refused || invalid
}
