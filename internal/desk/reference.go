package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// resolver completes what a document refers to: users, vendors and linked
// records.
func (w *Work) resolver(ctx context.Context) kind.Resolver {
	return kind.Resolver{
		Person: func(p *kind.Person) (message.Predicate, error) { return findPerson(ctx, w.Tx, p) },
		Ref:    func(target *kind.Schema, r *kind.Ref) (message.Predicate, error) { return w.findRef(ctx, target, r) },
		Added:  func(name string) ([]string, error) { return addedValues(ctx, w.Tx, name) },
		Links: func(f *kind.Field, l []kind.Linked) ([]kind.Linked, message.Predicate, error) {
			return w.findLinks(ctx, f, l)
		},
	}
}

// findRef completes a reference by name. One to a vendor that does not exist
// stays without an id, for makeVendors.
func (w *Work) findRef(ctx context.Context, target *kind.Schema, r *kind.Ref) (fault message.Predicate, err error) {
	rec, err := ownerOf(ctx, w.Tx, target, target.Field("name"), r.Name, 0)
	if err == nil && rec != nil {
		*r = kind.Ref{ID: target.Meta(rec).ID, Name: recordName(target, rec)}
	}
	return fault, err
}

// makeVendors makes the vendors that a checked record names and that do not
// exist; a record that is refused leaves none, and no gap in their ids.
func (w *Work) makeVendors(ctx context.Context) error {
	for _, f := range w.Kind.Fields {
		if f.Target != inventory.Vendors.Schema {
			continue
		}
		ref := w.Kind.Values(w.Rec).Ref(f)
		if ref.ID != 0 || ref.Name == "" {
			continue
		}
		vendor := inventory.Vendors.New()
		vendor.Name = ref.Name
		made := &Work{Desk: w.Desk, Tx: w.Tx, Who: w.Who, Kind: f.Target, Rec: vendor}
		if err := made.Check(ctx, f.Target.Check); err != nil {
			return err
		}
		err := made.Insert(ctx)
		if isConflict(err) {
			return store.ErrAgain // somebody else has made it a moment before
		}
		if err != nil {
			return err
		}
		ref.ID = vendor.ID
	}
	return nil
}

// findLinks completes linked records. Those that the user may not see do not
// exist for them.
func (w *Work) findLinks(ctx context.Context, f *kind.Field,
	links []kind.Linked) (all []kind.Linked, fault message.Predicate, err error) {
	names := map[link]string{}
	for _, target := range f.Targets {
		recs, err := w.Tx.Rows(ctx, target, idsOf(target, links))
		if err != nil {
			return nil, fault, err
		}
		for _, rec := range recs {
			if sees(w.Who.User, target, rec) {
				names[link{target.Item, target.Meta(rec).ID}] = recordName(target, rec)
			}
		}
	}
	for i, l := range links {
		name, ok := names[link{l.Item, l.ID.V}]
		if !ok {
			target := f.Targets[slices.IndexFunc(f.Targets, func(k *kind.Schema) bool { return k.Item == l.Item })]
			return nil, message.Says("names a %s that does not exist: %d", message.Word(target.Noun), l.ID.V), nil
		}
		links[i].Name = name
	}
	return links, fault, nil
}

// Referred refuses to delete what other records refer to.
func (w *Work) Referred(ctx context.Context) error {
	id := w.Kind.Meta(w.Old).ID
	referrers, err := w.Tx.Referrers(ctx, w.Kind, id)
	if err != nil || len(referrers) == 0 {
		return err
	}
	var by []string
	for _, r := range referrers {
		by = append(by, fmt.Sprintf("as %s of %s", r.Field.Name, message.Count{N: r.Count, Noun: r.Kind.Noun}))
	}
	advice := ""
	if w.Kind == inventory.Users.Schema {
		advice = "; disable the user instead"
	}
	return Refuse(Conflict, "the %s %d is still referred to, %s", message.Word(w.Kind.Noun), id,
		strings.Join(by, ", ")+advice)
}

// Unlink takes a record that is deleted out of the lists of others, each of
// which an audit record says. An heir comes into its place; nil is none.
func (w *Work) Unlink(ctx context.Context, heir any) error {
	gone, next := w.Kind.Meta(w.Old).ID, int64(0)
	if heir != nil {
		next = w.Kind.Meta(heir).ID
	}
	all, err := w.Tx.Relink(ctx, w.Kind, gone, next, w.now())
	if err != nil {
		return err
	}
	for _, l := range all {
		rec := l.Kind.Copy(l.Old)
		links := l.Kind.Values(rec).Links(l.Field)
		*links = slices.DeleteFunc(slices.Clone(*links), func(other kind.Linked) bool {
			return other.Item == w.Kind.Item && other.ID.V == gone
		})
		if heir != nil {
			*links = withLink(l.Field, *links, w.Kind, heir)
		}
		other := &Work{Desk: w.Desk, Tx: w.Tx, Who: w.Who, Kind: l.Kind, Rec: rec, Old: l.Old}
		if err := other.record(ctx, inventory.Updated); err != nil {
			return err
		}
	}
	return nil
}

// withLink returns linked records with another among them.
func withLink(f *kind.Field, l []kind.Linked, k *kind.Schema, rec any) []kind.Linked {
	own := kind.Linked{Item: k.Item, ID: kind.Some(k.Meta(rec).ID), Name: recordName(k, rec)}
	return kind.InOrder(f.Targets, append(l[:len(l):len(l)], own))
}

// findPerson completes a reference to a user, or returns what is wrong with it.
func findPerson(ctx context.Context, tx *store.Tx, p *kind.Person) (fault message.Predicate, err error) {
	ids, err := tx.People(ctx, p)
	switch {
	case err != nil:
		return fault, err
	case len(ids) > 1:
		return message.Says("is not clear: several users have the name %s", p.Name), nil
	case len(ids) == 0 && p.ID != 0:
		return message.Says("does not exist: no user has the id %d", p.ID), nil
	case len(ids) == 0:
		return message.Says("does not exist: no user is called %s", p.Email+p.Name), nil
	}
	user, err := store.Get(ctx, tx, inventory.Users, ids[0])
	if err == nil {
		*p = user.Person()
	}
	return fault, err
}
