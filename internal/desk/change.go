package desk

import (
	"context"
	"errors"
	"strings"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// A Document reads what a client sent about a record. It is called once the
// client's rights are known, and before anything is changed.
type Document func() (*kind.Patch, error)

// A Target is the record that a change is about.
type Target struct {
	Kind *kind.Schema
	ID   int64
	// If reports whether the record may be changed in its present version; nil
	// means in any.
	If func(version int64) bool
}

// LoadTarget loads a record that is about to be changed, if its version is one that
// the client expects.
func (d *Desk) LoadTarget(ctx context.Context, tx *store.Tx, user *inventory.User, t Target) (any, error) {
	rec, err := d.Load(ctx, tx, user, t.Kind, t.ID)
	if err != nil {
		return nil, err
	}
	return rec, t.Check(rec)
}

// Check refuses a record whose version is not one that the client expects.
func (t Target) Check(rec any) error {
	if t.If != nil && !t.If(t.Kind.Meta(rec).Version) {
		return Refuse(Changed, "the %s %d is not in the version that the request expects: read it again",
			message.Word(t.Kind.Noun), t.ID)
	}
	return nil
}

// CheckMayChange returns a refusal when the caller may not change the record: rights come
// before what is wrong with the document. A copy of a request that was carried
// out is refused as such, also when the record is gone since.
func (d *Desk) CheckMayChange(ctx context.Context, who Caller, v Verb, t Target) error {
	err := d.store.Read(ctx, func(tx *store.Tx) error {
		_, err := d.Load(ctx, tx, who.User, t.Kind, t.ID)
		if err == nil {
			err = May(who.User, v, t.Kind)
		}
		return err
	})
	return d.UnlessUsed(ctx, who, err)
}

// UnlessUsed returns the refusal of a request, or that of a copy of one that was
// carried out.
func (d *Desk) UnlessUsed(ctx context.Context, who Caller, err error) error {
	if _, refused := errors.AsType[*Error](err); !refused || !d.shares(who.Triple) {
		return err
	}
	if used := d.store.Read(ctx, func(tx *store.Tx) error { return tx.TripleIsFree(ctx, *who.Triple) }); used != nil {
		return used
	}
	return err
}

// Update changes a record as a document says. A document that says nothing new
// changes nothing.
func (d *Desk) Update(ctx context.Context, who Caller, t Target, document Document) (rec any, err error) {
	if err := d.CheckMayChange(ctx, who, Changing, t); err != nil {
		return nil, err
	}
	patch, err := document()
	if err != nil {
		return nil, err
	}
	err = d.Change(ctx, &who, Changing, t.Kind, func(tx *store.Tx) error {
		if rec, _, err = d.UpdateIn(ctx, tx, who, t, patch); err != nil {
			return err
		}
		return (&view{d, tx, who.User, true}).show(ctx, t.Kind, []any{rec})
	})
	return rec, err
}

// UpdateIn is Update in a transaction that changes more, in which the caller's rights hold. It returns the record, and as
// it was.
func (d *Desk) UpdateIn(ctx context.Context, tx *store.Tx, who Caller, t Target, patch *kind.Patch) (rec, old any, err error) {
	if old, err = d.LoadTarget(ctx, tx, who.User, t); err != nil {
		return nil, nil, err
	}
	if err := May(who.User, Changing, t.Kind); err != nil {
		return nil, nil, err
	}
	rec = t.Kind.Copy(old)
	w := &Work{Desk: d, Tx: tx, Who: who, Kind: t.Kind, Rec: rec, Old: old}
	if err := w.Apply(ctx, patch); err != nil {
		return nil, nil, err
	}
	return rec, old, w.Replace(ctx)
}

// Delete removes a record and returns its last state.
func (d *Desk) Delete(ctx context.Context, who Caller, t Target) (rec any, err error) {
	if err := d.CheckMayChange(ctx, who, Deleting, t); err != nil {
		return nil, err
	}
	err = d.Change(ctx, &who, Deleting, t.Kind, func(tx *store.Tx) error {
		if rec, err = d.LoadTarget(ctx, tx, who.User, t); err != nil {
			return err
		}
		if err := (&view{d, tx, who.User, true}).show(ctx, t.Kind, []any{rec}); err != nil {
			return err
		}
		return (&Work{Desk: d, Tx: tx, Who: who, Kind: t.Kind, Old: rec}).Remove(ctx)
	})
	return rec, err
}

// Change runs f in a transaction in which the caller's rights hold: the user
// is read anew, so that one who was disabled meanwhile changes nothing, and so
// is the token or session by which they came. The triple comes first: a copy of the request
// that waits for this one must not lock anything that this one needs.
func (d *Desk) Change(ctx context.Context, who *Caller, v Verb, k *kind.Schema, f func(*store.Tx) error) error {
	return d.Updating(k)(ctx, func(tx *store.Tx) error {
		if err := d.LockRights(ctx, tx, who, v, k); err != nil {
			return err
		}
		return f(tx)
	})
}

// LockRights makes sure that the caller's rights to change records of a kind hold until the
// transaction ends, as Change says.
func (d *Desk) LockRights(ctx context.Context, tx *store.Tx, who *Caller, v Verb, k *kind.Schema) (err error) {
	if d.shares(who.Triple) {
		if err := tx.UseTriple(ctx, *who.Triple, d.now().Add(-triplesKept)); err != nil {
			return err
		}
	}
	if who.User, err = PresentUser(ctx, tx, who.User); err != nil {
		return err
	}
	if err := d.checkToken(ctx, tx, who.Token); err != nil {
		return err
	}
	if err := checkSession(ctx, tx, who.Session); err != nil {
		return err
	}
	return May(who.User, v, k)
}

// triplesKept is how long a triple is remembered after its end, and so by how
// much the clocks of nodes may differ.
const triplesKept = 5 * time.Minute

// shares reports whether other nodes must know when a triple is used. On a
// database of its own the server's memory of all triples is enough.
func (d *Desk) shares(t *store.Triple) bool { return t != nil && d.store.Shared() }

// isConflict reports whether a record was refused for another one.
func isConflict(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == Conflict
}

// Unique refuses values that another record has. It asks before the record is
// written: a refused insert would leave a gap in PostgreSQL's ids.
func Unique(ctx context.Context, tx *store.Tx, k *kind.Schema, rec, old any) error {
	for _, f := range k.Fields {
		value := ""
		if f.Unique {
			value = k.Values(rec).Format(f)
		}
		if value == "" || old != nil && k.Values(old).Format(f) == value {
			continue
		}
		other, err := ownerOf(ctx, tx, k, f, value, k.Meta(rec).ID)
		if err != nil {
			return err
		}
		if other != nil {
			return Refuse(Conflict, "%s has already been taken: %s %d has %s", message.Word(f.Words()),
				message.Word(k.Noun), k.Meta(other).ID, k.Values(other).Format(f))
		}
	}
	return uniqueTogether(ctx, tx, k, rec)
}

// ownerOf returns the record with a value that no other has, nil if there is none
// but the one with the given id.
func ownerOf(ctx context.Context, tx *store.Tx, k *kind.Schema, f *kind.Field, value string,
	except int64) (any, error) {
	id, err := tx.Taken(ctx, k, f, value, except)
	if err != nil || id == 0 {
		return nil, err
	}
	rec, err := tx.Get(ctx, k, id)
	if errors.Is(err, store.ErrNotFound) {
		err = store.ErrAgain // it was there a moment ago
	}
	return rec, err
}

// uniqueTogether refuses values that another record has all the same.
func uniqueTogether(ctx context.Context, tx *store.Tx, k *kind.Schema, rec any) error {
	if k.Together == nil {
		return nil
	}
	id, err := tx.TakenTogether(ctx, k, rec)
	if err != nil || id == 0 {
		return err
	}
	var names []string
	for _, f := range k.Together {
		names = append(names, f.Name)
	}
	return Refuse(Conflict, "%s has already been taken: %s %d has the same %s", message.Word(k.Together[0].Words()),
		message.Word(k.Noun), id, strings.Join(names, ", "))
}

// Add stores new records that are made by a program rather than read from a
// document, all of them or none.
func (d *Desk) Add(ctx context.Context, who Caller, k *kind.Schema, recs []any) error {
	add := func(tx *store.Tx) error {
		for _, rec := range recs {
			w := &Work{Desk: d, Tx: tx, Who: who, Kind: k, Rec: rec}
			w.begin(rec)
			if err := w.Check(ctx, k.Check); err != nil {
				return err
			}
			if err := w.Insert(ctx); err != nil {
				return err
			}
		}
		return nil
	}
	return d.Updating(k)(ctx, add)
}

// Updating returns what runs a transaction that changes records of a kind.
func (d *Desk) Updating(k *kind.Schema) func(context.Context, func(*store.Tx) error) error {
	if k == inventory.Users.Schema || k == inventory.Tokens.Schema {
		return d.ChangeUsers
	}
	return d.store.Update
}

// errExamined undoes a transaction in which changes were checked alone.
var errExamined = errors.New("nothing is to be stored")

// Examine runs f in a transaction in which changes are checked and not stored.
// On PostgreSQL it must be one that could change something, for checks lock what
// they look at; on SQLite such a transaction would keep others from writing.
func (d *Desk) Examine(ctx context.Context, f func(*store.Tx) error) error {
	if !d.store.Shared() {
		return d.store.View(ctx, f)
	}
	err := d.store.Update(ctx, func(tx *store.Tx) error {
		if err := f(tx); err != nil {
			return err
		}
		return errExamined
	})
	if errors.Is(err, errExamined) {
		return nil
	}
	return err
}
