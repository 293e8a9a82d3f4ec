package store

import (
	"context"
	"errors"
	"slices"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/plan"
)

// bySearchThenIndex lets a table of words, ties or values choose records, and asks
// the index for the rest, filters and order. The table returns ids alone, and no
// row is read that is not on the page.
type bySearchThenIndex struct{}

func (bySearchThenIndex) answer(ctx context.Context, r *request) (why plan.Reason, err error) {
	if !r.store.Shared() {
		err = r.store.View(ctx, func(tx *Tx) error {
			why, err = r.answerIn(ctx, tx)
			return err
		})
		return why, err
	}
	why = plan.IndexBehind
	ok, err := r.store.withSearchAndIndex(ctx, func(tx *Tx) (bool, error) {
		why, err = r.amongChosen(ctx, tx)
		return why == r.why, err
	})
	if ok || err != nil {
		return why, err
	}
	return r.fromTables(ctx, why)
}

// answerIn answers in a transaction that may ask the index, by the tables if need
// be.
func (r *request) answerIn(ctx context.Context, tx *Tx) (why plan.Reason, err error) {
	if r.why.Way() == plan.SearchThenIndex {
		if why, err = r.amongChosen(ctx, tx); why == r.why || err != nil {
			return why, err
		}
		return why, r.inTables(ctx, tx)
	}
	return r.why, r.inTables(ctx, tx)
}

// searchTries is how often the index is tried on PostgreSQL.
const searchTries = 3

// withSearchAndIndex runs f, which looks for words, in a transaction of PostgreSQL
// that may ask the index besides, and reports whether f is ok. Both must have the
// same state: when something has come between them it is tried again, behind a look
// at the feed.
func (s *Store) withSearchAndIndex(ctx context.Context, f func(*Tx) (bool, error)) (ok bool, err error) {
	stale := true
	for try := 0; stale && try < searchTries && s.follower.isCurrent(ctx, try > 0); try++ {
		err = s.View(ctx, func(tx *Tx) (err error) {
			tx.indexAllowed = true
			ok, err = f(tx)
			stale = tx.stale && !ok
			return err
		})
		if err != nil {
			return false, err
		}
	}
	return ok, nil
}

// amongChosen answers by the index, of the records that the tables choose, if it has
// the state that the transaction reads. It returns the reason of the plan when that
// was done, and else why not.
func (r *request) amongChosen(ctx context.Context, tx *Tx) (plan.Reason, error) {
	all := tx.store.indexes.Load()
	if all == nil || r.state.Shared && tx.seen == nil {
		return plan.NoIndex, nil
	}
	var err error
	if tx.stale, err = tx.isAhead(ctx, r.kind, r.query); tx.stale || err != nil {
		return plan.IndexStale, err
	}
	ids, err := tx.chosen(ctx, r.kind, r.query)
	if err != nil || len(ids) < plan.LeastChosen(r.query, r.state) {
		return plan.FewChosen, err
	}
	if !r.inIndex((*all)[r.kind].Index, unchosen(r.query), &chosen{ids, plan.MustFindAll(r.query)}) {
		return plan.IndexStale, nil
	}
	if tx.stale = tx.isBehind(r.kind, r.query); tx.stale {
		return plan.IndexStale, nil
	}
	if !r.readsRows() {
		return r.why, nil
	}
	if ok, err := r.read(ctx, tx); !ok || err != nil {
		return plan.IndexStale, err
	}
	return r.why, nil
}

// unchosen returns a query without what chooses its records.
func unchosen(q *kind.Query) *kind.Query {
	rest := *q
	rest.Ties, rest.Search = nil, nil
	if at := plan.NestedValue(q); at >= 0 {
		rest.Conds = slices.Delete(slices.Clone(q.Conds), at, at+1)
	}
	return &rest
}

// seen returns what the indexes know on PostgreSQL, nil when they know nothing.
func (s *Store) seen() *seen {
	if s.follower == nil {
		return nil
	}
	return s.follower.seen.Load()
}

// isAhead reports whether the transaction reads changes, of what a query looks at,
// that the indexes did not know when it began. On SQLite there are none.
func (tx *Tx) isAhead(ctx context.Context, k *kind.Schema, q *kind.Query) (bool, error) {
	if tx.seen == nil {
		return false, nil
	}
	_, changed, err := tx.seen.position.since(ctx, tx.conn)
	if errors.Is(err, errReload) {
		return true, nil
	}
	return slices.ContainsFunc(tx.lookedAt(k, q), func(t *mapping.Table) bool { return len(changed[t.Name]) > 0 }), err
}

// isBehind reports whether the indexes may know changes, of what a query looks at,
// that came after the transaction began.
func (tx *Tx) isBehind(k *kind.Schema, q *kind.Query) bool {
	if tx.seen == nil {
		return tx.store.uncertain.Load() || tx.store.changes.Load() != tx.changes
	}
	return tx.store.follower.recent.changed(tx.lookedAt(k, q), tx.seen.look)
}

// lookedAt returns the tables of the records that decide a list: those of its kind,
// those below them that are searched, and those by whose names it filters or sorts.
func (tx *Tx) lookedAt(k *kind.Schema, q *kind.Query) []*mapping.Table {
	names := []string{k.Path()}
	refer := func(f *kind.Field) {
		if f != nil && mapping.ShownColumns(f) != nil {
			names = append(names, mapping.Referred(f))
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
	var tables []*mapping.Table
	for _, t := range tx.store.tables {
		if slices.Contains(names, t.Name) {
			tables = append(tables, t)
		}
	}
	return tables
}
