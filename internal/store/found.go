package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"muster/internal/index"
	"muster/internal/kind"
)

// How much is kept of what searches have found: so many searches, and so many
// ids of them all, 32 MiB. A word that most of a million computers, programs and
// tickets have takes half of that in a search over all kinds.
const (
	maxSearches = 64
	maxFound    = 4 << 20
)

// A foundSet is what a search has found: the ids of all records that have its
// words, in their order.
type foundSet struct {
	key  string
	ids  []int64
	asOf int64 // see Store.worded; on PostgreSQL a look at the feed
}

// A searchMemory keeps what searches have found: the next page, another order and
// the counts of filters need not look for the words again, nor does the next
// person. On SQLite that holds until words change, on PostgreSQL the records that
// have changed since are looked at again.
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
func (tx *Tx) reword(t *table) {
	if c, ok := tx.conn.(*sqliteConn); ok && c.touched != nil {
		c.reworded[t] = true
	}
}

// wordsChange makes what searches have found in the tables that a transaction gives
// other words no good any more. It is done before the commit and after it, so
// that nobody keeps what is of before.
func (s *Store) wordsChange(c *sqliteConn) {
	if len(c.reworded) == 0 {
		return
	}
	now := s.worded.Add(1)
	for t := range c.reworded {
		t.search.changed.Store(now)
	}
}

// found returns the ids of all records that have the words of a search, in their
// order; not ok when it is not one that can be kept.
func (tx *Tx) found(ctx context.Context, k *kind.Schema, s *kind.Search) (ids []int64, ok bool, err error) {
	words, key := askedOf(s.Text), k.Item
	tables := []*table{tx.table(k)}
	for _, b := range s.Beside {
		if len(b.Either) > 0 {
			return nil, false, nil // not for everybody
		}
		key += "+" + b.Kind.Item
		tables = append(tables, tx.table(b.Kind))
	}
	if len(words) == 0 {
		return nil, false, nil
	}
	for _, a := range words {
		key += fmt.Sprintf(" %s %v", a.word, a.prefix)
	}
	if f := tx.store.searched.get(key); f != nil {
		if ids, ok, err := tx.stillFound(ctx, tables, words, s.Beside, f); ok || err != nil {
			return ids, ok, err
		}
	}
	if ids, err = tx.having(ctx, k, words, s.Beside, nil); err != nil {
		return nil, false, err
	}
	tx.keepFound(tables, key, ids)
	return ids, true, nil
}

// keepFound keeps what the transaction has found in tables, if that is much.
func (tx *Tx) keepFound(tables []*table, key string, ids []int64) {
	switch {
	case len(ids) < fewIDs || len(ids) > maxFound:
	case tx.seen != nil:
		tx.store.searched.keep(&foundSet{key, ids, tx.seen.look})
	case tx.knowsWords(tables, tx.worded):
		tx.store.searched.keep(&foundSet{key, ids, tx.worded})
	}
}

// stillFound returns what a search has found before as the transaction finds it,
// not ok when it must look for all again. Records are told to have changed with
// those below them.
func (tx *Tx) stillFound(ctx context.Context, tables []*table, words []asked, beside []kind.Beside, f *foundSet) (ids []int64, ok bool, err error) {
	if tx.seen == nil {
		return f.ids, tx.knowsWords(tables, f.asOf), nil
	}
	k := tables[0].kind
	changed, ok := tx.store.follower.recent.since(tables[0], f.asOf)
	isApart := func(b kind.Beside) bool { return b.Kind.Parent() != b.Ref }
	switch {
	case !ok || len(changed) > mostPatched || slices.ContainsFunc(beside, isApart):
		return nil, false, nil
	case len(changed) == 0:
		return f.ids, true, nil
	}
	again, err := tx.having(ctx, k, words, beside, changed)
	if err != nil {
		return nil, false, err
	}
	ids = slices.DeleteFunc(slices.Clone(f.ids), func(id int64) bool { return has(changed, id) })
	ids = append(ids, again...)
	slices.Sort(ids)
	tx.keepFound(tables, f.key, ids)
	return ids, true, nil
}

// mostPatched is how many records are looked at again rather than all.
const mostPatched = 2000

// has reports whether sorted ids have one.
func has(ids []int64, id int64) bool {
	_, ok := slices.BinarySearch(ids, id)
	return ok
}

// knowsWords reports whether the words of tables have not changed since some
// state, and the transaction reads them so.
func (tx *Tx) knowsWords(tables []*table, since int64) bool {
	changed := func(t *table) bool { return t.search.changed.Load() > min(since, tx.worded) }
	return !tx.store.uncertain.Load() && !slices.ContainsFunc(tables, changed)
}

// having looks for the records that have all words, on PostgreSQL perhaps among
// some alone. Where others beside them are looked at too, each word may be in
// another of these.
func (tx *Tx) having(ctx context.Context, k *kind.Schema, words []asked, beside []kind.Beside, only []int64) (ids []int64, err error) {
	if len(beside) == 0 {
		w := where{kind: k, dialect: tx.store.database.dialect()}
		sql := w.having(k, words...) + w.only(" AND rowid", only)
		return tx.ids(ctx, sql, w.args...)
	}
	for i, a := range words {
		w := where{kind: k, dialect: tx.store.database.dialect()}
		sql := w.having(k, a) + w.only(" AND rowid", only)
		some, err := tx.ids(ctx, sql, w.args...)
		if err != nil {
			return nil, err
		}
		for _, b := range beside {
			w := where{kind: b.Kind, dialect: tx.store.database.dialect()}
			w.add("r.id IN (" + w.having(b.Kind, a) + ")")
			sql := fmt.Sprintf("SELECT r.%s_id FROM %s%s", b.Ref.Column(), w.from(), w.text()) + w.only(" AND r."+b.Ref.Column()+"_id", only)
			more, err := tx.ids(ctx, sql, w.args...)
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

// only returns the condition that a column is one of some ids, none for nil.
func (w *where) only(column string, ids []int64) string {
	if ids == nil {
		return ""
	}
	return column + " = ANY(" + w.param(ids) + ")"
}

// chosen returns the ids of the records that a search or a table of pairs
// chooses, whatever else a query asks for; not ok when that cannot be told.
func (tx *Tx) chosen(ctx context.Context, k *kind.Schema, q *kind.Query) (ids []int64, ok bool, err error) {
	if q.Search != nil && len(q.Ties) == 0 {
		return tx.found(ctx, k, q.Search)
	}
	chosen := *q
	chosen.Conds, chosen.Either = nil, nil
	w := where{kind: k, today: q.Today, dialect: tx.store.database.dialect()}
	if w.query(&chosen); w.ids == "" {
		return nil, false, nil
	}
	ids, err = tx.ids(ctx, w.ids, w.args...)
	return ids, err == nil, err
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
	ids, ok, err := tx.chosen(ctx, k, q)
	if !ok || err != nil || len(ids) < fewIDs && !alone(q) && tx.seen == nil {
		return false, err
	}
	rest := *q
	rest.Ties, rest.Search = nil, nil
	if !f((*all)[k], &rest, ids) {
		return false, nil
	}
	same, err := tx.isSame(ctx, k, q)
	tx.moved = !same
	return same, err
}

// isSame reports whether memory has had the state that the transaction reads, of all
// that a query looks at, since before that began: nothing has changed since then
// in memory, nor, on PostgreSQL, for the transaction since what memory knows.
func (tx *Tx) isSame(ctx context.Context, k *kind.Schema, q *kind.Query) (bool, error) {
	if tx.seen == nil {
		return !tx.store.uncertain.Load() && tx.store.changes.Load() == tx.changes, nil
	}
	_, changed, err := tx.seen.position.since(ctx, tx.conn)
	if errors.Is(err, errReload) {
		return false, nil
	}
	looked := tx.lookedAt(k, q)
	isNew := func(t *table) bool { return len(changed[t.name]) > 0 }
	return err == nil && !slices.ContainsFunc(looked, isNew) && !tx.store.follower.recent.changed(looked, tx.seen.look), err
}

// lookedAt returns the tables of the records that decide a list: those of its kind,
// those beside them that are searched, and those that they refer to by names.
func (tx *Tx) lookedAt(k *kind.Schema, q *kind.Query) []*table {
	names := []string{k.Path()}
	if q.Search != nil {
		for _, b := range q.Search.Beside {
			names = append(names, b.Kind.Path())
		}
	}
	for _, f := range k.Fields {
		if shownColumns(f) != nil {
			names = append(names, referred(f))
		}
	}
	var tables []*table
	for _, t := range tx.store.tables {
		if slices.Contains(names, t.name) {
			tables = append(tables, t)
		}
	}
	return tables
}

// findAmong returns how many records a query finds among those that a search or a
// table of pairs chooses, and those on its page; not ok when memory cannot tell,
// or does not know a record that words were found in.
func (tx *Tx) findAmong(ctx context.Context, k *kind.Schema, q *kind.Query) (total int, hits []index.Hit, ok bool, err error) {
	ok, err = tx.withMemory(ctx, k, q, func(x *indexed, rest *kind.Query, ids []int64) (ok bool) {
		total, hits, ok = x.FindAmong(rest, ids)
		return ok && (total == len(ids) || !alone(q))
	})
	return total, hits, ok, err
}

// countsAmong is Counts of what a search or a table of pairs chooses; not ok when
// memory cannot tell.
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
