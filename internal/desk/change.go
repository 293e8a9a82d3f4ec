package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
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

// target loads a record that is about to be changed, if its version is one that
// the client expects.
func (d *Desk) target(ctx context.Context, tx *store.Tx, user *inventory.User, t Target) (any, error) {
	rec, err := d.get(ctx, tx, user, t.Kind, t.ID)
	if err == nil && t.If != nil && !t.If(t.Kind.Meta(rec).Version) {
		return nil, refuse(Changed, "the %s %d is not in the version that the request expects: read it again", t.Kind.Noun, t.ID)
	}
	return rec, err
}

// admit returns a refusal when the caller may not change the record: rights come
// before what is wrong with the document. A copy of a request that was carried
// out is refused as such, also when the record is gone since.
func (d *Desk) admit(ctx context.Context, who Caller, t Target) error {
	err := d.store.Read(ctx, func(tx *store.Tx) error {
		_, err := d.get(ctx, tx, who.User, t.Kind, t.ID)
		if err == nil {
			err = mayChange(who.User, t.Kind)
		}
		return err
	})
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
	if err := d.admit(ctx, who, t); err != nil {
		return nil, err
	}
	patch, err := document()
	if err != nil {
		return nil, err
	}
	k := t.Kind
	err = d.change(ctx, &who, k, func(tx *store.Tx) error {
		old, err := d.target(ctx, tx, who.User, t)
		if err != nil {
			return err
		}
		rec = k.Copy(old)
		if err := d.apply(ctx, tx, k, patch, rec, old); err != nil {
			return err
		}
		return d.replace(ctx, tx, who, k, rec, old)
	})
	return rec, err
}

// Delete removes a record and returns its last state.
func (d *Desk) Delete(ctx context.Context, who Caller, t Target) (rec any, err error) {
	if err := d.admit(ctx, who, t); err != nil {
		return nil, err
	}
	k := t.Kind
	err = d.change(ctx, &who, k, func(tx *store.Tx) error {
		if rec, err = d.target(ctx, tx, who.User, t); err != nil {
			return err
		}
		if err := tx.Delete(ctx, k, rec); err != nil {
			return err
		}
		return d.record(ctx, tx, who, k, inventory.Deleted, nil, rec)
	})
	return rec, err
}

// change runs f in a transaction in which the caller's rights hold: the user
// is read anew, so that one who was disabled meanwhile changes nothing. The
// triple comes first: a copy of the request that waits for this one must not
// hold anything that this one needs.
func (d *Desk) change(ctx context.Context, who *Caller, k *kind.Schema, f func(*store.Tx) error) error {
	return d.store.Update(ctx, func(tx *store.Tx) error {
		if d.shares(who.Triple) {
			if err := tx.UseTriple(ctx, *who.Triple, d.now().Add(-triplesKept)); err != nil {
				return err
			}
		}
		user, err := tx.GetShared(ctx, inventory.Users.Schema, who.User.ID)
		if errors.Is(err, store.ErrNotFound) {
			return refuse(Forbidden, "the user %s does not exist any more", who.User.Email)
		}
		if err != nil {
			return err
		}
		who.User = user.(*inventory.User)
		if err := mayChange(who.User, k); err != nil {
			return err
		}
		return f(tx)
	})
}

// triplesKept is how long a triple is remembered after its end, and so by how
// much the clocks of nodes may differ.
const triplesKept = 5 * time.Minute

// shares reports whether other nodes must know when a triple is used. On a
// database of its own the server's memory of all triples is enough.
func (d *Desk) shares(t *store.Triple) bool { return t != nil && d.store.Shared() }

// apply sets what the document says in rec and checks the result.
func (d *Desk) apply(ctx context.Context, tx *store.Tx, k *kind.Schema, patch *kind.Patch, rec, old any) error {
	err := patch.Resolve(kind.Resolver{Person: func(p *kind.Person) (string, error) { return findPerson(ctx, tx, p) }})
	if err != nil {
		return err
	}
	patch.Apply(rec)
	if old == nil {
		k.SetDefaults(rec) // an empty value in the document is none
	}
	k.Settle(rec, old)
	return invalid(rec, patch.Check(rec, old))
}

// invalid returns the error of a record with faults, nil when there are none.
func invalid(rec any, faults []string) error {
	if user, ok := rec.(*inventory.User); ok {
		faults = append(faults, emailFaults(user.Email)...)
	}
	if len(faults) == 0 {
		return nil
	}
	return &kind.Invalid{Faults: faults}
}

// findPerson completes a reference to a user, or tells what is wrong with it.
func findPerson(ctx context.Context, tx *store.Tx, p *kind.Person) (fault string, err error) {
	ids, err := tx.People(ctx, p)
	switch {
	case err != nil:
		return "", err
	case len(ids) > 1:
		return fmt.Sprintf("is not clear: several users have the name %s", p.Name), nil
	case len(ids) == 0 && p.ID != 0:
		return fmt.Sprintf("does not exist: no user has the id %d", p.ID), nil
	case len(ids) == 0:
		return fmt.Sprintf("does not exist: no user is called %s", p.Email+p.Name), nil
	}
	user, err := store.Get(ctx, tx, inventory.Users, ids[0])
	if err == nil {
		*p = user.Person()
	}
	return "", err
}

// insert stores a checked new record and records it.
func (d *Desk) insert(ctx context.Context, tx *store.Tx, who Caller, k *kind.Schema, rec any) error {
	if c, ok := rec.(*inventory.Computer); ok {
		if err := assignAssetID(ctx, tx, c); err != nil {
			return err
		}
	}
	if err := unique(ctx, tx, k, rec, nil); err != nil {
		return err
	}
	if err := tx.Insert(ctx, k, rec, d.now()); err != nil {
		return err
	}
	return d.record(ctx, tx, who, k, inventory.Created, rec, nil)
}

// replace stores the checked new state of a record and records the change, if
// there is one.
func (d *Desk) replace(ctx context.Context, tx *store.Tx, who Caller, k *kind.Schema, rec, old any) error {
	if k.Same(rec, old) {
		return nil
	}
	if err := unique(ctx, tx, k, rec, old); err != nil {
		return err
	}
	if err := tx.Update(ctx, k, rec, old, d.now()); err != nil {
		return err
	}
	return d.record(ctx, tx, who, k, inventory.Updated, rec, old)
}

// unique refuses values that another record has. It asks before the record is
// written: a refused insert would leave a gap in PostgreSQL's ids.
func unique(ctx context.Context, tx *store.Tx, k *kind.Schema, rec, old any) error {
	for _, f := range k.Fields {
		value := ""
		if f.Unique {
			value = k.Values(rec).Format(f)
		}
		if value == "" || old != nil && k.Values(old).Format(f) == value {
			continue
		}
		id, err := tx.Taken(ctx, k, f, value, k.Meta(rec).ID)
		if err != nil {
			return err
		}
		if id == 0 {
			continue
		}
		other, err := tx.Get(ctx, k, id)
		if err != nil {
			return err
		}
		return refuse(Conflict, "%s has already been taken: %s %d has %s", f.Words(), k.Noun, id, k.Values(other).Format(f))
	}
	return nil
}

// Add stores new records that are made by a program rather than read from a
// document, all of them or none.
func (d *Desk) Add(ctx context.Context, who Caller, k *kind.Schema, recs []any) error {
	add := func(tx *store.Tx) error {
		for _, rec := range recs {
			k.Settle(rec, nil)
			if err := invalid(rec, k.Check(rec, nil)); err != nil {
				return err
			}
			if err := d.insert(ctx, tx, who, k, rec); err != nil {
				return err
			}
		}
		return nil
	}
	if k == inventory.Users.Schema {
		return d.changeUsers(ctx, add)
	}
	return d.store.Update(ctx, add)
}
