// Package index answers in memory which records of a kind match a query, how many, and which are on a page.
//
// Every record has a place, which is its id. A text that lists are filtered by is kept as a small number a record, and each
// value of it as the set of places that have it; numbers and times are kept as they are. A query becomes a view, the set of
// places that match it with counts of its blocks, so that any page of any list costs the same. Views of recent queries are
// kept and changed with the records. What the index cannot answer it says, and a database does.
package index

import (
	"math"
	"slices"
	"sync"

	"muster/internal/kind"
)

// Limits of an index: of a text with more values than these the index keeps none, since a database finds nearly unique
// ones well; and beyond so many ids without a record it is not worth its memory.
const (
	maxValues = 10_000
	maxGaps   = 1 << 20
)

// Null is the number of a value that there is none of.
const Null = math.MinInt64

// A Row is what an index keeps of one record: the values of the fields that Texts and Numbers name, in their order.
type Row struct {
	ID      int64
	Version int64    // of the record
	Texts   []string // as they are compared, "" for null
	Numbers []int64  // Null for null
}

// An Index is safe for concurrent use.
type Index struct {
	kind *kind.Schema
	fold func(string) string

	mu      sync.RWMutex
	texts   []*texts
	numbers []*numbers
	version numbers // of the records
	stamps  stamps
	live    *view // all records
	records int
	off     bool // the ids have too many gaps
	views   views
}

// New returns an empty index of a kind. Texts in queries are compared after fold, as those of rows are stored.
func New(k *kind.Schema, fold func(string) string) *Index {
	x := &Index{kind: k, fold: fold, live: &view{}}
	for _, f := range filtered(k) {
		switch {
		case f.Type == kind.Text && f.Days == nil && f.Folded():
			x.texts = append(x.texts, newTexts(f))
		case f.Type != kind.Text && f.Stored():
			x.numbers = append(x.numbers, &numbers{field: f})
		}
	}
	return x
}

// filtered returns the fields of records themselves that lists are filtered by, each once.
func filtered(k *kind.Schema) (fields []*kind.Field) {
	for _, filter := range k.Filters {
		for _, f := range []*kind.Field{filter.Field, filter.Else} {
			if f != nil && filter.In == nil && f.Targets == nil && !slices.Contains(fields, f) {
				fields = append(fields, f)
			}
		}
	}
	return fields
}

// Texts returns the texts that rows have, in their order.
func (x *Index) Texts() (fields []*kind.Field) {
	for _, c := range x.texts {
		fields = append(fields, c.field)
	}
	return fields
}

// Numbers returns the other fields that rows have, in their order: numbers, truth values, times, and the ids of records
// that are referred to.
func (x *Index) Numbers() (fields []*kind.Field) {
	for _, c := range x.numbers {
		fields = append(fields, c.field)
	}
	return fields
}

// Set makes the index know records as they are now, which is told at a stamp. The rows may be used again after it.
func (x *Index) Set(stamp int64, rows ...Row) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range rows {
		x.set(stamp, &rows[i])
	}
}

func (x *Index) set(stamp int64, r *Row) {
	if x.off || r.ID < 0 || r.ID > x.farthest() {
		x.off = true
		x.stamps.off.Store(true)
		return
	}
	place := uint32(r.ID)
	if !x.live.has(place) {
		x.records++
	}
	x.live.set(place, true)
	for i, c := range x.texts {
		was := c.off
		if c.set(place, r.Texts[i]); c.off != was {
			x.views.forget(c)
		}
	}
	for i, c := range x.numbers {
		c.set(place, r.Numbers[i])
	}
	x.version.set(place, r.Version)
	x.stamps.set(place, stamp)
	for _, v := range x.views.all {
		v.set(place, v.matches(place))
	}
}

// Remove makes the index forget records, but for their stamps.
func (x *Index) Remove(stamp int64, ids ...int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, id := range ids {
		if id < 0 || id > x.farthest() {
			continue
		}
		place := uint32(id)
		if x.stamps.set(place, stamp); !x.live.has(place) {
			continue
		}
		x.records--
		x.live.set(place, false)
		for _, c := range x.texts {
			c.set(place, "")
		}
		for _, v := range x.views.all {
			v.set(place, false)
		}
	}
}

// A Hit is a record that matches a query.
type Hit struct{ ID, Version, Stamp int64 }

// Find returns how many records match a query, and those on the page that it asks for. It is not ok when the index cannot
// tell. Asked by id it returns one more, if there is one.
func (x *Index) Find(q *kind.Query) (total int, hits []Hit, ok bool) {
	if q.Search != nil || len(q.Ties) > 0 || q.Sort != nil && q.Sort.Type != kind.ID || slices.ContainsFunc(q.Conds, beside) {
		return 0, nil, false
	}
	key := appendKey(make([]byte, 0, 256), q)
	x.mu.RLock()
	if v := x.view(key, q); v != nil {
		defer x.mu.RUnlock()
		return v.total, x.hits(v.page(q)), true
	}
	x.mu.RUnlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	v := x.build(key, q)
	if v == nil {
		return 0, nil, false
	}
	return v.total, x.hits(v.page(q)), true
}

// beside reports whether a condition is about what belongs to a record and is not part of it.
func beside(c kind.Cond) bool { return c.In != nil || c.Target != nil || c.Field.Targets != nil }

// hits returns the records at places.
func (x *Index) hits(places []uint32) []Hit {
	hits := make([]Hit, len(places))
	for i, place := range places {
		hits[i] = Hit{int64(place), x.version.at(place), x.stamps.at(place)}
	}
	return hits
}

// view returns the view of a query that is kept.
func (x *Index) view(key []byte, q *kind.Query) *view {
	if x.off {
		return nil
	}
	if len(q.Conds) == 0 && len(q.Either) == 0 {
		return x.live
	}
	return x.views.get(key)
}
