package store

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/plan"
)

// How much is kept of what searches have found: so many searches, and so many
// ids of them all, 32 MiB. A word that most of a million computers, programs and
// tickets have takes half of that in a search over all kinds.
const (
	maxSearches = 64
	maxFound    = 4 << 20
)

// A foundSet is what a search has found: the ids of all records that have its
// words, in their order; or of those that are tied to a record.
type foundSet struct {
	key  string
	ids  []int64
	asOf int64 // see Store.worded, of ties Store.clock; on PostgreSQL a look at the feed
}

// A searchMemory keeps what searches have found: the next page, another order and
// the counts of filters need not look for the words again, nor does the next
// person. On SQLite that holds until words change, on PostgreSQL the records that
// have changed since are looked at again. What is tied to a record that counts it
// is kept too, on SQLite, until that record shows another count.
type searchMemory struct {
	mu   sync.Mutex
	all  []*foundSet // the one that was asked for last is the last
	kept int         // ids
}

// get returns what a search has found, nil when that is not known.
func (m *searchMemory) get(key string) *foundSet {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.all, func(f *foundSet) bool { return f.key == key })
	if i < 0 {
		return nil
	}
	f := m.all[i]
	m.all = append(slices.Delete(m.all, i, i+1), f)
	return f
}

// keep keeps what a search has found, instead of what was asked for longest ago.
func (m *searchMemory) keep(f *foundSet) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(slices.IndexFunc(m.all, func(other *foundSet) bool { return other.key == f.key }))
	for len(m.all) > 0 && (len(m.all) >= maxSearches || m.kept+len(f.ids) > maxFound) {
		m.drop(0)
	}
	m.all, m.kept = append(m.all, f), m.kept+len(f.ids)
}

// drop drops what was found by one search, none for -1.
func (m *searchMemory) drop(i int) {
	if i >= 0 {
		m.kept -= len(m.all[i].ids)
		m.all = slices.Delete(m.all, i, i+1)
	}
}

// reword notes that the words of a record change.
func (tx *Tx) reword(t *mapping.Table) {
	if tx.ledger != nil && tx.ledger.touched != nil {
		tx.ledger.reworded[t] = true
	}
}

// wordsChange makes what searches have found in the tables that a transaction gives
// other words no good any more. It is done before the commit and after it, so
// that nobody keeps what is of before.
func (s *Store) wordsChange() {
	if len(s.ledger.reworded) == 0 {
		return
	}
	now := s.worded.Add(1)
	for t := range s.ledger.reworded {
		t.Search.Changed.Store(now)
	}
}

// leastKept is how many records a search must find for what it has found to be
// kept.
const leastKept = 1000

// found returns the ids of all records that have the words of a search, in their
// order. The search is one that is the same for all.
func (tx *Tx) found(ctx context.Context, k *kind.Schema, s *kind.Search) (ids []int64, err error) {
	words, key := mapping.AskedOf(s.Text), k.Item
	tables := []*mapping.Table{tx.table(k)}
	for _, b := range s.Beside {
		key += "+" + b.Kind.Item
		tables = append(tables, tx.table(b.Kind))
	}
	for _, a := range words {
		key += fmt.Sprintf(" %s %v", a.Word, a.Prefix)
	}
	if f := tx.store.searched.get(key); f != nil {
		if ids, ok, err := tx.stillFound(ctx, tables, words, s.Beside, f); ok || err != nil {
			return ids, err
		}
	}
	if ids, err = tx.having(ctx, k, words, s.Beside, nil); err != nil {
		return nil, err
	}
	if len(ids) >= leastKept {
		tx.keepFound(tables, key, ids)
	}
	return ids, nil
}

// keepFound keeps what the transaction has found in tables.
func (tx *Tx) keepFound(tables []*mapping.Table, key string, ids []int64) {
	switch {
	case len(ids) > maxFound:
	case tx.seen != nil:
		tx.store.searched.keep(&foundSet{key, ids, tx.seen.look})
	case tx.knowsWords(tables, tx.worded):
		tx.store.searched.keep(&foundSet{key, ids, tx.worded})
	}
}

// stillFound returns what a search has found before as the transaction finds it,
// not ok when it must look for all again. On PostgreSQL it asks of those alone that
// have changed since: a record is told to have when one below it has, and others
// are not looked into.
func (tx *Tx) stillFound(
	ctx context.Context, tables []*mapping.Table, words []mapping.Asked, beside []kind.Beside, f *foundSet,
) (ids []int64, ok bool, err error) {
	if tx.seen == nil {
		return f.ids, tx.knowsWords(tables, f.asOf), nil
	}
	changed, ok := tx.store.follower.recent.since(tables[0], f.asOf, mostMended)
	if !ok {
		return nil, false, nil
	}
	ids = f.ids
	if len(changed) > 0 {
		again, err := tx.having(ctx, tables[0].Kind, words, beside, changed)
		if err != nil {
			return nil, false, err
		}
		ids = slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return has(changed, id) })
		ids = append(ids, again...)
		slices.Sort(ids)
	}
	tx.keepFound(tables, f.key, ids)
	return ids, true, nil
}

// mostMended is how many records are looked at again rather than all.
const mostMended = 2000

// has reports whether sorted ids have one.
func has(ids []int64, id int64) bool {
	_, ok := slices.BinarySearch(ids, id)
	return ok
}

// knowsWords reports whether the words of tables have not changed since some
// state, and the transaction reads them so.
func (tx *Tx) knowsWords(tables []*mapping.Table, since int64) bool {
	changed := func(t *mapping.Table) bool { return t.Search.Changed.Load() > min(since, tx.worded) }
	return !tx.store.uncertain.Load() && !slices.ContainsFunc(tables, changed)
}

// having looks for the records that have all words, on PostgreSQL perhaps among
// some alone. Where others beside them are looked at too, each word may be in
// another of these.
func (tx *Tx) having(
	ctx context.Context, k *kind.Schema, words []mapping.Asked, beside []kind.Beside, only []int64,
) (ids []int64, err error) {
	if len(beside) == 0 {
		w := mapping.Where{Kind: k, Dialect: tx.store.database.Dialect()}
		sql := w.Having(k, words...) + w.Only(" AND rowid", only)
		return tx.ids(ctx, sql, w.Args...)
	}
	for i, a := range words {
		w := mapping.Where{Kind: k, Dialect: tx.store.database.Dialect()}
		sql := w.Having(k, a) + w.Only(" AND rowid", only)
		some, err := tx.ids(ctx, sql, w.Args...)
		if err != nil {
			return nil, err
		}
		for _, b := range beside {
			w := mapping.Where{Kind: b.Kind, Dialect: tx.store.database.Dialect()}
			w.Add("r.id IN (" + w.Having(b.Kind, a) + ")")
			column := "r." + b.Ref.Column() + "_id"
			sql := fmt.Sprintf("SELECT %s FROM %s%s", column, w.From(), w.Text()) + w.Only(" AND "+column, only)
			more, err := tx.ids(ctx, sql, w.Args...)
			if err != nil {
				return nil, err
			}
			some = append(some, more...)
		}
		slices.Sort(some)
		if some = slices.Compact(some); i > 0 {
			some = slices.DeleteFunc(some, func(id int64) bool { return !has(ids, id) })
		}
		ids = some
	}
	return ids, nil
}

// chosen returns the ids of the records that a search, a tie or whole values of a
// nested field choose, whatever else a query asks for. The plan has seen to it that
// one of these does.
func (tx *Tx) chosen(ctx context.Context, k *kind.Schema, q *kind.Query) (ids []int64, err error) {
	if q.Search != nil {
		return tx.found(ctx, k, q.Search)
	}
	w := mapping.Where{Kind: k, Today: q.Today, Dialect: tx.store.database.Dialect()}
	if i := plan.NestedValue(q); i >= 0 {
		c := &q.Conds[i]
		var values []string
		for _, t := range c.Any {
			values = append(values, mapping.Fold(t.Text[0]))
		}
		sql := w.Valued(c, func(column string) string { return w.In(column, values) })
		return tx.ids(ctx, sql, w.Args...)
	}
	w.Query(&kind.Query{Ties: q.Ties})
	return tx.tied(ctx, &q.Ties[0], &w)
}

// tied returns the ids of the records that a tie chooses, as a condition does.
func (tx *Tx) tied(ctx context.Context, t *kind.Tie, w *mapping.Where) (ids []int64, err error) {
	key := fmt.Sprintf("%s %s %d", t.Table, t.Other, t.ID)
	if f := tx.store.searched.get(key); f != nil && tx.isStill(t, f.asOf) {
		return f.ids, nil
	}
	ids, err = tx.ids(ctx, w.IDs, w.Args...)
	if err == nil && len(ids) >= leastKept && len(ids) <= maxFound && tx.isStill(t, tx.clock) {
		tx.store.searched.keep(&foundSet{key, ids, tx.clock})
	}
	return ids, err
}

// isStill reports whether what a tie chooses has not changed since a clock, and
// the transaction reads it so. It says no where nobody tells of that.
func (tx *Tx) isStill(t *kind.Tie, since int64) bool {
	all := tx.store.indexes.Load()
	if t.Counted == "" || tx.store.Shared() || all == nil || tx.store.uncertain.Load() {
		return false
	}
	for k, x := range *all {
		if k.Path() == t.Counted {
			return x.Stamp(t.ID) <= min(since, tx.clock)
		}
	}
	return false
}
