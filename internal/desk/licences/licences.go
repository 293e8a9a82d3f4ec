// Package licences counts the licences that cover too much to be counted by the change that asks for it: beside
// requests, as jobs in steps. How a licence is counted is up to package store/installs.
package licences

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// nightly is when licences are counted whose job has failed or was stopped, after midnight.
const nightly = 90 * time.Minute

// A counter counts the licences of a desk.
type counter struct{ desk *desk.Desk }

// Count lets jobs count licences.
func Count(d *desk.Desk, j *jobs.Service) {
	c := &counter{d}
	j.Handle(&jobs.Handler{Name: desk.CountLicences, Do: c.do, Said: said, AtOnce: 1,
		Title: func([]byte) message.Text { return message.New("Count licences") }})
	j.Daily(jobs.Daily{Handler: desk.CountLicences, At: func() (time.Duration, bool) { return nightly, true }})
}

// A tally is how many licences a job has counted.
type tally struct {
	Counted int64 `json:"counted"`
}

// said says what became of a job.
func said(note []byte) message.Text {
	var t tally
	if err := json.Unmarshal(note, &t); err != nil {
		return message.Text{}
	}
	return message.New("%s counted", message.Count{N: t.Counted, Noun: "contract"})
}

// do counts all licences that are being counted. What is done of each is stored with it, not with the job: when others
// change a licence its count begins again, and when several jobs come to it each does some of its steps.
func (c *counter) do(ctx context.Context, r *jobs.Run) error {
	var t tally
	if err := r.Noted(&t); err != nil {
		return err
	}
	for {
		var id int64
		err := c.desk.Store().Read(ctx, func(tx *store.Tx) (err error) {
			id, err = installs.NextCounted(ctx, tx)
			return err
		})
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err == nil {
			err = c.count(ctx, r, id, &t)
		}
		if err != nil {
			return err
		}
	}
}

// count does all steps of the count of a licence.
func (c *counter) count(ctx context.Context, r *jobs.Run, id int64, t *tally) error {
	pace := newPace(c.desk.Store().Shared())
	for {
		var step installs.Step
		var begun time.Time
		err := r.Update(store.Alone(ctx), func(tx *store.Tx, who desk.Caller) (err error) {
			begun = time.Now() // SQLite's writer is ours now
			if step, err = installs.StepLicence(ctx, tx, id, pace.size, inventory.Gone); err != nil || !step.Counted.Valid {
				return err
			}
			if err := c.record(ctx, tx, who, id, step); err != nil {
				return err
			}
			return r.Note(ctx, tx, t.Counted+1, 0, tally{t.Counted + 1})
		})
		if err != nil {
			return err
		}
		if step.Counted.Valid {
			t.Counted++
		}
		if step.Done {
			return nil
		}
		took := time.Since(begun)
		pace.note(took, step)
		if err := pause(ctx, took); err != nil {
			return err
		}
	}
}

// record writes the audit record of a count that is another than the one before.
func (c *counter) record(ctx context.Context, tx *store.Tx, who desk.Caller, id int64, step installs.Step) error {
	if step.Was == step.Counted {
		return nil
	}
	rec, err := store.Get(ctx, tx, inventory.Contracts, id)
	if err != nil {
		return err
	}
	k := inventory.Contracts.Schema
	was := k.Copy(rec)
	was.(*inventory.Contract).Installed = step.Was
	f := k.Field("installed")
	a := desk.NewAudit(inventory.Updated,
		message.New("Computers counted: %s", message.Count{N: step.Counted.V, Noun: "computer"}))
	a.Changes = []inventory.AuditChange{{Field: f.Name, From: k.Values(was).Format(f), To: k.Values(rec).Format(f)}}
	return c.desk.WriteAudit(ctx, tx, who, k, rec, a)
}

// A pace is how large the steps are, so that none keeps others waiting for long.
type pace struct {
	size int
	most time.Duration // that a step should take
}

// firstSize is how much the first step of a sort has to do: little, since nobody knows how long it takes.
const firstSize = 50

// newPace returns the pace at the beginning. SQLite has one writer, for which everybody waits; on PostgreSQL those wait
// who come to use the licence, or cease to.
func newPace(shared bool) *pace {
	if shared {
		return &pace{firstSize, 80 * time.Millisecond}
	}
	return &pace{firstSize, 40 * time.Millisecond}
}

// note makes the next step larger or smaller, by how long one took.
func (p *pace) note(took time.Duration, step installs.Step) {
	switch {
	case step.NewPhase:
		p.size = firstSize
	case took > p.most:
		p.size = max(int(int64(p.size)*int64(p.most)/int64(took)), 1)
	case step.Full && took < p.most/2:
		p.size *= 2
	}
}

// pause lets others go on for twice as long as a step took.
func pause(ctx context.Context, took time.Duration) error {
	timer := time.NewTimer(2 * took)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
