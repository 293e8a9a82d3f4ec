package store

import (
	"context"
	"errors"
	"slices"

	"muster/internal/index"
	"muster/internal/kind"
)

// fewIDs is how many records a search or a record that others are tied to may
// find without memory's help: looking at their rows costs less. Of those with some
// nested value it does not: databases look for the order first.
const fewIDs = 1000

// among is List of what a table of pairs, words or nested values chooses records for
// and memory knows the rest of, filters and order; not ok when that cannot be done.
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

// jointTries is how often memory is tried on PostgreSQL.
const jointTries = 3

// jointly runs f, which looks for words, in a transaction of PostgreSQL that may ask
// memory besides, and reports whether f is ok. Both must have the same state: when
// something has come between them it is tried again, behind a look at the feed.
func (s *Store) jointly(ctx context.Context, q *kind.Query, f func(*Tx) (bool, error)) (ok bool, err error) {
	moved := s.follower != nil && s.indexes.Load() != nil && looksFurther(q) && q.Search != nil && !isLimited(q.Search)
	for try := 0; moved && try < jointTries && s.follower.isCurrent(ctx, try > 0); try++ {
		err = s.View(ctx, func(tx *Tx) (err error) {
			tx.mayAsk = tx.seen != nil
			ok, err = f(tx)
			moved = tx.moved && !ok
			return err
		})
		if err != nil {
			return false, err
		}
	}
	return ok, nil
}

// isLimited reports whether somebody may not look into all texts of the records, or
// all records that a search looks into beside its own, so that what it finds is not
// kept.
func isLimited(s *kind.Search) bool {
	return s.Limited || slices.ContainsFunc(s.Beside, func(b kind.Beside) bool { return len(b.Either) > 0 })
}

// seen returns what the indexes know on PostgreSQL, nil when they know nothing.
func (s *Store) seen() *seen {
	if s.follower == nil {
		return nil
	}
	return s.follower.seen.Load()
}

// nested returns which condition of a query chooses records by whole values in the
// table of nested ones, -1 when none does, or something else chooses.
func nested(q *kind.Query) int {
	if q.Search != nil || len(q.Ties) > 0 {
		return -1
	}
	return slices.IndexFunc(q.Conds, func(c kind.Cond) bool {
		return c.In != nil && !slices.ContainsFunc(c.Any, func(t kind.Test) bool { return !t.Whole() })
	})
}

// looksFurther reports whether a query is for what a table of pairs or of words
// chooses and for something of the rows too, and for nothing that is apart; or
// for words alone, which memory may know, or for nested values.
func looksFurther(q *kind.Query) bool {
	isApart := func(c kind.Cond) bool { return c.Field.Apart || c.Else != nil && c.Else.Apart }
	isSorted := q.Sort != nil && q.Sort.Type != kind.ID
	switch {
	case q.Search == nil && len(q.Ties) == 0 && nested(q) < 0, slices.ContainsFunc(q.Conds, isApart), isSorted && q.Sort.Apart:
		return false
	}
	return isSorted || len(q.Conds) > 0 || len(q.Either) > 0 || alone(q)
}

// alone reports whether a query asks for the words of a search and nothing else
// of the records.
func alone(q *kind.Query) bool {
	return q.Search != nil && len(q.Ties) == 0 && len(q.Conds) == 0 && len(q.Either) == 0
}

// withMemory calls f with the index of a kind, the ids that a query chooses and
// the rest of the query, unless tables can answer as well. It is ok when f is,
// and memory was of the state that the transaction reads.
func (tx *Tx) withMemory(ctx context.Context, k *kind.Schema, q *kind.Query, f func(x *indexed, rest *kind.Query, ids []int64) bool) (ok bool, err error) {
	all := tx.store.indexes.Load()
	if !tx.mayAsk || all == nil || !looksFurther(q) {
		return false, nil
	}
	if tx.moved, err = tx.isAhead(ctx, k, q); tx.moved || err != nil {
		return false, err
	}
	ids, ok, err := tx.chosen(ctx, k, q)
	at := nested(q)
	if !ok || err != nil || len(ids) < fewIDs && !alone(q) && at < 0 && tx.seen == nil {
		return false, err
	}
	rest := *q
	rest.Ties, rest.Search = nil, nil
	if at >= 0 {
		rest.Conds = slices.Delete(slices.Clone(q.Conds), at, at+1)
	}
	if !f((*all)[k], &rest, ids) {
		return false, nil
	}
	tx.moved = tx.isBehind(k, q)
	return !tx.moved, nil
}

// isAhead reports whether the transaction reads changes, of what a query looks at,
// that memory did not know when it began. On SQLite there are none.
func (tx *Tx) isAhead(ctx context.Context, k *kind.Schema, q *kind.Query) (bool, error) {
	if tx.seen == nil {
		return false, nil
	}
	_, changed, err := tx.seen.position.since(ctx, tx.conn)
	if errors.Is(err, errReload) {
		return true, nil
	}
	return slices.ContainsFunc(tx.lookedAt(k, q), func(t *table) bool { return len(changed[t.name]) > 0 }), err
}

// isBehind reports whether memory may know changes, of what a query looks at, that
// came after the transaction began.
func (tx *Tx) isBehind(k *kind.Schema, q *kind.Query) bool {
	if tx.seen == nil {
		return tx.store.uncertain.Load() || tx.store.changes.Load() != tx.changes
	}
	return tx.store.follower.recent.changed(tx.lookedAt(k, q), tx.seen.look)
}

// lookedAt returns the tables of the records that decide a list: those of its kind,
// those below them that are searched, and those by whose names it filters or sorts.
func (tx *Tx) lookedAt(k *kind.Schema, q *kind.Query) []*table {
	names := []string{k.Path()}
	refer := func(f *kind.Field) {
		if f != nil && shownColumns(f) != nil {
			names = append(names, referred(f))
		}
	}
	if q.Search != nil {
		for _, b := range q.Search.Beside {
			names = append(names, b.Kind.Path())
		}
	}
	refer(q.Sort)
	for _, c := range slices.Concat(q.Conds, q.Either) {
		refer(c.Field)
	}
	var tables []*table
	for _, t := range tx.store.tables {
		if slices.Contains(names, t.name) {
			tables = append(tables, t)
		}
	}
	return tables
}

// findAmong returns how many records a query finds among those that the database
// chooses, and those on its page; not ok when memory cannot tell, or does not know a
// record that words were found in.
func (tx *Tx) findAmong(ctx context.Context, k *kind.Schema, q *kind.Query) (total int, hits []index.Hit, ok bool, err error) {
	ok, err = tx.withMemory(ctx, k, q, func(x *indexed, rest *kind.Query, ids []int64) (ok bool) {
		total, hits, ok = x.FindAmong(rest, ids)
		return ok && (total == len(ids) || !alone(q))
	})
	return total, hits, ok, err
}

// countsAmong is Counts of what the database chooses; not ok when memory cannot
// tell.
func (tx *Tx) countsAmong(ctx context.Context, k *kind.Schema, q *kind.Query, f *kind.Field) (counts []kind.Count, ok bool, err error) {
	if f.Apart {
		return nil, false, nil
	}
	var found []index.Count
	ok, err = tx.withMemory(ctx, k, q, func(x *indexed, rest *kind.Query, ids []int64) (ok bool) {
		found, ok = x.CountsAmong(rest, f, q.PerPage, ids)
		return ok
	})
	if !ok || err != nil {
		return nil, false, err
	}
	return tx.shown(ctx, k, f, found)
}
