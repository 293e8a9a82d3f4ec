// Package index answers in memory which records of a kind match a query, how many do, and which are on a page.
//
// Every record has a place, in the order of ids. A text that lists are filtered by is kept as a small code per
// record, or in full where most values are different; numbers and times take as few bytes as they need. A query
// becomes a view: the bit set of the matching places, with a count per block, so that every page of every list
// costs the same. Views of recent queries are cached, and updated with the records. Reading rows does not
// belong here: what the index cannot answer, package store asks the database.
package index

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"muster/internal/kind"
)

// Up to how many values of a text are kept as codes; beyond that the texts are kept in full. The limit is lower
// for a text that is declared rare, since most codes would belong to one record.
const (
	maxValues = 65_000
	maxRare   = 10_000
)

// Null is the number of a missing value.
const Null = math.MinInt64

// A Row is what an index keeps of one record: the values of the fields that Texts, Numbers and Names return, in
// their order.
type Row struct {
	ID      int64
	Version int64    // of the record
	Texts   [][]byte // folded, empty for null
	Numbers []int64  // Null for null
	Names   [][]byte // as Texts
}

// An Index answers queries about one kind. It is safe for concurrent use.
type Index struct {
	CountIsSlow bool // the database takes long to count all records; must be set before the index is used

	kind *kind.Schema
	fold func(string) string

	named  []*kind.Field          // by which other kinds name the records
	names  *names                 // nil when they do not
	refers map[*kind.Field]*names // the names of the records that references point to

	mu      sync.RWMutex
	ids     ids
	texts   []*texts
	numbers []*numbers
	version numbers // of the records
	stamps  stamps
	live    *view // all records
	edits   edits
	records int
	off     bool // there is a record that the index cannot keep
	views   views

	building atomic.Int32 // how many views are being built
	changed  []uint32     // places that have changed since the first of these was begun
}

// New returns an empty index of a kind. It compares the texts of queries after fold, as those of rows are
// stored.
func New(k *kind.Schema, fold func(string) string) *Index {
	x := &Index{kind: k, fold: fold, live: &view{}, refers: map[*kind.Field]*names{}}
	for _, f := range kept(k) {
		switch {
		case f.Type == kind.Text && f.Folded():
			x.texts = append(x.texts, newTexts(f))
		case f.Type != kind.Text && f.Stored():
			x.numbers = append(x.numbers, &numbers{field: f})
		}
	}
	return x
}

// kept returns the fields that the index keeps, without duplicates: those that lists are filtered by, those
// that these are derived from, the times of creation, and the persons who may see a record. It leaves out
// fields derived from counts that have their own statements, since the index is not updated with these.
func kept(k *kind.Schema) (fields []*kind.Field) {
	add := func(f *kind.Field) {
		same := k.Chained && f != nil && f.Name == "updated-at" // always equal to created-at
		if f != nil && f.Targets == nil && !same && !slices.Contains(fields, f) {
			fields = append(fields, f)
		}
	}
	for _, filter := range k.Filters {
		if filter.In != nil || slices.ContainsFunc(filter.Field.Days,
			func(c kind.DayCase) bool { return c.Field != nil && c.Field.Kept }) {
			continue
		}
		add(filter.Field)
		add(filter.Else)
		for _, c := range filter.Field.Days {
			add(c.Field)
			add(c.Than)
		}
	}
	for _, f := range k.Fields {
		if f.Type == kind.PersonRef && !f.Detail && !f.Hidden || f.Name == "created-at" {
			add(f)
		}
	}
	return fields
}

// Name makes the index keep texts by which other kinds name its records; other lists are sorted by the last
// one. It must be called before the index is used.
func (x *Index) Name(fields ...*kind.Field) {
	x.named, x.names = fields, &names{all: map[int64][]string{}}
}

// Refer makes the index match the records that a reference points to by their names, which the other index
// keeps. It must be called before the index is used.
func (x *Index) Refer(f *kind.Field, to *Index) { x.refers[f] = to.names }

// Texts returns the texts of a row, in its order.
func (x *Index) Texts() (fields []*kind.Field) {
	for _, c := range x.texts {
		fields = append(fields, c.field)
	}
	return fields
}

// Numbers returns the other fields of a row, in its order: numbers, truth values, times, and the ids of
// referred records.
func (x *Index) Numbers() (fields []*kind.Field) {
	for _, c := range x.numbers {
		fields = append(fields, c.field)
	}
	return fields
}

// Names returns the texts by which records are named, in the order of a row.
func (x *Index) Names() []*kind.Field { return x.named }

// mostReserved is how many records memory is allocated for in advance.
const mostReserved = 1 << 24

// Reserve prepares an empty index for about so many records up to the last id. All but the newest of them must
// be added in the order of ids.
func (x *Index) Reserve(records int, last int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ids.old = last - newGap
	records = min(records, mostReserved)
	for _, c := range x.numbers {
		c.reserve(records)
	}
	for _, c := range x.texts {
		c.codes.reserve(records)
	}
	x.version.reserve(records)
}

// Needs reports for each text whether the index still keeps it. A text with too many values need not be read.
func (x *Index) Needs() (needs []bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, c := range x.texts {
		needs = append(needs, !c.off)
	}
	return needs
}

// Set adds or updates records, at a stamp. The rows may be reused afterwards.
func (x *Index) Set(stamp int64, rows ...Row) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range rows {
		x.set(stamp, &rows[i])
	}
}

func (x *Index) set(stamp int64, r *Row) {
	if x.off || r.ID < 0 || x.ids.size() >= math.MaxUint32-newGap {
		x.off = true
		x.stamps.off.Store(true)
		return
	}
	place := x.place(r.ID)
	isNew := !x.live.has(place)
	if isNew {
		x.records++
	}
	x.live.set(place, true)
	for i, c := range x.texts {
		was := c.off
		if c.set(place, r.Texts[i]); c.off != was {
			x.views.forget(func(v *view) bool { return v.looksAt(c) })
		}
	}
	for i, c := range x.numbers {
		was := c.wide
		if c.set(place, r.Numbers[i]); c.wide != was {
			x.edits.addAll() // all codes are others
		}
	}
	x.version.set(place, r.Version)
	x.stamps.set(r.ID, stamp)
	if x.names != nil {
		x.names.set(r.ID, r.Names)
	}
	x.change(place)
}

// place returns the place of an id, and adds one if necessary.
func (x *Index) place(id int64) uint32 {
	if place, ok := x.ids.find(id); ok {
		return place
	}
	before := x.ids.size()
	place, n := x.ids.add(id, x.records)
	if first := int(place) + 1 - int(n); first < before {
		x.move(first, int(n))
	}
	return place
}

// change updates the views after a change of a record.
func (x *Index) change(place uint32) {
	x.edits.add(place)
	if x.building.Load() > 0 {
		x.changed = append(x.changed, place)
	} else {
		x.changed = nil
	}
	for _, v := range x.views.all {
		v.set(place, x.live.has(place) && v.matches(place))
	}
}

// Remove removes records, but keeps their stamps.
func (x *Index) Remove(stamp int64, ids ...int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, id := range ids {
		x.stamps.set(id, stamp)
		place, ok := x.ids.find(id)
		if !ok || !x.live.has(place) {
			continue
		}
		x.records--
		x.live.set(place, false)
		for _, c := range x.texts {
			c.set(place, nil)
		}
		if x.names != nil {
			x.names.set(id, nil)
		}
		x.change(place)
	}
}

// A Hit is a record that matches a query.
type Hit struct{ ID, Version, Stamp int64 }

// Find returns how many records match a query, and those on its page. It is not ok when the index cannot
// answer, see Fit. A query by id returns one more, if there is one.
func (x *Index) Find(q *kind.Query) (total int, hits []Hit, ok bool) {
	ok = x.look(q, func(v *view) bool {
		hits, ok = x.hits(v, q)
		total = v.total
		return ok
	})
	return total, hits, ok
}

// FindAmong is Find restricted to the records with the given ids.
func (x *Index) FindAmong(q *kind.Query, ids []int64) (total int, hits []Hit, ok bool) {
	ok = x.look(q, func(v *view) bool {
		some := x.among(v, ids)
		hits, ok = x.hits(some, q)
		total = some.total
		return ok
	})
	return total, hits, ok
}

// among returns the part of a view with the given ids.
func (x *Index) among(v *view, ids []int64) *view {
	some := &view{bits: make([]uint64, len(v.bits))}
	for _, id := range ids {
		if place, ok := x.ids.find(id); ok && v.has(place) {
			some.bits[place/64] |= 1 << (place % 64)
		}
	}
	some.count()
	return some
}

// hits returns the records on the page of a query.
func (x *Index) hits(v *view, q *kind.Query) (hits []Hit, ok bool) {
	places, ok := x.page(v, q)
	hits = make([]Hit, len(places))
	for i, place := range places {
		id := x.ids.at(place)
		hits[i] = Hit{id, x.version.at(place), x.stamps.at(id)}
	}
	return hits, ok
}

// page returns the places on the page of a query, in its order.
func (x *Index) page(v *view, q *kind.Query) (places []uint32, ok bool) {
	first, n := (q.Page-1)*q.PerPage, q.PerPage
	if q.ByID {
		first, n = v.upTo(x.ids.upTo(q.After)), q.PerPage+1
	}
	if n = min(n, v.total-first); n <= 0 {
		return nil, true
	}
	switch {
	case isSorted(q):
		return x.sorted(v, q, first, n)
	case q.Desc:
		places = v.from(v.total-first-n, n)
		slices.Reverse(places)
		return places, true
	}
	return v.from(first, n), true
}

// sorted returns n places of a view, after the first ones, in the order of a query. It is not ok when the index
// does not keep what that needs.
func (x *Index) sorted(v *view, q *kind.Query, first, n int) (places []uint32, ok bool) {
	if c := x.text(q.Sort); c != nil && c.plain != nil && !q.Sort.InTie {
		return plainOrder{c.plain, q.Desc}.page(v, first, n), true
	}
	k, ok := x.keys(q)
	if !ok {
		return nil, false
	}
	if k.codes != nil && k.width == 16 {
		if places, ok := v.sortedByCode(&k, x.tally(v, v, q.Sort, &keys{codes: k.codes}), first, n); ok {
			return places, true
		}
	}
	return v.sorted(&k, first, n), true
}
