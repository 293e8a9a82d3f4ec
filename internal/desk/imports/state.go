package imports

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// A Stage is how far an import is.
type Stage uint8

// Stages of imports.
const (
	Matching Stage = iota // columns are matched by the person
	Checking              // rows are checked
	Checked               // the person looks at what would become of them
	Writes                // rows are written
	Written
	TakingBack
	TakenBack
)

// Runs reports whether the server is at work.
func (s Stage) Runs() bool { return s == Checking || s == Writes || s == TakingBack }

// A State is how far an import is, and what was chosen for it.
type State struct {
	ID       int64
	Kind     *kind.Schema
	File     string
	Size     int
	Rows     int
	Choice   Choice
	Stage    Stage
	Done     int          // rows, while the server is at work
	Total    int          // of so many
	Count    Counts       // rows by what becomes of them
	Fault    message.Text // why it came to nothing, or is tried again
	Undoable bool
	Until    time.Time // when it can no longer be undone
	Back     int64     // the job that takes it back, 0 for none
	Broken   bool      // that has failed, or was stopped
}

// Of returns how far an import is, to who has begun it and to administrators.
func (s *Service) Of(ctx context.Context, who desk.Caller, id int64) (*State, error) {
	j, err := s.job(ctx, who, id)
	if err != nil {
		return nil, err
	}
	var o order
	if err := json.Unmarshal(j.Payload, &o); err != nil {
		return nil, err
	}
	k, err := Kind(o.Kind)
	if err != nil {
		return nil, err
	}
	st := &State{ID: id, Kind: k, File: o.File, Size: o.Size, Rows: o.Rows, Choice: o.Choice, Done: int(j.Done),
		Total: o.Rows, Fault: jobs.Fault(&j)}
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		if err := st.follow(ctx, tx, &j, &o); err != nil || st.Stage.Runs() {
			return err
		}
		marks, err := queue.Marks(ctx, tx, id)
		st.count(marks)
		written := marks[int64(RowNew)]+marks[int64(RowChanged)] > 0
		if st.Stage == Written {
			st.Until = j.Ended.Add(undoTime)
		}
		st.Undoable = written && s.desk.Now().Before(st.Until)
		return err
	})
	return st, err
}

// follow sets the stage of an import from its job and from the one that takes it back, if there is one.
func (st *State) follow(ctx context.Context, tx *store.Tx, j *queue.Job, o *order) error {
	back, err := queue.With(ctx, tx, backKey(st.ID))
	if errors.Is(err, store.ErrNotFound) {
		st.stage(j, o)
		return nil
	}
	if err != nil {
		return err
	}
	st.Back, st.Stage = back.ID, TakingBack
	if back.State.Ended() {
		st.Stage = TakenBack
	}
	st.Done, st.Total = int(back.Done), int(back.Total)
	switch {
	case back.State == queue.Stopped:
		st.Fault = message.New("taking the import back was stopped")
	case back.State == queue.Failed, st.Fault.IsZero():
		st.Fault = jobs.Fault(&back)
	}
	if st.Broken = back.State == queue.Failed || back.State == queue.Stopped; st.Broken {
		st.Until = back.Ended.Add(undoTime)
	}
	return nil
}

// stage sets how far an import is that is not taken back.
func (st *State) stage(j *queue.Job, o *order) {
	switch {
	case o.Phase == writing && j.State.Ended():
		st.Stage = Written
	case o.Phase == writing:
		st.Stage = Writes
	case o.Phase == matching:
		st.Stage = Matching
	case j.State == queue.Draft:
		st.Stage = Checked
	case j.State.Ended():
		st.Stage = Matching
	default:
		st.Stage = Checking
	}
	if j.State == queue.Stopped {
		st.Fault = message.New("the import was stopped")
	}
}

// A Place is a row of the file, and what becomes of it.
type Place struct {
	At int // from 0
	Row
}

// planned is added to the marks of rows that are to be written, until they are.
const planned = 100

// markOf returns the mark of the step of a row.
func markOf(row *Row) int64 {
	if (row.Fate == RowNew || row.Fate == RowChanged) && !row.Written {
		return int64(row.Fate) + planned
	}
	return int64(row.Fate)
}

// marksOf returns the marks of the rows with a fate, in an import at a stage.
func marksOf(fate RowFate, stage Stage) []int64 {
	switch {
	case fate == RowLeft && stage > Checked:
		return []int64{int64(RowNew) + planned, int64(RowChanged) + planned}
	case (fate == RowNew || fate == RowChanged) && stage <= Checked:
		return []int64{int64(fate) + planned}
	}
	return []int64{int64(fate)}
}

// Rows returns some rows of an import in their order, of one fate or of all, after some that are skipped.
func (s *Service) Rows(ctx context.Context, st *State, fate *RowFate, skip, most int) (found []Place, err error) {
	var steps []queue.Step
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		if fate == nil {
			steps, err = queue.Steps(ctx, tx, st.ID, int64(skip), most) // there is one for each row
		} else {
			steps, err = queue.Marked(ctx, tx, st.ID, marksOf(*fate, st.Stage), skip, most)
		}
		return err
	})
	for _, one := range steps {
		row, err := st.rowOf(one)
		if err != nil {
			return nil, err
		}
		found = append(found, Place{int(one.Number) - 1, row})
	}
	return found, err
}

// rowOf returns the row of a step, of which nothing more becomes.
func (st *State) rowOf(one queue.Step) (Row, error) {
	if one.Mark >= planned && st.Stage > Checked && !st.Stage.Runs() {
		return Row{Fate: RowLeft}, nil
	}
	return rowOf(one)
}

// rowOf returns the row of a step.
func rowOf(one queue.Step) (row Row, err error) {
	row.Fate = RowFate(one.Mark % planned)
	return row, json.Unmarshal(one.Document, &row)
}

// stepOf returns the step of a row.
func stepOf(at int, row *Row) (queue.Step, error) {
	document, err := json.Marshal(row)
	return queue.Step{Number: int64(at) + 1, Mark: markOf(row), Document: document}, err
}

// count sets how many rows have each fate.
func (st *State) count(marks map[int64]int) {
	for fate := range st.Count {
		for _, mark := range marksOf(RowFate(fate), st.Stage) {
			st.Count[fate] += marks[mark]
		}
	}
}
