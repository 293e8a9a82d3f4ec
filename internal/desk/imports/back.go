package imports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// A backOrder is what a job is to do that takes an import back.
type backOrder struct {
	Import int64  `json:"import"` // its job
	Kind   string `json:"kind"`
	File   string `json:"file"`
	Total  int    `json:"total"`
}

// A backTally is how far it is.
type backTally struct {
	Below int64 `json:"below"` // the step that it has come down to
	Back  int   `json:"back"`
	Stay  int   `json:"stay"`
}

// backKey is the key of the job that takes an import back: there is one at most.
func backKey(id int64) string { return fmt.Sprintf("%s/%d", backHandler, id) }

// backJob returns the job that takes an import back.
func backJob(id int64, item, file string, rows int) jobs.Job {
	return jobs.Job{Handler: backHandler, Key: backKey(id), Once: true, Payload: backOrder{id, item, file, rows},
		Total: int64(rows)}
}

// backTitle says what such a job does.
func backTitle(payload []byte) message.Text {
	var o backOrder
	if err := json.Unmarshal(payload, &o); err != nil {
		return message.New("Take an import back")
	}
	return message.New("Take back the import of %s", o.File)
}

// A backing is an import that is being taken back.
type backing struct {
	*Service
	run   *jobs.Run
	kind  *kind.Schema
	order backOrder
}

// takeBack takes an import back, the last row first: each that nobody has changed or used since.
func (s *Service) takeBack(ctx context.Context, r *jobs.Run) error {
	b := &backing{Service: s, run: r}
	t := backTally{Below: math.MaxInt64}
	err := errors.Join(r.Payload(&b.order), r.Noted(&t))
	if err == nil {
		b.kind, err = Kind(b.order.Kind)
	}
	for err == nil {
		var rows []queue.Step
		if rows, err = b.next(ctx, t.Below); len(rows) == 0 {
			break
		}
		t, err = b.batch(ctx, t, rows)
	}
	if err != nil {
		return err
	}
	return r.Update(ctx, func(tx *store.Tx, who desk.Caller) error {
		return s.record(ctx, tx, who, inventory.Deleted, b.order.Import, b.order.File,
			message.New("Import of %s taken back: %s, %d stay", b.order.File, message.Count{N: int64(t.Back), Noun: "row"}, t.Stay))
	})
}

// next returns the steps of the import below one, the last first.
func (b *backing) next(ctx context.Context, below int64) (steps []queue.Step, err error) {
	err = b.desk.Store().Read(ctx, func(tx *store.Tx) error {
		steps, err = queue.StepsBack(ctx, tx, b.order.Import, below, chunkSize)
		return err
	})
	return steps, err
}

// batch takes some rows back.
func (b *backing) batch(ctx context.Context, t backTally, steps []queue.Step) (backTally, error) {
	rows := make([]Row, len(steps))
	for i := range steps {
		var err error
		if rows[i], err = rowOf(steps[i]); err != nil {
			return t, err
		}
	}
	end := func(tx *store.Tx, i int, row Row, t *backTally) error {
		t.Below = steps[i].Number
		one, err := stepOf(int(steps[i].Number)-1, &row)
		if err != nil {
			return err
		}
		return queue.SetSteps(ctx, tx, b.order.Import, []queue.Step{one})
	}
	return jobs.Batch[backTally]{
		Size: len(rows), Updating: b.desk.Updating(b.kind),
		One: func(tx *store.Tx, who desk.Caller, i int, t *backTally) error {
			row := rows[i]
			if !row.Written || row.Fate != RowNew && row.Fate != RowChanged {
				t.Below = steps[i].Number
				return nil
			}
			if err := b.one(ctx, tx, who.ConfirmedBefore(), &row); err != nil {
				return err
			}
			t.Back++
			row.Fate = RowBack
			return end(tx, i, row, t)
		},
		Refused: func(tx *store.Tx, i int, why error, t *backTally) error {
			row := rows[i]
			t.Stay++
			row.refuse(&Import{}, faultsOf(why)...)
			row.Fate = RowStays
			return end(tx, i, row, t)
		},
		Note: func(tx *store.Tx, t *backTally) error {
			return b.run.Note(ctx, tx, int64(t.Back+t.Stay), int64(b.order.Total), *t)
		},
	}.Do(ctx, b.run, t)
}

// faultsOf returns why a row was refused.
func faultsOf(err error) []message.Text {
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return e.Faults
	}
	return []message.Text{message.Of(err)}
}

// one takes one row back, or refuses it: a record that the import has made is deleted, and one that it has changed gets back
// what it had.
func (b *backing) one(ctx context.Context, tx *store.Tx, who desk.Caller, row *Row) error {
	if err := May(who, b.kind); err != nil {
		return err
	}
	if row.Version == 0 {
		return nil // another row has what takes this one back
	}
	rec, err := tx.Get(ctx, b.kind, row.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil // somebody has deleted it
	}
	if err != nil {
		return err
	}
	if b.kind.Meta(rec).Version != row.Version {
		return desk.Refuse(desk.Changed, "somebody has changed it since")
	}
	if row.Was == nil {
		if err := desk.Used(ctx, tx, b.kind, rec); err != nil {
			return err
		}
		return (&desk.Work{Desk: b.desk, Tx: tx, Who: who, Kind: b.kind, Old: rec}).Remove(ctx)
	}
	was, err := b.kind.Decode(row.Was)
	if err != nil {
		return err
	}
	if rec, err = b.change(ctx, tx, who, rec, was); err != nil || len(row.Told) == 0 {
		return err
	}
	release := url.Values{}
	for _, name := range row.Told {
		release.Set(name, "") // what the agent reports shows again
	}
	_, err = b.change(ctx, tx, who, rec, b.kind.ReadForm(release))
	return err
}

// change changes a record as a patch says.
func (b *backing) change(ctx context.Context, tx *store.Tx, who desk.Caller, old any, patch *kind.Patch) (rec any, err error) {
	w := &desk.Work{Desk: b.desk, Tx: tx, Who: who, Kind: b.kind, Rec: b.kind.Copy(old), Old: old}
	if err := w.Apply(ctx, patch); err != nil {
		return nil, err
	}
	return w.Rec, w.Replace(ctx)
}
