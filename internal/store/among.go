package store

import (
	"context"
	"slices"

	"muster/internal/index"
	"muster/internal/kind"
)

// fewIDs is how many records a search or a record that others are tied to may
// find without memory's help: looking at their rows costs less.
const fewIDs = 1000

// among is List of what a table of pairs or of words chooses records for and
// memory knows the rest of, filters and order; not ok when that cannot be done.
// The table tells ids alone, and no row is looked at that is not on the page.
// What is apart changes all the time without being counted, so queries for that
// are not answered so.
func (tx *Tx) among(ctx context.Context, k *kind.Schema, q *kind.Query) (page kind.Page, ok bool, err error) {
	var hits []index.Hit
	page.Position = kind.Position{Number: q.Page, PerPage: q.PerPage}
	if page.Total, hits, ok, err = tx.findAmong(ctx, k, q); !ok || err != nil {
		return page, false, err
	}
	if q.ByID && len(hits) > q.PerPage {
		hits, page.More = hits[:q.PerPage], true
	}
	page.Records, ok, err = tx.Hits(ctx, k, q, hits)
	return page, ok, err
}

// sharedTries is how often memory is tried on PostgreSQL.
const sharedTries = 3

// together runs f in a transaction of PostgreSQL that may ask memory besides, and
// reports whether f is ok. Both must have the same state, which changes prevent: a
// look at the feed comes first, and it is tried again when one came between.
func (s *Store) together(ctx context.Context, q *kind.Query, f func(*Tx) (bool, error)) (ok bool, err error) {
	moved := s.follower != nil && looksFurther(q)
	for try := 0; try < sharedTries && moved && s.follower.isCurrent(ctx, true); try++ {
		err = s.View(ctx, func(tx *Tx) (err error) {
			tx.mayAsk = tx.seen != nil
			ok, err = f(tx)
			moved = tx.moved
			return err
		})
		if ok || err != nil {
			break
		}
	}
	return ok, err
}

// seen returns what the indexes know on PostgreSQL, nil when they know nothing.
func (s *Store) seen() *seen {
	if s.follower == nil {
		return nil
	}
	return s.follower.seen.Load()
}

// looksFurther reports whether a query is for what a table of pairs or of words
// chooses and for something of the rows too, and for nothing that is apart; or
// for words alone, which memory may know.
func looksFurther(q *kind.Query) bool {
	isApart := func(c kind.Cond) bool { return c.Field.Apart || c.Else != nil && c.Else.Apart }
	isSorted := q.Sort != nil && q.Sort.Type != kind.ID
	switch {
	case q.Search == nil && len(q.Ties) == 0, slices.ContainsFunc(q.Conds, isApart), isSorted && q.Sort.Apart:
		return false
	}
	return isSorted || len(q.Conds) > 0 || len(q.Either) > 0 || alone(q)
}
