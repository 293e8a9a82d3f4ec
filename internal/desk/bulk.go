package desk

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/url"
	"time"

	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// A Bulk is a change of one field of many records at once. Each record is
// changed by itself, with its own rights, rules and audit record.
type Bulk struct {
	Key       string        `json:"-"`
	Kind      string        `json:"kind"` // the item element
	Field     string        `json:"field"`
	Value     string        `json:"value"` // that it gets, "" for none
	Undoes    bool          `json:"undoes"`
	Total     int           `json:"total"`
	Done      int           `json:"done"`    // of them, whatever became of each
	Changed   int           `json:"changed"` // of these
	Failed    int           `json:"failed"`
	Failures  []BulkFailure `json:"failures"` // the first ones
	Ended     bool          `json:"ended"`
	Cut       bool          `json:"cut"` // it ended before all were done
	Undo      []BulkStep    `json:"undo,omitempty"`
	UpdatedAt time.Time     `json:"-"`
}

// A BulkFailure is a record that could not be changed, and why.
type BulkFailure struct {
	ID   int64        `json:"id"`
	Why  string       `json:"why"` // in English
	Text message.Text `json:"text"`
}

// Message returns why the record could not be changed, as far as it is known what that is made of.
func (f *BulkFailure) Message() message.Text {
	if f.Text.String() != f.Why {
		return message.Plain(f.Why)
	}
	return f.Text
}

// A BulkStep is a record and the value that its field gets, if it still is in a
// version; 0 is for any.
type BulkStep struct {
	ID      int64  `json:"id"`
	Version int64  `json:"v"`
	Value   string `json:"to"`
}

// Limits of changes of many records.
const (
	bulkAtOnce  = 50     // records that are changed before StartBulk returns
	MaxUndo     = 10_000 // records whose change can be undone
	maxFailures = 100    // that are told one by one
	bulkKept    = 24 * time.Hour
	bulkNoted   = time.Second      // how often progress is noted
	bulkLost    = 30 * time.Second // after which one that notes nothing has ended
)

// StartBulk begins to set a field of records with some ids. Few are done when it
// returns; with many it goes on, and Bulk tells how far it is.
func (d *Desk) StartBulk(ctx context.Context, who Caller, k *kind.Schema, ids []int64, field, value string) (*Bulk, error) {
	steps := make([]BulkStep, len(ids))
	for i, id := range ids {
		steps[i] = BulkStep{ID: id, Value: value}
	}
	return d.startBulk(ctx, who, k, &Bulk{Field: field, Value: value}, steps)
}

// UndoBulk takes back a change of many records, of those that nobody has changed
// since.
func (d *Desk) UndoBulk(ctx context.Context, who Caller, k *kind.Schema, key string) (*Bulk, error) {
	done, err := d.Bulk(ctx, who, k, key)
	if err != nil {
		return nil, err
	}
	if len(done.Undo) == 0 {
		return nil, Refuse(Conflict, "this change cannot be undone")
	}
	return d.startBulk(ctx, who, k, &Bulk{Field: done.Field, Undoes: true}, done.Undo)
}

// startBulk begins to carry out steps.
func (d *Desk) startBulk(ctx context.Context, who Caller, k *kind.Schema, b *Bulk, steps []BulkStep) (*Bulk, error) {
	if err := May(who.User, Changing, k); err != nil {
		return nil, err
	}
	many := len(steps) > bulkAtOnce
	if many {
		if _, busy := d.bulking.LoadOrStore(who.User.ID, true); busy {
			return nil, Refuse(Conflict, "another change of many records of yours is under way: wait until it is done")
		}
	}
	b.Key, b.Kind, b.Total = rand.Text(), k.Item, len(steps)
	err := d.store.Update(ctx, func(tx *store.Tx) error { return tx.RemoveBulks(ctx, d.now().Add(-bulkKept)) })
	if err == nil {
		err = d.noteBulk(ctx, who, b)
	}
	if err != nil {
		if many {
			d.bulking.Delete(who.User.ID)
		}
		return nil, err
	}
	if many {
		going := *b
		d.background.Go(func() {
			defer d.bulking.Delete(who.User.ID)
			d.carryOut(d.living, who, k, &going, steps)
		})
		return b, nil
	}
	d.carryOut(ctx, who, k, b, steps)
	return b, nil
}

// carryOut takes all steps, and notes now and then how far it is.
func (d *Desk) carryOut(ctx context.Context, who Caller, k *kind.Schema, b *Bulk, steps []BulkStep) {
	noted := time.Now()
	for _, step := range steps {
		if ctx.Err() != nil {
			break
		}
		b.take(step, func() (was string, version int64, changed bool, err error) { return d.step(ctx, who, k, b.Field, step) })
		if time.Since(noted) >= bulkNoted {
			noted = time.Now()
			progress := *b
			progress.Undo = nil // it is long, and nobody needs it yet
			if err := d.noteBulk(ctx, who, &progress); err != nil {
				d.log.Warn("the progress of a change of many records was not stored", "error", err)
			}
		}
	}
	b.Ended, b.Cut = true, b.Done < b.Total
	if b.Total > MaxUndo {
		b.Undo = nil
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), followTime)
	defer cancel()
	if err := d.noteBulk(ending, who, b); err != nil {
		d.log.Error("the end of a change of many records was not stored", "error", err)
	}
	d.log.Info("many records changed", "user", who.User.Email, "kind", k.Plural, "field", b.Field, "changed", b.Changed, "failed", b.Failed, "of", b.Total)
}

// take counts what becomes of a step.
func (b *Bulk) take(step BulkStep, do func() (was string, version int64, changed bool, err error)) {
	was, version, changed, err := do()
	b.Done++
	switch {
	case err != nil:
		if b.Failed++; len(b.Failures) < maxFailures {
			b.Failures = append(b.Failures, BulkFailure{step.ID, why(err).String(), why(err)})
		}
	case changed:
		if b.Changed++; !b.Undoes && b.Total <= MaxUndo {
			b.Undo = append(b.Undo, BulkStep{step.ID, version, was})
		}
	}
}

// bulkTries is how often a record is read again that somebody else changes at the
// same time.
const bulkTries = 3

// step changes one record; it tells the value before, and the version after.
func (d *Desk) step(ctx context.Context, who Caller, k *kind.Schema, field string, step BulkStep) (was string, version int64, changed bool, err error) {
	for range bulkTries {
		old, err := d.Get(ctx, who, k, step.ID)
		if err != nil {
			return "", 0, false, err
		}
		before := k.Meta(old).Version
		if step.Version != 0 && before != step.Version {
			return "", 0, false, Refuse(Changed, "somebody has changed it since")
		}
		t := Target{Kind: k, ID: step.ID, If: func(now int64) bool { return now == before }}
		rec, err := d.Update(ctx, who, t, func() (*kind.Patch, error) { return k.ReadForm(url.Values{field: {step.Value}}), nil })
		if err == nil {
			version = k.Meta(rec).Version
			return k.Values(old).Format(k.Field(field)), version, version != before, nil
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != Changed {
			return "", 0, false, err
		}
	}
	return "", 0, false, Refuse(Changed, "somebody else was changing it")
}

// why tells people why a record was not changed.
func why(err error) message.Text {
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return message.Joined(e.Faults, "; ")
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Text
	}
	return message.New("it could not be stored")
}

// noteBulk stores how far a change is.
func (d *Desk) noteBulk(ctx context.Context, who Caller, b *Bulk) error {
	document, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return d.store.Update(ctx, func(tx *store.Tx) error {
		return tx.SetBulk(ctx, store.Bulk{Key: b.Key, UserID: who.User.ID, UpdatedAt: d.now(), Document: document})
	})
}

// Bulk returns how far a change of many records of a kind is, to whoever made
// it. One that its server has not noted anything of for a while has ended.
func (d *Desk) Bulk(ctx context.Context, who Caller, k *kind.Schema, key string) (*Bulk, error) {
	if !IsLine(key) {
		return nil, Refuse(NotFound, "nothing is known of this change any more")
	}
	var stored store.Bulk
	err := d.store.Read(ctx, func(tx *store.Tx) (err error) {
		stored, err = tx.Bulk(ctx, key)
		return err
	})
	b := &Bulk{Key: key, UpdatedAt: stored.UpdatedAt}
	if err == nil {
		err = json.Unmarshal(stored.Document, b)
	}
	if errors.Is(err, store.ErrNotFound) || err == nil && (stored.UserID != who.User.ID || b.Kind != k.Item) {
		return nil, Refuse(NotFound, "nothing is known of this change any more")
	}
	if err != nil {
		return nil, err
	}
	if !b.Ended && d.now().Sub(b.UpdatedAt) > bulkLost {
		b.Ended, b.Cut = true, true
	}
	return b, nil
}
