package exports

import (
	"context"
	"errors"
	"math"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/kind"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// do writes the file of an export. One that was begun before is begun anew: a compressed file cannot be gone on with.
func (s *Service) do(ctx context.Context, r *jobs.Run) error {
	e := &export{Service: s, run: r}
	if err := r.Payload(&e.order); err != nil {
		return err
	}
	err := e.write(ctx)
	if errors.Is(err, store.ErrFull) { // each other try would fill the disk once more
		return desk.Refuse(desk.Conflict, "the disk of the database has no room for the file: make room, or export fewer rows")
	}
	return err
}

// An export is a job while it is done. It is where the file is written to: what fits into a part of it is stored.
type export struct {
	*Service
	run   *jobs.Run
	order order
	kind  *kind.Schema
	rest  []byte // that is not stored yet
	parts int64  // that are stored
	size  int64  // of all
	rows  int64
	total int64
}

// write writes the file.
func (e *export) write(ctx context.Context) error {
	who, err := e.begin(ctx)
	if err != nil {
		return err
	}
	q, err := e.kind.ParseQuery(e.order.Query, e.order.At)
	if err != nil {
		return err
	}
	ids, err := e.desk.IDs(ctx, who, e.kind, q)
	if err != nil {
		return err
	}
	e.total = int64(len(ids))
	w, err := e.writer()
	if err != nil {
		return err
	}
	err = e.desk.Each(ctx, who, e.kind, ids, func(recs []any) error {
		if err := w.Add(recs); err != nil {
			return err
		}
		e.rows += int64(len(recs))
		return e.store(ctx, false)
	})
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return err
	}
	return e.store(ctx, true)
}

// begin makes room for the file, and returns on whose behalf this try reads.
func (e *export) begin(ctx context.Context) (who desk.Caller, err error) {
	err = e.run.Update(ctx, func(tx *store.Tx, now desk.Caller) error {
		who = now
		if err := e.may(who, &e.order); err != nil {
			return err
		}
		return e.run.Progress(ctx, tx, 0, e.order.Rows)
	})
	if err == nil {
		err = e.makeRoom(ctx, who)
	}
	e.kind = e.kindOf(e.order.Kind)
	return who, err
}

// makeRoom removes the person's files that were given up.
func (e *export) makeRoom(ctx context.Context, who desk.Caller) error {
	var all []queue.Job
	err := e.desk.Store().View(ctx, func(tx *store.Tx) (err error) {
		all, err = queue.List(ctx, tx, queue.Filter{Ended: true, State: queue.Done, UserID: who.User.ID, Handler: Handler,
			After: e.desk.Now().Add(-keptFor), Most: math.MaxInt64})
		return err
	})
	for _, j := range all {
		if err == nil && resultOf(&j).Removed {
			err = e.run.ClearFileOf(ctx, j.ID)
		}
	}
	return err
}

// writer returns what writes records into the file.
func (e *export) writer() (*Writer, error) {
	of := &Sheet{Title: e.order.Title, Heads: e.order.Heads}
	for _, name := range e.order.Fields {
		f := e.kind.Field(name)
		if f == nil {
			return nil, desk.Refuse(desk.NotFound, "the column %s is no longer there: export the list again", name)
		}
		of.Fields = append(of.Fields, f)
	}
	f := formatOf(e.order.Format)
	if f == nil {
		return nil, desk.Refuse(desk.NotFound, "there are no files %s", e.order.Format)
	}
	return NewWriter(e, f, e.kind, of, e.spell(e.order.Writing)), nil
}

// Write takes what comes next in the file.
func (e *export) Write(p []byte) (int, error) {
	if e.size += int64(len(p)); e.size > e.mostSize {
		return 0, desk.Refuse(desk.Conflict, "the file would be larger than %d MB: export fewer rows or columns", e.mostSize>>20)
	}
	e.rest = append(e.rest, p...)
	return len(p), nil
}

// store stores the parts of the file that are whole, at its end also the last one, and how far the job is. It is where a
// job ends whose person may see something else by now.
func (e *export) store(ctx context.Context, end bool) error {
	if err := e.jobs.CheckRoom(int64(len(e.rest))); err != nil {
		return err
	}
	rest, parts := e.rest, e.parts
	err := e.run.Update(ctx, func(tx *store.Tx, who desk.Caller) error {
		rest, parts = e.rest, e.parts // the transaction may be run again
		if err := e.may(who, &e.order); err != nil {
			return err
		}
		for len(rest) >= queue.PartSize || end && len(rest) > 0 {
			part := rest[:min(len(rest), queue.PartSize)]
			if err := queue.PutPart(ctx, tx, e.run.ID(), parts, part); err != nil {
				return err
			}
			rest, parts = rest[len(part):], parts+1
		}
		if end {
			return e.run.Note(ctx, tx, e.rows, e.rows, result{Rows: e.rows, Bytes: e.size})
		}
		return e.run.Progress(ctx, tx, e.rows, e.total)
	})
	if err == nil {
		e.rest, e.parts = append(e.rest[:0], rest...), parts
	}
	return err
}
