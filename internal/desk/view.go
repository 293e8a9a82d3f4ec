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
	rec, err := v.Load(ctx, v.tx, v.user, k, id)
	if err != nil {
		return nil, err
	}
	return rec, v.show(ctx, k, []any{rec})
}

// Show sets in a record what is read beside it, and leaves out what a user may not see.
func (d *Desk) Show(ctx context.Context, tx *store.Tx, user *inventory.User, k *kind.Schema, rec any) error {
	return (&view{d, tx, user, true}).show(ctx, k, []any{rec})
}

// LoadShown returns a record that a user may see, as they see it.
func (d *Desk) LoadShown(ctx context.Context, tx *store.Tx, user *inventory.User, k *kind.Schema,
	id int64) (any, error) {
	return (&view{d, tx, user, true}).one(ctx, k, id)
}

// list returns one page of the records that the user may see.
func (v *view) list(ctx context.Context, k *kind.Schema, q *kind.Query) (kind.Page, error) {
	scoped, err := scope(v.user, k, q)
	if err != nil {
		return kind.Page{}, err
	}
	page, err := v.tx.List(ctx, k, scoped)
	if err != nil {
		return page, err
	}
	return page, v.showList(ctx, k, q, page.Records)
}

// showList is show of the records of a list, with what it includes.
func (v *view) showList(ctx context.Context, k *kind.Schema, q *kind.Query, recs []any) error {
	if err := v.show(ctx, k, recs); err != nil || q.Include == "" {
		return err
	}
	return rules[k].include(ctx, v, recs)
}

// scope returns a query that finds of what another does what the user may see.
func scope(user *inventory.User, k *kind.Schema, q *kind.Query) (*kind.Query, error) {
	conds, err := Visible(user, k)
	if err != nil {
		return nil, err
	}
	scoped := *q
	scoped.Either, scoped.Search = conds, search(user, k, q.Search)
	return &scoped, nil
}

// show sets what is read beside records, and takes out what the user may not
// see.
func (v *view) show(ctx context.Context, k *kind.Schema, recs []any) error {
	for _, rec := range recs {
		k.Derive(rec, v.now())
		if Limited(v.user) {
			k.HideStaff(rec)
		}
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
	if !Limited(v.user) {
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
			*links = slices.DeleteFunc(slices.Clone(*links),
				func(l kind.Linked) bool { return !seen[link{l.Item, l.ID.V}] })
		}
	}
	return nil
}

// seenLinks returns which of linked records the user may see.
func (v *view) seenLinks(ctx context.Context, f *kind.Field, links []kind.Linked) (map[link]bool, error) {
	seen := map[link]bool{}
	for _, target := range f.Targets {
		if _, err := Visible(v.user, target); err != nil {
			continue // none
		}
		recs, err := v.tx.Rows(ctx, target, idsOf(target, links))
		if err != nil {
			return nil, err
		}
		for _, rec := range recs {
			seen[link{target.Item, target.Meta(rec).ID}] = sees(v.user, target, rec)
		}
	}
	return seen, nil
}

// A link is what names a linked record.
type link struct {
	item string
	id   int64
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
