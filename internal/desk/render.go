package desk

import (
	"context"

	"muster/internal/fragment"
	"muster/internal/index"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
	"muster/internal/store/plan"
)

// A Renderer renders records as documents, and keeps in memory what it has rendered.
type Renderer struct {
	desk      *Desk
	fragments *fragment.Cache // nil when nothing is kept
}

// Renderer returns what renders the records of the desk.
func (d *Desk) Renderer() *Renderer { return &d.renderer }

// A renderCache renders records in a form, for all to whom they look the same. It
// takes what it can from memory, where it keeps what it has rendered. All that it
// returns is of one state: what has changed since it began is not taken from memory.
type renderCache struct {
	*Renderer
	user     *inventory.User
	form     *kind.Form
	kind     *kind.Schema
	snapshot *store.IndexSnapshot
	day      int64 // 0 when that is no matter
	share    int   // of a document, that a record may take; 0 for any
}

// document returns whether what is rendered in a form for a user may be kept for others.
func (r *Renderer) document(user *inventory.User, form *kind.Form) plan.Document {
	switch k := form.Kind(); {
	case r.fragments == nil, form.IsSingle() && r.desk.store.Shared(): // another node may have changed it just now
		return plan.Uncached
	case form.Includes(), Limited(user) && (form.IsSingle() || !plain(k)):
		return plan.Personal
	}
	return plan.Common
}

// begin begins to render records for a user, of which each may take a share of the document; it is for a common one.
// It returns nil when it is not known now what has changed.
func (r *Renderer) begin(ctx context.Context, user *inventory.User, form *kind.Form, share int) *renderCache {
	k := form.Kind()
	snapshot := r.desk.store.IndexSnapshot(ctx, k)
	if snapshot == nil {
		return nil
	}
	c := &renderCache{Renderer: r, user: user, form: form, kind: k, snapshot: snapshot, share: share}
	if k.Derives() {
		c.day = kind.Today(r.desk.now()).Unix()
	}
	return c
}

// get returns what is kept of a record, nil for nothing that is true.
func (s *renderCache) get(id int64) *fragment.Kept {
	if kept := s.fragments.Get(s.form, id); kept != nil && s.fits(kept) && s.isCurrent(kept) {
		return kept
	}
	return nil
}

// fits reports whether what is kept is as much of a record as this document has room
// for.
func (s *renderCache) fits(kept *fragment.Kept) bool {
	if kept.Part || kept.Share == kind.NoItems || s.share == kind.NoItems {
		return kept.Share == s.share
	}
	return s.share == 0 || len(kept.Text) <= s.share
}

// isCurrent reports whether what is kept was true when the rendering began, and is.
func (s *renderCache) isCurrent(kept *fragment.Kept) bool {
	since := min(kept.Clock, s.snapshot.Clock)
	if kept.Day != s.day || !s.snapshot.Unchanged(s.kind, kept.ID, since) {
		return false
	}
	for _, other := range kept.Others {
		k := other.Kind
		if k == nil {
			k = inventory.Users.Schema
		}
		if !s.snapshot.Unchanged(k, other.ID, since) {
			return false
		}
	}
	return true
}

// keep renders records that were read after the rendering began, and keeps them
// unless they have changed meanwhile.
func (s *renderCache) keep(recs []any) []*kind.Fragment {
	items := s.form.Render(recs, s.share)
	kept, beside := fragment.Kept{Clock: s.snapshot.Clock, Day: s.day}, rules[s.kind].related
	for i, item := range items {
		kept.Fragment, kept.Others, kept.Share = item, s.form.Embeds(kept.Others[:0], recs[i]), 0
		if beside != nil {
			kept.Others = append(kept.Others, beside(recs[i])...)
		}
		if item.Part || s.share == kind.NoItems {
			kept.Share = s.share
		}
		if s.isCurrent(&kept) {
			s.fragments.Put(s.form, &kept)
		}
	}
	return items
}

// One returns one record that the caller may see, in a form.
func (r *Renderer) One(ctx context.Context, who Caller, form *kind.Form, id int64) (doc kind.Document, err error) {
	r.desk.claims.Expire(ctx, form.Kind())
	var s *renderCache
	if r.document(who.User, form) == plan.Common {
		s = r.begin(ctx, who.User, form, form.Kind().Share(1))
	}
	if s != nil {
		if kept := s.get(id); kept != nil {
			s.fragments.Count(1, 0)
			return kind.Document{Form: form, Items: []*kind.Fragment{kept.Fragment}}, nil
		}
		s.fragments.Count(0, 1)
	}
	get := r.desk.Get
	if form.Includes() {
		get = r.desk.GetIncluding
	}
	rec, err := get(ctx, who, form.Kind(), id)
	switch {
	case err != nil:
		return doc, err
	case s == nil:
		return form.Document(rec), nil
	}
	return kind.Document{Form: form, Items: s.keep([]any{rec})}, nil
}

// tries is how often a page is looked for in memory while others change what is
// on it.
const tries = 3

// List returns one page of the records that the caller may see, in a form.
func (r *Renderer) List(ctx context.Context, who Caller, form *kind.Form, q *kind.Query) (kind.Document, error) {
	scoped, err := scope(who.User, form.Kind(), q)
	if err == nil {
		err = r.desk.Complete(ctx, form.Kind())
	}
	if err != nil {
		return kind.Document{}, err
	}
	for range tries {
		if r.desk.store.Plan(form.Kind(), scoped, r.document(who.User, form)).Way() != plan.Fragments {
			break
		}
		s := r.begin(ctx, who.User, form, form.Kind().ShareOf(q))
		if s == nil {
			break
		}
		if doc, ok, err := s.list(ctx, scoped); ok || err != nil {
			return doc, err
		}
	}
	page, err := r.desk.List(ctx, who, form.Kind(), q)
	return form.Page(page), err
}

// list returns one page, found by the index and of rendered records; not ok when some
// of it has changed since.
func (s *renderCache) list(ctx context.Context, q *kind.Query) (doc kind.Document, ok bool, err error) {
	at, hits, found := s.snapshot.Find(s.kind, q)
	if !found {
		return doc, false, nil
	}
	items, ok, err := s.items(ctx, q, hits)
	return kind.Document{Form: s.form, Position: at, Items: items}, ok, err
}

// items returns what an index has found; not ok when some of it has changed
// since.
func (s *renderCache) items(ctx context.Context, q *kind.Query,
	hits []index.Hit) (items []*kind.Fragment, ok bool, err error) {
	all, missing := make([]*fragment.Kept, len(hits)), []index.Hit(nil)
	items = make([]*kind.Fragment, len(hits))
	for i, h := range hits {
		if all[i] = s.get(h.ID); all[i] != nil {
			items[i] = all[i].Fragment
		} else {
			missing = append(missing, h)
		}
	}
	s.fragments.Count(len(hits)-len(missing), len(missing))
	if len(missing) == 0 {
		return items, true, nil
	}
	read, ok, err := s.read(ctx, q, missing)
	if err != nil || !ok {
		return nil, false, err
	}
	for i, kept := range all {
		switch {
		case kept == nil:
			items[i], read = read[0], read[1:]
		case !s.isCurrent(kept): // what was read may be of a later state
			return nil, false, nil
		}
	}
	return items, true, nil
}

// read reads from the database what an index has found; not ok when some of it
// has changed since.
func (s *renderCache) read(ctx context.Context, q *kind.Query,
	hits []index.Hit) (items []*kind.Fragment, ok bool, err error) {
	err = s.desk.store.View(ctx, func(tx *store.Tx) (err error) {
		items = items[:0]
		ok, err = tx.EachHits(ctx, s.kind, q, hits, func(recs []any) error {
			err := (&view{s.desk, tx, s.user, false}).show(ctx, s.kind, recs)
			if err == nil {
				items = append(items, s.keep(recs)...)
			}
			return err
		})
		return err
	})
	return items, ok, err
}

// Stats returns figures of what is kept of documents.
func (r *Renderer) Stats() fragment.Stats { return r.fragments.Stats() }
