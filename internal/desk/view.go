package desk

import (
	"context"
	"slices"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// A view is a look at records on behalf of a user.
type view struct {
	*Desk
	tx     *store.Tx
	user   *inventory.User
	single bool // whole records are looked at, not items of a list
}

// one returns a record that the user may see.
func (v *view) one(ctx context.Context, k *kind.Schema, id int64) (any, error) {
	rec, err := v.get(ctx, v.tx, v.user, k, id)
	if err != nil {
		return nil, err
	}
	return rec, v.show(ctx, k, []any{rec})
}

// list returns one page of the records that the user may see.
func (v *view) list(ctx context.Context, k *kind.Schema, q *kind.Query) (kind.Page, error) {
	scope, err := visible(v.user, k)
	if err != nil {
		return kind.Page{}, err
	}
	scoped := *q
	scoped.Either, scoped.Search = scope, v.search(k, q.Search)
	page, err := v.tx.List(ctx, k, &scoped)
	if err != nil {
		return page, err
	}
	if err := v.show(ctx, k, page.Records); err != nil || q.Include == "" {
		return page, err
	}
	return page, rules[k].include(ctx, v, page.Records)
}

// show sets what is read beside records, and takes out what the user may not
// see.
func (v *view) show(ctx context.Context, k *kind.Schema, recs []any) error {
	for _, rec := range recs {
		k.Derive(rec, v.now())
	}
	if err := v.hideLinks(ctx, k, recs); err != nil {
		return err
	}
	if show := rules[k].show; show != nil {
		return show(ctx, v, recs)
	}
	return nil
}

// plain reports whether a record of the kind is shown as one query reads it.
func plain(k *kind.Schema) bool {
	return rules[k].show == nil && !slices.ContainsFunc(k.Fields, func(f *kind.Field) bool { return f.Targets != nil })
}

// hideLinks takes out the linked records that the user may not see.
func (v *view) hideLinks(ctx context.Context, k *kind.Schema, recs []any) error {
	if !limited(v.user) {
		return nil
	}
	for _, f := range k.Fields {
		if f.Targets == nil {
			continue
		}
		var all []kind.Linked
		for _, rec := range recs {
			all = append(all, *k.Values(rec).Links(f)...)
		}
		seen, err := v.seenLinks(ctx, f, all)
		if err != nil {
			return err
		}
		for _, rec := range recs {
			links := k.Values(rec).Links(f)
			*links = slices.DeleteFunc(slices.Clone(*links), func(l kind.Linked) bool { return !seen(l) })
		}
	}
	return nil
}

// seenLinks reports which of linked records the user may see.
func (v *view) seenLinks(ctx context.Context, f *kind.Field, links []kind.Linked) (seen func(kind.Linked) bool, err error) {
	yes := map[kind.Linked]bool{}
	key := func(l kind.Linked) kind.Linked { return kind.Linked{Item: l.Item, ID: l.ID} }
	for _, target := range f.Targets {
		scope, err := visible(v.user, target)
		if err != nil {
			continue // none
		}
		ids := idsOf(target, links)
		for chunk := range slices.Chunk(ids, 1000) {
			q := &kind.Query{Page: 1, PerPage: len(chunk), Either: scope, Conds: []kind.Cond{{Field: target.Field("id"), Any: anyOf(chunk)}}}
			_, found, err := v.tx.Find(ctx, target, q)
			if err != nil {
				return nil, err
			}
			for _, id := range found {
				yes[kind.Linked{Item: target.Item, ID: kind.Some(id)}] = true
			}
		}
	}
	return func(l kind.Linked) bool { return yes[key(l)] }, nil
}

// idsOf returns the ids of the linked records of one kind, each once.
func idsOf(k *kind.Schema, links []kind.Linked) (ids []int64) {
	for _, l := range links {
		if l.Item == k.Item {
			ids = append(ids, l.ID.V)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// anyOf is the test for one of several ids.
func anyOf(ids []int64) (tests []kind.Test) {
	for _, id := range ids {
		tests = append(tests, only(id))
	}
	return tests
}
