package store

import (
	"context"

	"muster/internal/index"
	"muster/internal/kind"
	"muster/internal/store/plan"
)

// An IndexSnapshot is the state of the indexes from one moment on. What is read from the database after that
// moment, and does not change while it is read, is consistent with all that the snapshot returns.
type IndexSnapshot struct {
	store   *Store
	indexes indexes
	Clock   int64 // at that moment
}

// IndexSnapshot returns a snapshot for a list of a kind that begins now, nil when there are no indexes. On
// PostgreSQL it waits a while for changes of this node and of others, and returns nil when the indexes stay
// behind.
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

// Find returns the position of a query's page in its list, and the hits on it. It is not ok when the index
// cannot answer. It is for lists that are rendered.
func (i *IndexSnapshot) Find(k *kind.Schema, q *kind.Query) (at kind.Position, hits []index.Hit, ok bool) {
	total, hits, ok := i.indexes[k].Find(q)
	if ok {
		i.store.count(plan.RenderedBefore)
	}
	at, hits = positionOf(q, total, hits)
	return at, hits, ok
}

// positionOf returns the position of a query's page, and the hits that are on it.
func positionOf(q *kind.Query, total int, hits []index.Hit) (kind.Position, []index.Hit) {
	at := kind.Position{Number: q.Page, PerPage: q.PerPage, Total: total}
	if q.ByID && len(hits) > q.PerPage {
		hits, at.More = hits[:q.PerPage], true
	}
	return at, hits
}

// Unchanged reports whether nothing visible of a record has changed since a clock value. It is false for a kind
// without an index, and while the record is being changed.
func (i *IndexSnapshot) Unchanged(k *kind.Schema, id, since int64) bool {
	x := i.indexes[k]
	return x != nil && x.Stamp(id) <= since
}

// Indexed returns the memory that the indexes take, in bytes.
func (s *Store) Indexed() (bytes int64) {
	if all := s.indexes.Load(); all != nil {
		for _, x := range *all {
			bytes += x.Bytes()
		}
	}
	return bytes
}
