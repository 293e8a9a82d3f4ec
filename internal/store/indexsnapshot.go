package store

import (
	"context"

	"muster/internal/index"
	"muster/internal/kind"
	"muster/internal/store/plan"
)

// An IndexSnapshot is what the indexes know from one moment on. What is read from
// the database after that moment, and was not changed until its end, is of one
// state with all that it returns.
type IndexSnapshot struct {
	store   *Store
	indexes indexes
	Clock   int64 // at that moment
}

// IndexSnapshot returns one for a list of a kind that begins now, nil when there
// are no indexes, or on PostgreSQL when they are behind. There it waits a while for
// the node's own changes, and for those of others.
func (s *Store) IndexSnapshot(ctx context.Context, k *kind.Schema) *IndexSnapshot {
	if s.follower != nil && (s.indexes.Load() == nil || !s.follower.isCurrent(ctx, k.Chained)) {
		return nil
	}
	clock, all := s.clock.Load(), s.indexes.Load()
	if all == nil {
		return nil
	}
	return &IndexSnapshot{s, *all, clock}
}

// Find returns where in the list of a query the page is that it asks for, and what
// is on it; not ok when the index cannot tell. It is for lists that are rendered.
func (i *IndexSnapshot) Find(k *kind.Schema, q *kind.Query) (at kind.Position, hits []index.Hit, ok bool) {
	total, hits, ok := i.indexes[k].Find(q)
	if ok {
		i.store.count(plan.RenderedBefore)
	}
	at, hits = positionOf(q, total, hits)
	return at, hits, ok
}

// positionOf returns where the page of a query is, and the hits that are on it.
func positionOf(q *kind.Query, total int, hits []index.Hit) (kind.Position, []index.Hit) {
	at := kind.Position{Number: q.Page, PerPage: q.PerPage, Total: total}
	if q.ByID && len(hits) > q.PerPage {
		hits, at.More = hits[:q.PerPage], true
	}
	return at, hits
}

// Unchanged reports whether nothing that is shown of a record has changed since
// a clock. It says no of a kind that has no index, and while the record is being
// changed.
func (i *IndexSnapshot) Unchanged(k *kind.Schema, id, since int64) bool {
	x := i.indexes[k]
	return x != nil && x.Stamp(id) <= since
}

// Indexed returns how many bytes of memory the indexes take.
func (s *Store) Indexed() (bytes int64) {
	if all := s.indexes.Load(); all != nil {
		for _, x := range *all {
			bytes += x.Bytes()
		}
	}
	return bytes
}
