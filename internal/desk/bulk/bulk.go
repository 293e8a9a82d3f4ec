// Package bulk sets a field of many records, one by one and beside requests, says how far it is, and takes it back.
// How one record is changed, and who may, is the desk's.
package bulk

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/url"
	"sync"
	"time"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// A Change is a change of one field of many records at once. Each record is
// changed by itself, with its own rights, rules and audit record.
type Change struct {
	Key       string    `json:"-"`
	Kind      string    `json:"kind"` // the item element
	Field     string    `json:"field"`
	Value     string    `json:"value"` // that it gets, "" for none
	Undoes    bool      `json:"undoes"`
	Total     int       `json:"total"`
	Done      int       `json:"done"`    // of them, whatever became of each
	Changed   int       `json:"changed"` // of these
	Failed    int       `json:"failed"`
	Failures  []Failure `json:"failures"` // the first ones
	Ended     bool      `json:"ended"`
	Cut       bool      `json:"cut"` // it ended before all were done
	Undo      []Step    `json:"undo,omitempty"`
	UpdatedAt time.Time `json:"-"`
}

// A Failure is a record that could not be changed, and why.
type Failure struct {
	ID   int64        `json:"id"`
	Why  string       `json:"why"` // in English
	Text message.Text `json:"text"`
}

// Message returns why the record could not be changed, as far as it is known what that is made of.
func (f *Failure) Message() message.Text {
	if f.Text.String() != f.Why {
		return message.Plain(f.Why)
	}
	return f.Text
}

// A Step is a record and the value that its field gets, if it still is in a
// version; 0 is for any.
type Step struct {
	ID      int64  `json:"id"`
	Version int64  `json:"v"`
	Value   string `json:"to"`
}

// A Service changes many records of a desk.
type Service struct {
	desk *desk.Desk
	busy sync.Map // has the ids of users a change of whom is under way
}

// New returns the service on a desk, which ends what it does in the background.
func New(d *desk.Desk) *Service { return &Service{desk: d} }

// Limits of changes of many records.
const (
	atOnce      = 50     // records that are changed before Start returns
	MaxUndo     = 10_000 // records whose change can be undone
	maxFailures = 100    // that are listed one by one
	keptFor     = 24 * time.Hour
	endTime     = 5 * time.Second  // to note the end
	noteEvery   = time.Second      // how often progress is noted
	lostAfter   = 30 * time.Second // after which one that notes nothing has ended
)

// Start begins to set a field of records with some ids. Few are done when it
// returns; with many it goes on, and Progress says how far it is.
func (s *Service) Start(
	ctx context.Context, who desk.Caller, k *kind.Schema, ids []int64, field, value string,
) (*Change, error) {
	steps := make([]Step, len(ids))
	for i, id := range ids {
		steps[i] = Step{ID: id, Value: value}
	}
	return s.start(ctx, who, k, &Change{Field: field, Value: value}, steps)
}

// Undo takes back a change of many records, of those that nobody has changed
// since.
func (s *Service) Undo(ctx context.Context, who desk.Caller, k *kind.Schema, key string) (*Change, error) {
	done, err := s.Progress(ctx, who, k, key)
	if err != nil {
		return nil, err
	}
	if len(done.Undo) == 0 {
		return nil, desk.Refuse(desk.Conflict, "this change cannot be undone")
	}
	return s.start(ctx, who, k, &Change{Field: done.Field, Undoes: true}, done.Undo)
}

// start begins to carry out steps.
func (s *Service) start(
	ctx context.Context, who desk.Caller, k *kind.Schema, b *Change, steps []Step,
) (*Change, error) {
	if err := desk.May(who.User, desk.Changing, k); err != nil {
		return nil, err
	}
	many := len(steps) > atOnce
	if many {
		if _, busy := s.busy.LoadOrStore(who.User.ID, true); busy {
			return nil, desk.Refuse(desk.Conflict,
				"another change of many records of yours is under way: wait until it is done")
		}
	}
	b.Key, b.Kind, b.Total = rand.Text(), k.Item, len(steps)
	err := s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		return tx.RemoveBulks(ctx,
			s.desk.Now().Add(-keptFor))
	})
	if err == nil {
		err = s.note(ctx, who, b)
	}
	if err != nil {
		if many {
			s.busy.Delete(who.User.ID)
		}
		return nil, err
	}
	if many {
		going := *b
		s.desk.Background(func(ctx context.Context) {
			defer s.busy.Delete(who.User.ID)
			s.carryOut(ctx, who, k, &going, steps)
		})
		return b, nil
	}
	s.carryOut(ctx, who, k, b, steps)
	return b, nil
}

// carryOut takes all steps, and notes now and then how far it is.
func (s *Service) carryOut(ctx context.Context, who desk.Caller, k *kind.Schema, b *Change, steps []Step) {
	noted := time.Now()
	for _, step := range steps {
		if ctx.Err() != nil {
			break
		}
		b.take(step, func() (was string, version int64, changed bool, err error) {
			return s.step(ctx, who, k, b.Field,
				step)
		})
		if time.Since(noted) >= noteEvery {
			noted = time.Now()
			progress := *b
			progress.Undo = nil // it is long, and nobody needs it yet
			if err := s.note(ctx, who, &progress); err != nil {
				s.desk.Log().Warn("the progress of a change of many records was not stored", "error", err)
			}
		}
	}
	b.Ended, b.Cut = true, b.Done < b.Total
	if b.Total > MaxUndo {
		b.Undo = nil
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	if err := s.note(ending, who, b); err != nil {
		s.desk.Log().Error("the end of a change of many records was not stored", "error", err)
	}
	s.desk.Log().Info("many records changed", "user", who.User.Email, "kind", k.Plural, "field", b.Field,
		"changed", b.Changed, "failed", b.Failed, "of", b.Total)
}

// take counts what becomes of a step.
func (b *Change) take(step Step, do func() (was string, version int64, changed bool, err error)) {
	was, version, changed, err := do()
	b.Done++
	switch {
	case err != nil:
		if b.Failed++; len(b.Failures) < maxFailures {
			b.Failures = append(b.Failures, Failure{step.ID, why(err).String(), why(err)})
		}
	case changed:
		if b.Changed++; !b.Undoes && b.Total <= MaxUndo {
			b.Undo = append(b.Undo, Step{step.ID, version, was})
		}
	}
}

// tries is how often a record is read again that somebody else changes at the
// same time.
const tries = 3

// step changes one record; it returns the value before, and the version after.
func (s *Service) step(
	ctx context.Context, who desk.Caller, k *kind.Schema, field string, step Step,
) (was string, version int64, changed bool, err error) {
	for range tries {
		old, err := s.desk.Get(ctx, who, k, step.ID)
		if err != nil {
			return "", 0, false, err
		}
		before := k.Meta(old).Version
		if step.Version != 0 && before != step.Version {
			return "", 0, false, desk.Refuse(desk.Changed, "somebody has changed it since")
		}
		t := desk.Target{Kind: k, ID: step.ID, If: func(now int64) bool { return now == before }}
		rec, err := s.desk.Update(ctx, who, t, func() (*kind.Patch, error) {
			return k.ReadForm(url.Values{field: {step.Value}}), nil
		})
		if err == nil {
			version = k.Meta(rec).Version
			return k.Values(old).Format(k.Field(field)), version, version != before, nil
		}
		if e, ok := errors.AsType[*desk.Error](err); !ok || e.Code != desk.Changed {
			return "", 0, false, err
		}
	}
	return "", 0, false, desk.Refuse(desk.Changed, "somebody else was changing it")
}

// why returns why a record was not changed.
func why(err error) message.Text {
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return message.Joined(e.Faults, "; ")
	}
	if e, ok := errors.AsType[*desk.Error](err); ok {
		return e.Text
	}
	return message.New("it could not be stored")
}

// note stores how far a change is.
func (s *Service) note(ctx context.Context, who desk.Caller, b *Change) error {
	document, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		return tx.SetBulk(ctx, store.Bulk{Key: b.Key, UserID: who.User.ID, UpdatedAt: s.desk.Now(), Document: document})
	})
}

// Progress returns how far a change of many records of a kind is, to whoever made
// it. One that its server has not noted anything of for a while has ended.
func (s *Service) Progress(ctx context.Context, who desk.Caller, k *kind.Schema, key string) (*Change, error) {
	if !desk.IsLine(key) {
		return nil, desk.Refuse(desk.NotFound, "nothing is known of this change any more")
	}
	var stored store.Bulk
	err := s.desk.Store().Read(ctx, func(tx *store.Tx) (err error) {
		stored, err = tx.Bulk(ctx, key)
		return err
	})
	b := &Change{Key: key, UpdatedAt: stored.UpdatedAt}
	if err == nil {
		err = json.Unmarshal(stored.Document, b)
	}
	if errors.Is(err, store.ErrNotFound) || err == nil && (stored.UserID != who.User.ID || b.Kind != k.Item) {
		return nil, desk.Refuse(desk.NotFound, "nothing is known of this change any more")
	}
	if err != nil {
		return nil, err
	}
	if !b.Ended && s.desk.Now().Sub(b.UpdatedAt) > lostAfter {
		b.Ended, b.Cut = true, true
	}
	return b, nil
}
