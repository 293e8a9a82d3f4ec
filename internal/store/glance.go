package store

import (
	"context"
	"sync/atomic"

	"muster/internal/index"
	"muster/internal/kind"
)

// A Glance is a look at the indexes, from one moment on. What is read from the
// database after that moment, and was not changed until its end, is of one state
// with all that it tells.
type Glance struct {
	indexes indexes
	Clock   int64 // at that moment
	found   *atomic.Int64
}

// Glance returns one for a list of a kind that begins now, nil when there are no
// indexes, or on PostgreSQL when they are behind. There it waits a while for the
// node's own changes, and for those of others.
func (s *Store) Glance(ctx context.Context, k *kind.Schema) *Glance {
	if s.follower != nil && (s.indexes.Load() == nil || !s.follower.isCurrent(ctx, k.Chained)) {
		return nil
	}
	clock, all := s.clock.Load(), s.indexes.Load()
	if all == nil {
		return nil
	}
	return &Glance{*all, clock, &s.lists[FromMemory]}
}

// glanceFor is Glance for a query, nil also when that asks for words or for what
// belongs to a record, which the indexes do not know.
func (s *Store) glanceFor(ctx context.Context, k *kind.Schema, q *kind.Query) *Glance {
	if q.Search != nil || len(q.Ties) > 0 {
		return nil
	}
	return s.Glance(ctx, k)
}

// Find returns where in the list of a query the page is that it asks for, and
// what is on it; not ok when the index cannot tell.
func (g *Glance) Find(k *kind.Schema, q *kind.Query) (at kind.Position, hits []index.Hit, ok bool) {
	total, hits, ok := g.indexes[k].Find(q)
	if ok {
		g.found.Add(1)
	}
	at = kind.Position{Number: q.Page, PerPage: q.PerPage, Total: total}
	if q.ByID && len(hits) > q.PerPage {
		hits, at.More = hits[:q.PerPage], true
	}
	return at, hits, ok
}

// Unchanged reports whether nothing that is shown of a record has changed since
// a clock. It says no of a kind that has no index, and while it is being
// changed.
func (g *Glance) Unchanged(k *kind.Schema, id, since int64) bool {
	x := g.indexes[k]
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
