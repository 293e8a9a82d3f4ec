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
	Import    int64  `json:"import"` // its job
	Kind      string `json:"kind"`
	File      string `json:"file"`
	Total     int    `json:"total"`
	StoppedBy string `json:"stoppedBy,omitempty"` // who has stopped the import, "" when nobody has
}

// A backTally is how far it is.
type backTally struct {
	Below    int64 `json:"below"` // the step that it has come down to
	Back     int   `json:"back"`
	Stay     int   `json:"stay"`
	Gone     int   `json:"gone,omitempty"`     // rows whose records somebody had deleted
	Recorded bool  `json:"recorded,omitempty"` // all is done, and the audit trail says so
}

// rows returns of how many rows it is known what has become.
func (t *backTally) rows() int { return t.Back + t.Stay + t.Gone }

// count counts a row.
func (t *backTally) count(fate RowFate) {
	switch fate {
	case RowStays:
		t.Stay++
	case RowGone:
		t.Gone++
	default:
		t.Back++
	}
}

// backKey is the key of the job that takes an import back: there is one at most.
func backKey(id int64) string { return fmt.Sprintf("%s/%d", backHandler, id) }

// job returns the job of the order.
func (o backOrder) job() jobs.Job {
	return jobs.Job{Handler: backHandler, Key: backKey(o.Import), Once: true, Payload: o, Total: int64(o.Total)}
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
	tally backTally
}

// takeBack takes an import back: first each record that nobody has changed or used since, the last one first, then the
// further rows about these records.
func (s *Service) takeBack(ctx context.Context, r *jobs.Run) error {
	b := &backing{Service: s, run: r, tally: backTally{Below: math.MaxInt64}}
	err := errors.Join(r.Payload(&b.order), r.Noted(&b.tally))
	if err != nil || b.tally.Recorded {
		return err
	}
	if b.kind, err = Kind(b.order.Kind); err != nil {
		return err
	}
	if err := b.complete(ctx); err != nil {
		return err
	}
	if err := b.records(ctx); err != nil {
		return err
	}
	if err := b.followers(ctx); err != nil {
		return err
	}
	return r.Update(ctx, func(tx *store.Tx, who desk.Caller) error {
		if err := s.record(ctx, tx, who, inventory.Deleted, b.order.Import, b.order.File, b.said()); err != nil {
			return err
		}
		t := b.tally
		t.Recorded = true
		return b.note(ctx, tx, t)
	})
}

// backRetried asks for the proof that taking users back asks for.
func (s *Service) backRetried(ctx context.Context, tx *store.Tx, who desk.Caller, j *queue.Job) error {
	var o backOrder
	if err := json.Unmarshal(j.Payload, &o); err != nil {
		return err
	}
	return s.confirm(ctx, tx, who, o.Kind)
}

// writtenMarks are the marks of rows that were written, and not taken back.
var writtenMarks = []int64{int64(RowNew), int64(RowChanged)}

// complete refuses an import some of whose rows are no longer kept.
func (b *backing) complete(ctx context.Context) error {
	return b.desk.Store().View(ctx, func(tx *store.Tx) error {
		marks, err := queue.Marks(ctx, tx, b.order.Import)
		if err == nil && marks[int64(RowNew)]+marks[int64(RowChanged)]+b.tally.rows() < b.order.Total {
			err = desk.Refuse(desk.Conflict, "rows of this import are no longer kept, so it can't be taken back")
		}
		return err
	})
}

// said says what was taken back.
func (b *backing) said() message.Text {
	t, rows := b.tally, func(n int) message.Count { return message.Count{N: int64(n), Noun: "row"} }
	said := []message.Text{message.New("Import of %s taken back: %s, %d stay", b.order.File, rows(t.Back), t.Stay)}
	if t.Gone > 0 {
		said = append(said, message.New("%s deleted by others before", rows(t.Gone)))
	}
	if b.order.StoppedBy != "" {
		said = append(said, message.New("it was stopped by %s", b.order.StoppedBy))
	}
	return message.Joined(said, "; ")
}

// note stores how far the job is.
func (b *backing) note(ctx context.Context, tx *store.Tx, t backTally) error {
	return b.run.Note(ctx, tx, int64(t.rows()), int64(b.order.Total), t)
}

// records takes back the records of the import.
func (b *backing) records(ctx context.Context) error {
	for {
		steps, err := b.next(ctx)
		if err != nil || len(steps) == 0 {
			return err
		}
		b.tally, err = b.batch(ctx, steps)
		if denied, ok := errors.AsType[denied](err); ok {
			return denied.why
		}
		if err != nil {
			return err
		}
	}
}

// next returns the steps of the import that come next, the last first.
func (b *backing) next(ctx context.Context) (steps []queue.Step, err error) {
	err = b.desk.Store().Read(ctx, func(tx *store.Tx) error {
		steps, err = queue.StepsBack(ctx, tx, b.order.Import, b.tally.Below, chunkSize)
		return err
	})
	return steps, err
}

// denied ends the job since its person may take nothing back any more. It is no refusal of a row.
type denied struct{ why error }

func (d denied) Error() string { return d.why.Error() }

// batch takes back the records of some rows. Of several rows about one record the first has what takes it back.
func (b *backing) batch(ctx context.Context, steps []queue.Step) (backTally, error) {
	rows := make([]Row, len(steps))
	for i := range steps {
		var err error
		if rows[i], err = rowOf(steps[i]); err != nil {
			return b.tally, err
		}
	}
	return jobs.Batch[backTally]{
		Size: len(rows), Updating: b.desk.Updating(b.kind),
		One: func(tx *store.Tx, who desk.Caller, i int, t *backTally) error {
			if err := May(who, b.kind); err != nil {
				return denied{err}
			}
			if rows[i].Version == 0 {
				t.Below = steps[i].Number
				return nil
			}
			fate, err := b.one(ctx, tx, who.ConfirmedBefore(), &rows[i])
			if err != nil {
				return err
			}
			return b.decide(ctx, tx, steps[i].Number, rows[i], fate, t)
		},
		Refused: func(tx *store.Tx, i int, why error, t *backTally) error {
			row := rows[i]
			row.Faults = faultsOf(why)
			return b.decide(ctx, tx, steps[i].Number, row, RowStays, t)
		},
		Note: func(tx *store.Tx, t *backTally) error { return b.note(ctx, tx, *t) },
	}.Do(ctx, b.run, b.tally)
}

// decide stores what has become of the record of a row, and so of the row, unless it had changed nothing.
func (b *backing) decide(ctx context.Context, tx *store.Tx, number int64, row Row, fate RowFate, t *backTally) error {
	t.Below, row.Became = number, fate
	if row.Fate != RowSame {
		row.Fate = fate
		t.count(fate)
	}
	if fate != RowBack {
		row.Says, row.Changes = "", nil
	}
	one, err := stepOf(int(number)-1, &row)
	if err != nil {
		return err
	}
	return queue.SetSteps(ctx, tx, b.order.Import, []queue.Step{one})
}

// followers stores what has become of the further rows about records: what became of the first one.
func (b *backing) followers(ctx context.Context) error {
	for {
		t, n := b.tally, 0
		err := b.run.Update(ctx, func(tx *store.Tx, _ desk.Caller) error {
			t = b.tally
			steps, err := queue.Marked(ctx, tx, b.order.Import, writtenMarks, 0, chunkSize)
			n = len(steps)
			for i := range steps {
				if err == nil {
					err = b.follow(ctx, tx, &steps[i], &t)
				}
			}
			if err != nil || n == 0 {
				return err
			}
			if err := queue.SetSteps(ctx, tx, b.order.Import, steps); err != nil {
				return err
			}
			return b.note(ctx, tx, t)
		})
		if err != nil || n == 0 {
			return err
		}
		b.tally = t
	}
}

// follow sets in the step of a row what has become of its record.
func (b *backing) follow(ctx context.Context, tx *store.Tx, one *queue.Step, t *backTally) error {
	row, err := rowOf(*one)
	if err != nil {
		return err
	}
	lead, err := b.leadOf(ctx, tx, row.Lead)
	if err != nil {
		return err
	}
	row.Fate, row.Made, row.Faults = lead.Became, lead.Made, lead.Faults
	t.count(row.Fate)
	*one, err = stepOf(int(one.Number)-1, &row)
	return err
}

// leadOf returns the first row about a record. Imports of earlier versions do not say which one that is.
func (b *backing) leadOf(ctx context.Context, tx *store.Tx, number int64) (row Row, err error) {
	steps, err := queue.Steps(ctx, tx, b.order.Import, number-1, 1)
	if err == nil && number > 0 && len(steps) == 1 && steps[0].Number == number {
		row, err = rowOf(steps[0])
	}
	if row.Became == 0 {
		row.Became = RowBack
	}
	return row, err
}

// faultsOf returns why a row was refused.
func faultsOf(err error) []message.Text {
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return e.Faults
	}
	return []message.Text{message.Of(err)}
}

// one takes the record of a row back, or refuses it: one that the import has made is deleted, and one that it has changed
// gets back what it had.
func (b *backing) one(ctx context.Context, tx *store.Tx, who desk.Caller, row *Row) (RowFate, error) {
	rec, err := tx.Get(ctx, b.kind, row.ID)
	if errors.Is(err, store.ErrNotFound) {
		return RowGone, nil
	}
	if err != nil {
		return 0, err
	}
	if b.kind.Meta(rec).Version != row.Version {
		return 0, desk.Refuse(desk.Changed, "somebody has changed it since")
	}
	if row.Was == nil {
		if err := desk.Used(ctx, tx, b.kind, rec); err != nil {
			return 0, err
		}
		return RowBack, (&desk.Work{Desk: b.desk, Tx: tx, Who: who, Kind: b.kind, Old: rec}).Remove(ctx)
	}
	return RowBack, b.restore(ctx, tx, who, rec, row)
}

// restore gives a record back what it had.
func (b *backing) restore(ctx context.Context, tx *store.Tx, who desk.Caller, rec any, row *Row) error {
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
