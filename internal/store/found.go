package store

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/plan"
	"muster/internal/store/sqldb"
)

// Limits of the cache of search results: the number of searches, and of ids in all of them, which take 32 MiB.
// A word that most of a million computers, programs and tickets have takes half of that in a search over all
// kinds.
const (
	maxSearches = 64
	maxFound    = 4 << 20
)

// A foundSet is the result of a search: the sorted ids of all records that have its words, or that are tied to
// a record.
type foundSet struct {
	key  string
	ids  []int64
	asOf int64 // the number of a state of the database, of ties on SQLite Store.clock
}

// A searchMemory caches the results of searches, for the next page, another order, the counts of filters, and
// other users. The words of records that have changed since are checked again. It also caches the records that are tied
// to a record with a count, until that count changes.
type searchMemory struct {
	mu   sync.Mutex
	all  []*foundSet // least recently used first
	kept int         // ids in all of them
}

// get returns the cached result of a search, nil when there is none.
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

// keep caches a result, and drops the least recently used ones beyond the limits.
func (m *searchMemory) keep(f *foundSet) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(slices.IndexFunc(m.all, func(other *foundSet) bool { return other.key == f.key }))
	for len(m.all) > 0 && (len(m.all) >= maxSearches || m.kept+len(f.ids) > maxFound) {
		m.drop(0)
	}
	m.all, m.kept = append(m.all, f), m.kept+len(f.ids)
}

// drop removes the result at an index, nothing for -1.
func (m *searchMemory) drop(i int) {
	if i >= 0 {
		m.kept -= len(m.all[i].ids)
		m.all = slices.Delete(m.all, i, i+1)
	}
}

// leastKept is how many records a search must find for its result to be cached.
const leastKept = 1000

// found returns the sorted ids of all records that have the words of a search. The search must be one with the
// same result for all users, and the transaction must read the state that the indexes had when it began.
func (tx *Tx) found(ctx context.Context, k *kind.Schema, s *kind.Search) (ids []int64, err error) {
	words := mapping.AskedOf(s.Text)
	key := searchKey(k, s, words)
	if f := tx.store.searched.get(key); f != nil {
		if ids, ok, err := tx.stillFound(ctx, tx.table(k), words, s.Beside, f); ok || err != nil {
			return ids, err
		}
	}
	if ids, err = tx.having(ctx, k, words, s.Beside, nil); err != nil {
		return nil, err
	}
	if len(ids) >= leastKept {
		tx.keepFound(key, ids)
	}
	return ids, nil
}

// searchKey returns what the result of a search is cached under.
func searchKey(k *kind.Schema, s *kind.Search, words []mapping.Asked) string {
	key := k.Item
	for _, b := range s.Beside {
		key += "+" + b.Kind.Item
	}
	for _, a := range words {
		key += fmt.Sprintf(" %s %v", a.Word, a.Prefix)
	}
	return key
}

// keepFound caches what the transaction has found.
func (tx *Tx) keepFound(key string, ids []int64) {
	if len(ids) <= maxFound {
		tx.store.searched.keep(&foundSet{key, ids, tx.seen.number})
	}
}

// stillFound returns the cached result of a search, brought up to date for the transaction's snapshot. It is
// not ok when the search must be run again. It checks only the records whose words have changed since; words of
// a record below another count as words of that one.
func (tx *Tx) stillFound(
	ctx context.Context, table *mapping.Table, words []mapping.Asked, beside []kind.Beside, f *foundSet,
) (ids []int64, ok bool, err error) {
	changed, ok := tx.store.recent.since(table, f.asOf, mostMended)
	switch {
	case !ok:
		return nil, false, nil
	case len(changed) == 0:
		tx.keepFound(f.key, f.ids)
		return f.ids, true, nil
	}
	again, err := tx.stillHaving(ctx, table, words, beside, changed)
	if err != nil {
		return nil, false, err
	}
	slices.Sort(again)
	ids = mend(f.ids, changed, again)
	tx.keepFound(f.key, ids)
	return ids, true, nil
}

// mend replaces changed ids in sorted ids by those of them that were found again.
func mend(ids, changed, again []int64) []int64 {
	mended := make([]int64, 0, len(ids)+len(again))
	rest := ids
	for _, id := range changed {
		at, was := slices.BinarySearch(rest, id)
		mended = append(mended, rest[:at]...)
		if len(again) > 0 && again[0] == id {
			mended, again = append(mended, id), again[1:]
		}
		if was {
			at++
		}
		rest = rest[at:]
	}
	return append(mended, rest...)
}

// mostMended is the number of changed records up to which a cached result is updated rather than searched
// again.
const mostMended = 1000

// stillHaving is having among some ids. On SQLite it makes the words of the records again: FTS5 would merge the
// lists of all words with a prefix for each of them.
func (tx *Tx) stillHaving(
	ctx context.Context, t *mapping.Table, words []mapping.Asked, beside []kind.Beside, ids []int64,
) (still []int64, err error) {
	if tx.store.Shared() {
		return tx.having(ctx, t.Kind, words, beside, ids)
	}
	texts, err := tx.wordsOf(ctx, t, beside, ids)
	for id, all := range texts {
		if hasAll(all, words) {
			still = append(still, id)
		}
	}
	return still, err
}

// wordsOf makes the words of the records with some ids again, and of those of other kinds that a search finds
// them by. Ids without a record are left out.
func (tx *Tx) wordsOf(
	ctx context.Context, t *mapping.Table, beside []kind.Beside, ids []int64,
) (texts map[int64][]string, err error) {
	texts = make(map[int64][]string, len(ids))
	err = tx.eachRecordOf(ctx, t, "r.id", ids, func(rec any) {
		id := t.Kind.Meta(rec).ID
		texts[id] = append(texts[id], mapping.WordsOf(t.Kind, rec))
	})
	for _, b := range beside {
		if err != nil {
			return nil, err
		}
		err = tx.eachRecordOf(ctx, tx.table(b.Kind), "r."+b.Ref.Column()+"_id", ids, func(rec any) {
			id := b.Kind.Values(rec).Ref(b.Ref).ID
			texts[id] = append(texts[id], mapping.WordsOf(b.Kind, rec))
		})
	}
	return texts, err
}

// hasAll reports whether texts have all words of a search, as WordsOf returns them.
func hasAll(texts []string, words []mapping.Asked) bool {
	misses := func(a mapping.Asked) bool { return !slices.ContainsFunc(texts, a.In) }
	return !slices.ContainsFunc(words, misses)
}

// eachRecordOf is eachRecord for the records that have one of some ids in a column.
func (tx *Tx) eachRecordOf(
	ctx context.Context, t *mapping.Table, column string, ids []int64, each func(rec any),
) error {
	args := sqldb.Batched(ids)
	return tx.eachRecord(ctx, t, column+" IN ("+sqldb.Placeholders(len(args))+")", args, each)
}

func has(ids []int64, id int64) bool {
	_, ok := slices.BinarySearch(ids, id)
	return ok
}

// having searches for the records that have all words, on PostgreSQL optionally among some ids. Where related
// records are searched too, each word may be in another of them.
func (tx *Tx) having(
	ctx context.Context, k *kind.Schema, words []mapping.Asked, beside []kind.Beside, only []int64,
) (ids []int64, err error) {
	if len(beside) == 0 {
		w := mapping.Where{Kind: k, Dialect: tx.Dialect()}
		sql := w.Having(k, words...) + w.Only(" AND rowid", only)
		return tx.ids(ctx, sql, w.Args...)
	}
	for i, a := range words {
		w := mapping.Where{Kind: k, Dialect: tx.Dialect()}
		sql := w.Having(k, a) + w.Only(" AND rowid", only)
		some, err := tx.ids(ctx, sql, w.Args...)
		if err != nil {
			return nil, err
		}
		for _, b := range beside {
			w := mapping.Where{Kind: b.Kind, Dialect: tx.Dialect()}
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

// chosen returns the ids of the records that a search, a tie or values of a nested field choose, ignoring the
// query's other conditions. The plan has made sure that one of these is present.
func (tx *Tx) chosen(ctx context.Context, k *kind.Schema, q *kind.Query) (ids []int64, err error) {
	if q.Search != nil {
		return tx.found(ctx, k, q.Search)
	}
	w := mapping.Where{Kind: k, Today: q.Today, Dialect: tx.Dialect()}
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

// tied returns the ids of the records that a tie chooses.
func (tx *Tx) tied(ctx context.Context, t *kind.Tie, w *mapping.Where) (ids []int64, err error) {
	key, asOf := fmt.Sprintf("%s %s %d", t.Table, t.Other, t.ID), tx.clock
	if tx.store.Shared() {
		asOf = tx.seen.number
	}
	f := tx.store.searched.get(key)
	if f == nil || !tx.isStill(t, f.asOf) {
		if ids, err = tx.ids(ctx, w.IDs, w.Args...); err != nil || len(ids) < leastKept || len(ids) > maxFound ||
			!tx.isStill(t, asOf) {
			return ids, err
		}
		f = &foundSet{key: key, ids: ids}
	}
	tx.store.searched.keep(&foundSet{key, f.ids, asOf})
	return f.ids, nil
}

// isStill reports whether what a tie chooses has not changed since it was found, and is the same in the transaction's
// snapshot. It is false for ties whose changes are not tracked.
func (tx *Tx) isStill(t *kind.Tie, since int64) bool {
	all := tx.store.indexes.Load()
	if all == nil {
		return false
	}
	for k, x := range *all {
		switch {
		case k.Path() != t.Counted:
		case !tx.store.Shared():
			return x.Stamp(t.ID) <= min(since, tx.clock)
		default:
			changed, ok := tx.store.recent.since(x.table, since, mostMended)
			return ok && !has(changed, t.ID) && tx.ahead[t.Counted][t.ID] == 0
		}
	}
	return false
}
