package store

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"muster/internal/store/mapping"
)

// A seen is a state of a PostgreSQL database that the indexes of a node have.
type seen struct {
	look     int64 // the number of the look at the feed that told of it
	position position
}

// mostRecent is how many changes are remembered: those of an hour where 12
// agents report each second.
const mostRecent = 50_000

// A recentChanges knows which records the latest looks at the feed have told of.
type recentChanges struct {
	mu    sync.Mutex
	all   []recentChange // in the order of the looks
	ids   int            // of them all
	after int64          // none of a later look than this is missing
	last  map[*mapping.Table]int64
}

// A recentChange is the records of a table that a look has told of.
type recentChange struct {
	look  int64
	table *mapping.Table
	ids   []int64
}

// add notes what a look tells of, before the indexes know it.
func (r *recentChanges) add(look int64, t *mapping.Table, ids touched) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all, r.ids = append(r.all, recentChange{look, t, slices.Collect(maps.Keys(ids))}), r.ids+len(ids)
	r.last[t] = look
	n := 0
	for ; r.ids > mostRecent; n++ {
		r.after = r.all[n].look
		r.ids -= len(r.all[n].ids)
	}
	r.all = slices.Delete(r.all, 0, n)
}

// forget makes all that was known no good: any record may have changed until a
// look.
func (r *recentChanges) forget(look int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all, r.ids, r.after, r.last = nil, 0, look, map[*mapping.Table]int64{}
}

// since returns the records of a table that have changed after a look, not ok
// when not all of them are known or they are more than most.
func (r *recentChanges) since(t *mapping.Table, look int64, most int) (ids []int64, ok bool) {
	r.mu.Lock()
	first, _ := slices.BinarySearchFunc(r.all, look+1,
		func(c recentChange, look int64) int { return cmp.Compare(c.look, look) })
	for i := first; i < len(r.all) && len(ids) <= most; i++ {
		if r.all[i].table == t {
			ids = append(ids, r.all[i].ids...)
		}
	}
	ok = look >= r.after && len(ids) <= most
	r.mu.Unlock()
	slices.Sort(ids)
	return slices.Compact(ids), ok
}

// changed reports whether a record of one of some tables has changed after a look,
// or may have.
func (r *recentChanges) changed(tables []*mapping.Table, look int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return look < r.after || slices.ContainsFunc(tables, func(t *mapping.Table) bool { return r.last[t] > look })
}
