package imports

import (
	"context"
	"encoding/json"
	"errors"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// title says what the job of an import does.
func title(payload []byte) message.Text {
	var o order
	if err := json.Unmarshal(payload, &o); err != nil {
		return message.New("Import a file")
	}
	return message.New("Import %s", o.File)
}

// said says what became of an import.
func said(note []byte) message.Text {
	var c Counts
	if err := json.Unmarshal(note, &c); err != nil {
		return message.Text{}
	}
	return c.Said()
}

// Said says what became of the rows of an import.
func (c Counts) Said() message.Text {
	return message.New("%d added, %d changed, %d the same, %d refused, %d not written", c[RowNew], c[RowChanged], c[RowSame],
		c[RowRefused], c[RowLeft])
}

// do checks or writes the rows of an import.
func (s *Service) do(ctx context.Context, r *jobs.Run) error {
	var o order
	if err := r.Payload(&o); err != nil {
		return err
	}
	k, err := Kind(o.Kind)
	if err != nil {
		return err
	}
	table, err := s.table(ctx, r.ID(), s.tables.begin)
	if err != nil {
		return err
	}
	i, err := s.plan(table, k, o.Choice, o.Writing)
	if err != nil {
		return err
	}
	i.Whole = o.Whole
	i.change = func(ctx context.Context, f func(*store.Tx, desk.Caller) error) error {
		return r.Change(ctx, s.desk.Updating(k), func(tx *store.Tx, who desk.Caller) error {
			if err := May(who, k); err != nil {
				return err
			}
			if o.Confirmed {
				who = who.ConfirmedBefore()
			}
			return f(tx, who)
		})
	}
	done := 0
	i.note = func(ctx context.Context, tx *store.Tx, rows []int, fates []Row) error {
		steps := make([]queue.Step, len(rows))
		for n := range rows {
			if steps[n], err = stepOf(rows[n], &fates[n]); err != nil {
				return err
			}
		}
		if err := queue.SetSteps(ctx, tx, r.ID(), steps); err != nil {
			return err
		}
		return r.Progress(ctx, tx, int64(min(done+len(rows), o.Rows)), int64(o.Rows))
	}
	i.noted = func(ctx context.Context, tx *store.Tx, at int) (row Row, err error) {
		steps, err := queue.Steps(ctx, tx, r.ID(), int64(at), 1)
		if err == nil && len(steps) == 1 {
			row, err = rowOf(steps[0])
		}
		return row, err
	}
	i.Progress = func(n, _ int) { done = n }
	who, err := r.Caller(ctx)
	if err != nil {
		return err
	}
	if o.Phase == checking {
		return s.check(ctx, r, who, i)
	}
	defer s.tables.drop(r.ID())
	return s.write(ctx, r, who, i, &o)
}

// check checks all rows, and leaves the next word to the person.
func (s *Service) check(ctx context.Context, r *jobs.Run, who desk.Caller, i *Import) error {
	err := r.ClearSteps(ctx)
	if err == nil {
		_, err = Check(ctx, s.desk, who, i)
	}
	if err == nil {
		err = jobs.ErrPark
	}
	return err
}

// write writes the rows that are left to be written.
func (s *Service) write(ctx context.Context, r *jobs.Run, who desk.Caller, i *Import, o *order) error {
	var was *Counts
	if err := r.Noted(&was); err != nil {
		return err
	}
	if was != nil { // all is done and recorded, but the process ended before the job did
		return was.refused(o.Whole)
	}
	checked, err := s.checked(ctx, r.ID(), len(i.Table.Rows))
	if err != nil {
		return err
	}
	report, failed := Write(ctx, s.desk, who, i, checked)
	if failed != nil && !errors.Is(failed, errRowRefused) {
		return failed
	}
	err = r.Update(ctx, func(tx *store.Tx, who desk.Caller) error {
		if err := s.noteRefused(ctx, tx, r.ID(), report); err != nil {
			return err
		}
		if err := r.Note(ctx, tx, int64(o.Rows), int64(o.Rows), report.Count); err != nil || failed != nil {
			return err
		}
		return s.record(ctx, tx, who, inventory.Created, r.ID(), o.File, report.Count.Said())
	})
	if err == nil {
		err = report.Count.refused(o.Whole)
	}
	return err
}

// refused returns why an import of all rows or none has failed that had written some before one was refused; nil for
// another.
func (c *Counts) refused(whole bool) error {
	if c == nil || !whole || c[RowNew]+c[RowChanged] == 0 || c[RowRefused]+c[RowLeft] == 0 {
		return nil
	}
	return desk.Refuse(desk.Conflict, "a row was refused, so all of them are taken back: somebody has changed records meanwhile")
}

// checked returns what was found of the rows of an import, and of those that were written already what has become of them.
func (s *Service) checked(ctx context.Context, id int64, rows int) (*Report, error) {
	err := s.desk.Store().Read(ctx, func(tx *store.Tx) error { return notTakenBack(ctx, tx, id) })
	if err != nil {
		return nil, err
	}
	return s.report(ctx, id, rows)
}

// notTakenBack refuses to go on with an import that was taken back, or is being taken back.
func notTakenBack(ctx context.Context, tx *store.Tx, id int64) error {
	back, err := queue.Has(ctx, tx, backKey(id))
	if back {
		err = desk.Refuse(desk.Conflict, "this import was taken back: begin it again with the file")
	}
	return err
}

// retried refuses to let an import be tried again that was taken back, or of users without the proof that its writing asks
// for.
func (s *Service) retried(ctx context.Context, tx *store.Tx, who desk.Caller, j *queue.Job) error {
	var o order
	err := json.Unmarshal(j.Payload, &o)
	if err == nil {
		err = notTakenBack(ctx, tx, j.ID)
	}
	if err != nil || o.Phase != writing {
		return err
	}
	return s.confirm(ctx, tx, who, o.Kind)
}

// confirm asks who imports users, or takes that back, for the proof of who they are.
func (s *Service) confirm(ctx context.Context, tx *store.Tx, who desk.Caller, item string) error {
	if item != inventory.Users.Item {
		return nil
	}
	return s.desk.StepUp(ctx, tx, who, 0)
}

// needed reports whether an import may still be taken back, whatever has kept that from being done, or what became of it
// is still of interest.
func (s *Service) needed(ctx context.Context, tx *store.Tx, j *queue.Job) (bool, error) {
	var o order
	if err := json.Unmarshal(j.Payload, &o); err != nil || o.Phase != writing {
		return false, err
	}
	now := s.desk.Now()
	back, err := queue.With(ctx, tx, backKey(j.ID))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return j.State == queue.Done && now.Before(j.Ended.Add(journalKept)), nil
	case err != nil:
		return false, err
	}
	return !back.State.Ended() || now.Before(j.Ended.Add(journalKept)) || now.Before(back.Ended.Add(undoTime)), nil
}

// report returns what becomes, or has become, of all rows, in brief.
func (s *Service) report(ctx context.Context, id int64, rows int) (*Report, error) {
	report := &Report{Rows: make([]Row, rows)}
	for at := 0; at < rows; {
		some, err := s.Rows(ctx, &State{ID: id, Stage: Writes}, nil, at, readSize)
		if err != nil {
			return nil, err
		}
		if len(some) == 0 {
			return nil, desk.Refuse(desk.Conflict, "the rows are to be checked first")
		}
		for _, one := range some {
			report.Rows[one.At] = one.brief()
		}
		at = some[len(some)-1].At + 1
	}
	return report.count(), nil
}

// readSize is how many steps are read at a time.
const readSize = 100

// noteRefused stores what is wrong with rows that were refused only when they were written, and of which that was not stored
// with others.
func (s *Service) noteRefused(ctx context.Context, tx *store.Tx, id int64, report *Report) error {
	var steps []queue.Step
	for at := range report.Rows {
		if row := &report.Rows[at]; row.Fate == RowRefused && row.Faults != nil {
			one, err := stepOf(at, row)
			if err != nil {
				return err
			}
			steps = append(steps, one)
		}
	}
	return queue.SetSteps(ctx, tx, id, steps)
}

// record writes one audit record for the whole of an import.
func (s *Service) record(ctx context.Context, tx *store.Tx, who desk.Caller, action string, id int64, file string, text message.Text) error {
	a := &inventory.Audit{Action: action, RecordType: Handler, RecordID: kind.Some(id), RecordName: file}
	a.Say(text)
	who.Origin = origin
	return s.desk.AppendAudits(ctx, tx, who, a)
}

// ended takes back what a job has written that was stopped or has failed.
func (s *Service) ended(ctx context.Context, tx *store.Tx, j *queue.Job) error {
	if j.State == queue.Done {
		return nil
	}
	now, err := queue.Look(ctx, tx, j.ID) // who has stopped it is not in what its process has read
	if err != nil {
		return err
	}
	var o order
	if err := json.Unmarshal(now.Payload, &o); err != nil || o.Phase != writing {
		return err
	}
	marks, err := queue.Marks(ctx, tx, j.ID)
	if err != nil || marks[int64(RowNew)]+marks[int64(RowChanged)] == 0 {
		return err
	}
	back := backOrder{Import: j.ID, Kind: o.Kind, File: o.File, Total: marks[int64(RowNew)] + marks[int64(RowChanged)]}
	if j.State == queue.Stopped {
		back.StoppedBy = o.StoppedBy
	}
	_, _, err = s.jobs.Add(ctx, tx, desk.Caller{Origin: origin}, back.job()) // nobody's: the person may have no rights any more
	return err
}

// stopped notes who stops an import.
func (s *Service) stopped(ctx context.Context, tx *store.Tx, who desk.Caller, j *queue.Job) error {
	var o order
	if err := json.Unmarshal(j.Payload, &o); err != nil || who.User == nil {
		return err
	}
	o.StoppedBy = who.User.Email
	payload, err := json.Marshal(o)
	if err != nil {
		return err
	}
	j.Payload = payload
	return queue.SetPayload(ctx, tx, j.ID, payload)
}
