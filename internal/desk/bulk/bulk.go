// Package bulk sets a field of many records, as a job beside requests, says how far it is, and takes it back.
// How one record is changed, and who may, is the desk's.
package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// A Change is a change of one field of many records at once. Each record is
// changed by itself, with its own rules and audit record.
type Change struct {
	Job      int64
	Field    string
	Value    string // that it gets, "" for none
	Undoes   bool
	Total    int
	Done     int // of them, whatever became of each
	Changed  int // of these
	Failed   int
	Failures []Failure // the first ones
	State    queue.State
	Fault    message.Text // why it has failed, or is tried again
	Undoable bool
}

// A Failure is a record that could not be changed, and why.
type Failure struct {
	ID  int64
	Why message.Text
}

// A Service changes many records of a desk.
type Service struct {
	desk *desk.Desk
	jobs *jobs.Service
}

// New returns the service on a desk, whose jobs do the work.
func New(d *desk.Desk, j *jobs.Service) *Service {
	s := &Service{d, j}
	j.Handle(&jobs.Handler{Name: Handler, Title: s.title, Do: s.do, Said: said, Retried: s.retried})
	return s
}

// Handler is the name of the jobs.
const Handler = "change-many"

// Limits of changes of many records.
const (
	few         = 50  // that are changed before Start returns
	batchSize   = 25  // changed in one transaction, so that others wait little
	maxFailures = 100 // that are listed one by one
)

// An order is what a job is to do: a value for records with some ids, or to take another job back.
type order struct {
	Kind  string  `json:"kind"` // the item element
	Field string  `json:"field"`
	Value string  `json:"value"`
	IDs   []int64 `json:"ids,omitempty"`
	Undo  int64   `json:"undo,omitempty"`
	Total int     `json:"total"`
}

// A tally is how far a job is.
type tally struct {
	Done    int   `json:"done"`
	Changed int   `json:"changed"`
	Failed  int   `json:"failed"`
	Below   int64 `json:"below,omitempty"` // of an undo: the step of the other job that it has come down to
}

// Marks of steps.
const (
	changed int64 = iota
	refused
)

// A step is what became of a record, under its place among all.
type step struct {
	ID      int64         `json:"id"`
	Version int64         `json:"v,omitempty"` // that the change has made
	Was     string        `json:"was,omitempty"`
	Why     *message.Text `json:"why,omitempty"` // it was not changed
}

// Start begins to set a field of records with some ids. Few are done when it
// returns; with many it goes on, and Progress says how far it is.
func (s *Service) Start(
	ctx context.Context, who desk.Caller, k *kind.Schema, ids []int64, field, value string,
) (*Change, error) {
	return s.start(ctx, who, k, jobs.Job{}, order{Kind: k.Item, Field: field, Value: value, IDs: ids, Total: len(ids)})
}

// Undo takes back a change of many records, of those that nobody has changed
// since.
func (s *Service) Undo(ctx context.Context, who desk.Caller, k *kind.Schema, job int64) (*Change, error) {
	done, err := s.Progress(ctx, who, k, job)
	if err != nil {
		return nil, err
	}
	if !done.Undoable {
		return nil, desk.Refuse(desk.Conflict, "this change cannot be undone")
	}
	return s.start(ctx, who, k, jobs.Job{Key: undoKey(job), Once: true},
		order{Kind: k.Item, Field: done.Field, Undo: job, Total: done.Changed})
}

// retried refuses to let a change go on that was undone, or is being undone: the two would go against each other.
func (s *Service) retried(ctx context.Context, tx *store.Tx, _ desk.Caller, j *queue.Job) error {
	return notUndone(ctx, tx, j.ID)
}

// notUndone refuses a change that was undone, or is being undone.
func notUndone(ctx context.Context, tx *store.Tx, job int64) error {
	undone, err := queue.Has(ctx, tx, undoKey(job))
	if undone {
		err = desk.Refuse(desk.Conflict, "this change was undone, so it can't go on: make it once more")
	}
	return err
}

// ended refuses to undo a change that goes on.
func ended(ctx context.Context, tx *store.Tx, job int64) error {
	idle, err := queue.Idle(ctx, tx, job)
	if err != nil || idle {
		return err
	}
	j, err := queue.Look(ctx, tx, job)
	if err == nil && !j.State.Ended() {
		err = desk.Refuse(desk.Conflict, "this change goes on: stop it before you undo it")
	}
	return err
}

// undoKey is the key of the job that takes another back: there is one at most.
func undoKey(job int64) string { return fmt.Sprintf("%s/undo/%d", Handler, job) }

// start begins a job.
func (s *Service) start(ctx context.Context, who desk.Caller, k *kind.Schema, n jobs.Job, o order) (*Change, error) {
	if err := desk.May(who.User, desk.Changing, k); err != nil {
		return nil, err
	}
	n.Handler, n.Payload, n.Total = Handler, o, int64(o.Total)
	begin, busy := s.jobs.BeginHere, desk.Refuse(desk.Conflict, "this change was undone already")
	if o.Total > few {
		begin = s.jobs.Begin
	}
	if n.Key == "" && o.Total > few {
		n.Key = fmt.Sprintf("%s/%d", Handler, who.User.ID)
		busy = desk.Refuse(desk.Conflict, "another change of many records of yours is under way: wait until it is done")
	}
	j, err := begin(ctx, who, n, func(tx *store.Tx, _ int64) error {
		if o.Undo == 0 {
			return nil
		}
		return ended(ctx, tx, o.Undo)
	}, busy)
	if err != nil {
		return nil, err
	}
	return s.change(ctx, &j)
}

// title says what a job does.
func (s *Service) title(payload []byte) message.Text {
	var o order
	if err := json.Unmarshal(payload, &o); err != nil {
		return message.New("Change many records")
	}
	field := message.Word(o.Field)
	if k := s.kindOf(o.Kind); k != nil {
		field = message.Word(k.Field(o.Field).Label)
	}
	switch {
	case o.Undo != 0:
		return message.New("Undo the change of %s of %s", field, records(o.Total))
	case o.Value == "":
		return message.New("Clear %s of %s", field, records(o.Total))
	}
	return message.New("Set %s to %s for %s", field, o.Value, records(o.Total))
}

// records returns a number of records in words.
func records(n int) message.Count { return message.Count{N: int64(n), Noun: "record"} }

// said says what became of a job.
func said(note []byte) message.Text {
	var t tally
	if err := json.Unmarshal(note, &t); err != nil || t.Failed == 0 {
		return message.New("%s changed", records(t.Changed))
	}
	return message.New("%s changed, %s not changed", records(t.Changed), records(t.Failed))
}

// KindOf returns the kind of the records that a job changes, or nil.
func (s *Service) KindOf(j *queue.Job) *kind.Schema {
	var o order
	if err := json.Unmarshal(j.Payload, &o); err != nil {
		return nil
	}
	return s.kindOf(o.Kind)
}

// kindOf returns the kind with an item element, or nil.
func (s *Service) kindOf(item string) *kind.Schema {
	for _, k := range s.desk.Store().Kinds() {
		if k.Item == item {
			return k
		}
	}
	return nil
}

// do sets the field of the records of a job that are left.
func (s *Service) do(ctx context.Context, r *jobs.Run) error {
	var o order
	var t tally
	if err := errors.Join(r.Payload(&o), r.Noted(&t)); err != nil {
		return err
	}
	k := s.kindOf(o.Kind)
	if k == nil {
		return desk.Refuse(desk.NotFound, "there are no such records any more")
	}
	c := &changing{s, r, k, &o}
	for {
		todo, err := c.next(ctx, &t)
		if err != nil || len(todo) == 0 {
			return err
		}
		if t, err = c.batch(ctx, t, todo); err != nil {
			return err
		}
	}
}

// A changing is a job while it is done.
type changing struct {
	*Service
	run   *jobs.Run
	kind  *kind.Schema
	order *order
}

// A wish is a record, the value that its field is to get, and in which version; 0 is any.
type wish struct {
	ID, Version int64
	Value       string
	Step        int64 // of the job that is undone
}

// next returns what is to be changed next, none when all is done.
func (c *changing) next(ctx context.Context, t *tally) (todo []wish, err error) {
	if c.order.Undo == 0 {
		for _, id := range c.order.IDs[t.Done:min(t.Done+batchSize, len(c.order.IDs))] {
			todo = append(todo, wish{ID: id, Value: c.order.Value})
		}
		return todo, nil
	}
	below := t.Below
	if below == 0 {
		below = math.MaxInt64
	}
	for len(todo) == 0 {
		steps, err := c.stepsBack(ctx, below)
		if err != nil || len(steps) == 0 {
			return nil, err
		}
		for _, one := range steps {
			var done step
			if err := json.Unmarshal(one.Document, &done); err != nil {
				return nil, err
			}
			if below = one.Number; one.Mark == changed {
				todo = append(todo, wish{done.ID, done.Version, done.Was, one.Number})
			}
		}
	}
	return todo, nil
}

// stepsBack returns the steps of the job that is undone below one, the last first.
func (c *changing) stepsBack(ctx context.Context, below int64) (steps []queue.Step, err error) {
	err = c.desk.Store().Read(ctx, func(tx *store.Tx) error {
		steps, err = queue.StepsBack(ctx, tx, c.order.Undo, below, batchSize)
		return err
	})
	return steps, err
}

// A batch is a tally with the steps that are not stored yet.
type batch struct {
	tally
	steps []queue.Step
}

// batch changes some records, and notes what became of each.
func (c *changing) batch(ctx context.Context, before tally, todo []wish) (tally, error) {
	after, err := jobs.Batch[batch]{
		Size: len(todo), Updating: c.desk.Updating(c.kind),
		One: func(tx *store.Tx, who desk.Caller, i int, b *batch) error {
			done := step{ID: todo[i].ID}
			if err := c.set(ctx, tx, who, todo[i], &done); err != nil {
				return err
			}
			return b.add(todo[i], &done)
		},
		Refused: func(_ *store.Tx, i int, refusal error, b *batch) error {
			text := why(refusal)
			return b.add(todo[i], &step{ID: todo[i].ID, Why: &text})
		},
		Note: func(tx *store.Tx, b *batch) error {
			if err := queue.SetSteps(ctx, tx, c.run.ID(), b.steps); err != nil {
				return err
			}
			b.steps = nil
			return c.run.Note(ctx, tx, int64(b.Done), int64(c.order.Total), b.tally)
		},
	}.Do(ctx, c.run, batch{tally: before})
	return after.tally, err
}

// add counts what became of a record, and adds the step of one that was changed or refused.
func (b *batch) add(one wish, done *step) error {
	b.count(done)
	b.Below = one.Step
	if done.Why == nil && done.Version == 0 {
		return nil // it had that value
	}
	mark := changed
	if done.Why != nil {
		mark = refused
	}
	document, err := json.Marshal(done)
	b.steps = append(b.steps, queue.Step{Number: int64(b.Done), Mark: mark, Document: document})
	return err
}

// count counts what became of a record.
func (t *tally) count(done *step) {
	t.Done++
	switch {
	case done.Why != nil:
		t.Failed++
	case done.Version != 0:
		t.Changed++
	}
}

// set gives one record its value.
func (c *changing) set(ctx context.Context, tx *store.Tx, who desk.Caller, one wish, done *step) error {
	target := desk.Target{Kind: c.kind, ID: one.ID}
	if one.Version != 0 {
		target.If = func(now int64) bool { return now == one.Version }
	}
	rec, old, err := c.desk.UpdateIn(ctx, tx, who, target, c.kind.ReadForm(url.Values{c.order.Field: {one.Value}}))
	if err != nil {
		return err
	}
	if version := c.kind.Meta(rec).Version; version != c.kind.Meta(old).Version {
		done.Version, done.Was = version, c.kind.Values(old).Format(c.kind.Field(c.order.Field))
	}
	return nil
}

// why returns why a record was not changed.
func why(err error) message.Text {
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return message.Joined(e.Faults, "; ")
	}
	if e, ok := errors.AsType[*desk.Error](err); ok {
		if e.Code == desk.Changed {
			return message.New("somebody has changed it since")
		}
		return e.Text
	}
	return message.New("it could not be stored")
}

// Progress returns how far a change of many records of a kind is, to whoever made
// it.
func (s *Service) Progress(ctx context.Context, who desk.Caller, k *kind.Schema, job int64) (*Change, error) {
	gone := desk.Refuse(desk.NotFound, "nothing is known of this change any more")
	j, err := s.jobs.Of(ctx, who, job)
	if jobs.IsRefusal(err) || err == nil && j.Handler != Handler {
		return nil, gone
	}
	if err != nil {
		return nil, err
	}
	var o order
	if err := json.Unmarshal(j.Payload, &o); err != nil {
		return nil, err
	}
	if o.Kind != k.Item {
		return nil, gone
	}
	return s.change(ctx, &j)
}

// change returns how far a job is.
func (s *Service) change(ctx context.Context, j *queue.Job) (*Change, error) {
	var o order
	var t tally
	err := json.Unmarshal(j.Payload, &o)
	if err == nil && j.Note != nil {
		err = json.Unmarshal(j.Note, &t)
	}
	if err != nil {
		return nil, err
	}
	b := &Change{Job: j.ID, Field: o.Field, Value: o.Value, Undoes: o.Undo != 0, Total: o.Total, Done: t.Done,
		Changed: t.Changed, Failed: t.Failed, State: j.State, Fault: jobs.Fault(j)}
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		if j.State.Ended() && !b.Undoes && b.Changed > 0 {
			undone, err := queue.Has(ctx, tx, undoKey(j.ID))
			if err != nil {
				return err
			}
			b.Undoable = !undone
		}
		if b.Failed == 0 {
			return nil
		}
		b.Failures, err = failures(ctx, tx, j.ID)
		return err
	})
	return b, err
}

// failures returns the first records that a job could not change.
func failures(ctx context.Context, tx *store.Tx, job int64) (found []Failure, err error) {
	steps, err := queue.Marked(ctx, tx, job, []int64{refused}, 0, maxFailures)
	for _, one := range steps {
		var s step
		if err := json.Unmarshal(one.Document, &s); err != nil {
			return nil, err
		}
		found = append(found, Failure{s.ID, *s.Why})
	}
	return found, err
}
