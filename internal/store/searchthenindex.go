package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/plan"
)

// bySearchThenIndex lets a table of words, ties or values choose records, and the index filter and sort them.
// The table returns ids alone, and only the rows on the page are read.
type bySearchThenIndex struct{}

func (bySearchThenIndex) answer(ctx context.Context, r *request) (why plan.Reason, err error) {
	if r.store.follower != nil && !r.store.follower.isCurrent(ctx, false) {
		return r.fromTables(ctx, plan.IndexBehind)
	}
	err = r.store.View(ctx, func(tx *Tx) error {
		why, err = r.answerIn(ctx, tx)
		return err
	})
	return why, err
}

// answerIn answers in a transaction, from the tables where the index cannot.
func (r *request) answerIn(ctx context.Context, tx *Tx) (why plan.Reason, err error) {
	if r.why.Way() != plan.SearchThenIndex {
		return r.why, r.inTables(ctx, tx)
	}
	if !tx.indexAllowed {
		return plan.IndexStale, r.inTables(ctx, tx)
	}
	switch why, err = r.amongChosen(ctx, tx); {
	case why == r.why || err != nil:
		return why, err
	case tx.stale:
		return why, &staleError{r.store.lookedAt(r.kind, r.query)}
	}
	return why, r.inTables(ctx, tx)
}

// A staleError is returned when a transaction and the index cannot answer a list together, because one of them has
// changes of these tables that the other lacks.
type staleError struct{ tables []*mapping.Table }

func (*staleError) Error() string { return "the index has another state than the transaction" }

// searchTries is how often a transaction may use the index. What it has found is cached, so running it again is
// cheap.
const searchTries = 5

// View runs f in a transaction that reads one state of the database, and that may use the index. It runs f again when
// the index has another state, the last time without the index.
func (s *Store) View(ctx context.Context, f func(*Tx) error) error {
	for try := 0; ; try++ {
		err := s.watch(ctx, Viewing, s.database.View, func(tx *Tx) error {
			tx.indexAllowed = try < searchTries
			return f(tx)
		})
		var stale *staleError
		if !errors.As(err, &stale) {
			return err
		}
		if !s.isCurrent(ctx, stale.tables) {
			try = searchTries - 1
		}
	}
}

// amongChosen answers by the index, restricted to the records that the tables choose, if it has the state of
// the transaction. It returns the reason of the plan when that was done, and otherwise why not.
func (r *request) amongChosen(ctx context.Context, tx *Tx) (plan.Reason, error) {
	all := tx.store.indexes.Load()
	if all == nil || tx.seen == nil {
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

// unchosen returns a query without the part that chooses its records.
func unchosen(q *kind.Query) *kind.Query {
	rest := *q
	rest.Ties, rest.Search = nil, nil
	if at := plan.NestedValue(q); at >= 0 {
		rest.Conds = slices.Delete(slices.Clone(q.Conds), at, at+1)
	}
	return &rest
}

// isCurrent reports whether a transaction that begins now is likely to read the state that the indexes have of the
// tables. On SQLite it waits for a commit that changes them, on PostgreSQL for a look at the feed.
func (s *Store) isCurrent(ctx context.Context, tables []*mapping.Table) bool {
	if s.follower != nil {
		return s.follower.isCurrent(ctx, true)
	}
	timeout := time.NewTimer(lookTime)
	defer timeout.Stop()
	for {
		c := s.pending.Load()
		if !c.changes(tables) {
			return true
		}
		select {
		case <-c.ended:
		case <-timeout.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// isAhead reports whether the transaction may read changes to the tables of a query that the indexes lacked when it
// began.
func (tx *Tx) isAhead(ctx context.Context, k *kind.Schema, q *kind.Query) (bool, error) {
	tables := tx.store.lookedAt(k, q)
	if !tx.store.Shared() {
		return tx.store.pending.Load().changes(tables) || tx.store.recent.changed(tables, tx.seen.number), nil
	}
	var err error
	if _, tx.ahead, err = tx.seen.position.since(ctx, tx.conn); errors.Is(err, errReload) {
		return true, nil
	}
	return slices.ContainsFunc(tables, func(t *mapping.Table) bool { return len(tx.ahead[t.Name]) > 0 }), err
}

// isBehind reports whether the indexes may have changes that matter for a query and that were committed after
// the transaction began.
func (tx *Tx) isBehind(k *kind.Schema, q *kind.Query) bool {
	return tx.store.recent.changed(tx.store.lookedAt(k, q), tx.seen.number)
}

// lookedAt returns the tables of the records that decide a list: those of its kind,
// those below them that are searched, and those by whose names it filters or sorts.
func (s *Store) lookedAt(k *kind.Schema, q *kind.Query) []*mapping.Table {
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
	for _, t := range s.tables {
		if slices.Contains(names, t.Name) {
			tables = append(tables, t)
		}
	}
	return tables
}
