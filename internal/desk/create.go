package desk

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"

	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// keysKept is how long a repeated creation is recognised.
const keysKept = 24 * time.Hour

// A New is a record to be made.
type New struct {
	Kind     *kind.Schema
	Document Document
	Once     *Once  // nil for a creation that may be repeated
	Under    *Place // where it is made, nil for the kind's own collection
}

// Once makes a repeated creation the same one: by the key that the client gave
// it, where it was sent, and the hash of its document.
type Once struct {
	Path, Key string
	Body      []byte
}

// Create makes a record from a document. A creation under a key that the user
// has used before makes none: it returns the record as it is now, and replayed
// is true.
func (d *Desk) Create(ctx context.Context, who Caller, n New) (rec any, replayed bool, err error) {
	if err := d.checkMayCreate(ctx, who, n); err != nil {
		return nil, false, err
	}
	patch, err := n.Document()
	if err != nil {
		return nil, false, err
	}
	c := &Creation{Desk: d, Kind: n.Kind, patch: patch}
	if err := c.Begin(who, n.Once); err != nil {
		return nil, false, err
	}
	defer c.End()
	err = d.Change(ctx, &who, Creating, n.Kind, func(tx *store.Tx) error {
		v := &view{d, tx, who.User, true}
		if c.under, err = n.Under.find(ctx, v); err != nil {
			return err
		}
		c.Who = who
		rec, replayed, err = c.OnlyOnce(ctx, tx, func() (any, error) { return c.make(ctx, tx) })
		if err != nil {
			return err
		}
		if err := v.show(ctx, n.Kind, []any{rec}); err != nil {
			return err
		}
		return c.under.show(ctx, v, []any{rec})
	})
	return rec, replayed, err
}

// checkMayCreate returns a refusal when the caller may not make such a record there.
func (d *Desk) checkMayCreate(ctx context.Context, who Caller, n New) error {
	if n.Under != nil {
		err := d.store.Read(ctx, func(tx *store.Tx) error {
			_, err := n.Under.find(ctx, &view{d, tx, who.User, true})
			return err
		})
		if err != nil {
			return err
		}
	}
	return May(who.User, Creating, n.Kind)
}

// A Creation is a record that is being made.
type Creation struct {
	Desk  *Desk
	Who   Caller
	Kind  *kind.Schema
	patch *kind.Patch
	once  *store.Creation // nil for one that may be repeated
	under *place          // where it is made
}

// Begin notes that the creation is under way, if it is one that is not to be
// repeated.
func (c *Creation) Begin(who Caller, once *Once) error {
	if once == nil {
		return nil
	}
	asked := &store.Creation{UserID: who.User.ID, Path: once.Path, Key: once.Key, Body: once.Body}
	if !c.Desk.creating.begin(asked) {
		return Refuse(Running, "the first request with this idempotency key is still running")
	}
	c.once = asked
	return nil
}

// End is called once the outcome of the creation is known.
func (c *Creation) End() {
	if c.once != nil {
		c.Desk.creating.end(c.once)
	}
}

// OnlyOnce returns the record that the same creation made before, and otherwise
// makes it and notes which creation that was. The key is stored first: if another
// transaction has it, no id is used up.
func (c *Creation) OnlyOnce(ctx context.Context, tx *store.Tx,
	make func() (any, error)) (rec any, replayed bool, err error) {
	if rec, err = c.earlier(ctx, tx); !errors.Is(err, store.ErrNotFound) {
		return rec, err == nil, err
	}
	if now := c.Desk.now(); c.once != nil {
		if err := tx.AddCreation(ctx, *c.once, now, now.Add(-keysKept)); err != nil {
			return nil, false, err
		}
	}
	if rec, err = make(); err != nil || c.once == nil {
		return rec, false, err
	}
	c.once.RecordID = c.Kind.Meta(rec).ID
	return rec, false, tx.SetCreation(ctx, *c.once)
}

// earlier returns the record that was made by the same creation before, or
// store.ErrNotFound.
func (c *Creation) earlier(ctx context.Context, tx *store.Tx) (any, error) {
	if c.once == nil {
		return nil, store.ErrNotFound
	}
	before := *c.once
	err := tx.Creation(ctx, &before, c.Desk.now().Add(-keysKept))
	switch {
	case err != nil:
		return nil, err
	case !bytes.Equal(before.Body, c.once.Body):
		return nil, kind.NewInvalid(message.New("the idempotency key was used before with another document"))
	}
	var rec any
	if c.under != nil && c.under.tie != nil {
		rec, err = c.under.get(ctx, &view{c.Desk, tx, c.Who.User, true}, before.RecordID)
	} else {
		rec, err = c.Desk.Load(ctx, tx, c.Who.User, c.Kind, before.RecordID)
	}
	if e, ok := errors.AsType[*Error](err); ok && e.Code == NotFound {
		return nil, Refuse(Conflict, "the %s that was made with this idempotency key is gone",
			message.Word(c.Kind.Noun))
	}
	return rec, err
}

// make makes the record, or ties one that is there to its place.
func (c *Creation) make(ctx context.Context, tx *store.Tx) (any, error) {
	rec := c.Kind.New()
	w := &Work{Desk: c.Desk, Tx: tx, Who: c.Who, Kind: c.Kind, Rec: rec, under: c.under}
	add := w.CreateFrom
	if c.under != nil && c.under.tie != nil {
		add = w.tie
	}
	return rec, add(ctx, c.patch)
}

// CreateFrom makes the record as the document says.
func (w *Work) CreateFrom(ctx context.Context, patch *kind.Patch) error {
	if err := w.Apply(ctx, patch); err != nil {
		return err
	}
	return w.Insert(ctx)
}

// running are the creations under keys that are under way on this node.
type running struct {
	mu   sync.Mutex
	keys map[creationKey]bool
}

type creationKey struct {
	user      int64
	path, key string
}

// begin notes a creation, and reports whether it is the only one of its key.
func (r *running) begin(c *store.Creation) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := creationKey{c.UserID, c.Path, c.Key}
	if r.keys[key] {
		return false
	}
	if r.keys == nil {
		r.keys = map[creationKey]bool{}
	}
	r.keys[key] = true
	return true
}

func (r *running) end(c *store.Creation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.keys, creationKey{c.UserID, c.Path, c.Key})
}
