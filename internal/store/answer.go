package store

import (
	"context"

	"muster/internal/index"
	"muster/internal/kind"
	"muster/internal/store/plan"
)

// Plan decides how a list is answered that will be rendered as a document.
func (s *Store) Plan(k *kind.Schema, q *kind.Query, d plan.Document) plan.Reason {
	state := s.state(k, q, nil)
	state.Document = d
	return plan.For(q, state)
}

// state returns the facts that the planner needs for a query, or for the counts of a field's values.
func (s *Store) state(k *kind.Schema, q *kind.Query, counted *kind.Field) plan.State {
	state := plan.State{Shared: s.Shared(), Counted: counted}
	if all := s.indexes.Load(); all != nil {
		x := (*all)[k]
		state.Indexed = true
		state.Keeps, state.Rare = x.Fit(q, plan.NestedValue(q))
		state.Keeps = state.Keeps && (counted == nil || x.KeepsValues(counted))
	}
	return state
}

// count counts a list that was answered.
func (s *Store) count(why plan.Reason) { s.lists[why].Add(1) }

// A question is what is asked about a list: a page of it, how many records it has, or how many of them have
// each value of a field.
type question interface {
	// inIndex asks the index, about all records or about the chosen ones. It is not ok when the index cannot
	// answer.
	inIndex(x *index.Index, q *kind.Query, among *chosen) (ok bool)
	// readsRows reports whether the index alone does not answer the question.
	readsRows() bool
	// read reads what the index has found from the tables. It is not ok when some of it has changed since.
	read(ctx context.Context, tx *Tx) (ok bool, err error)
	// inTables answers from the tables alone.
	inTables(ctx context.Context, tx *Tx) error
}

// chosen are the records that the index search is restricted to.
type chosen struct {
	ids []int64
	all bool // each of them must be in the index
}

// A request is a question about the list of a query.
type request struct {
	question
	store *Store
	kind  *kind.Schema
	query *kind.Query
	state plan.State
	why   plan.Reason
}

// ask plans how a question is answered, answers it, and returns the reason for the way that was taken.
func (s *Store) ask(
	ctx context.Context, k *kind.Schema, q *kind.Query, counted *kind.Field, what question,
) (plan.Reason, error) {
	r := s.request(k, q, counted, what)
	return ways[r.why.Way()].answer(ctx, r)
}

// request returns a question with its plan, outside of a transaction.
func (s *Store) request(k *kind.Schema, q *kind.Query, counted *kind.Field, what question) *request {
	r := &request{question: what, store: s, kind: k, query: q, state: s.state(k, q, counted)}
	r.why = plan.For(q, r.state)
	return r
}

// request returns a question with its plan, for the state that the transaction reads.
func (tx *Tx) request(k *kind.Schema, q *kind.Query, counted *kind.Field, what question) *request {
	r := tx.store.request(k, q, counted, what)
	r.state.InTransaction, r.state.IndexAllowed = true, tx.indexAllowed
	r.why = plan.For(q, r.state)
	return r
}

// A way answers requests. It returns the reason for the way that was taken in the end, which may be another
// one.
type way interface {
	answer(ctx context.Context, r *request) (plan.Reason, error)
}

// ways are the ways that the store implements; the one by fragments is in package desk.
var ways = [...]way{plan.SQL: bySQL{}, plan.Index: byIndex{}, plan.SearchThenIndex: bySearchThenIndex{}}

// bySQL answers from the tables alone.
type bySQL struct{}

func (bySQL) answer(ctx context.Context, r *request) (plan.Reason, error) {
	return r.fromTables(ctx, r.why)
}

// fromTables answers from the tables, for a reason.
func (r *request) fromTables(ctx context.Context, why plan.Reason) (plan.Reason, error) {
	return why, r.store.View(ctx, func(tx *Tx) error { return r.inTables(ctx, tx) })
}

// byIndex finds records in the index and reads their rows from the tables.
type byIndex struct{}

func (byIndex) answer(ctx context.Context, r *request) (why plan.Reason, err error) {
	snapshot := r.store.IndexSnapshot(ctx, r.kind)
	switch {
	case snapshot == nil:
		return r.fromTables(ctx, plan.IndexBehind)
	case !r.inIndex(snapshot.indexes[r.kind].Index, r.query, nil):
		return r.fromTables(ctx, plan.NotKept)
	case !r.readsRows():
		return r.why, nil
	}
	err = r.store.View(ctx, func(tx *Tx) error {
		why = r.why
		if ok, err := r.read(ctx, tx); ok || err != nil {
			return err
		}
		why = plan.IndexStale
		return r.inTables(ctx, tx)
	})
	return why, err
}
