package store

import (
	"cmp"
	"slices"
	"sync"

	"muster/internal/store/mapping"
)

// A seen is the state of the database that the indexes have. States are numbered: on PostgreSQL by the looks at the
// feed, on SQLite by the commits.
type seen struct {
	number   int64
	position position // on PostgreSQL
}

// mostRecent is how many changes are kept: those of an hour at 12 reports per second.
const mostRecent = 50_000

// recentChanges keeps which records have changed lately.
type recentChanges struct {
	mu    sync.Mutex
	all   []recentChange           // in the order of states
	ids   int                      // in all of them
	after int64                    // no change after this state is missing
	last  map[*mapping.Table]int64 // the state in which a record of a table last changed
}

// A recentChange is the records of a table whose words a state has changed.
type recentChange struct {
	number int64 // of the state
	table  *mapping.Table
	ids    []int64
}

// add stores the changes that lead to a state, before the indexes have them.
func (r *recentChanges) add(number int64, t *mapping.Table, changed touched) {
	if !changed.decide() {
		return
	}
	var ids []int64
	for id, how := range changed {
		if how&wordsTouch != 0 {
			ids = append(ids, id)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last[t] = number
	if len(ids) == 0 {
		return
	}
	r.all, r.ids = append(r.all, recentChange{number, t, ids}), r.ids+len(ids)
	n := 0
	for ; r.ids > mostRecent; n++ {
		r.after = r.all[n].number
		r.ids -= len(r.all[n].ids)
	}
	r.all = slices.Delete(r.all, 0, n)
}

// forget drops all changes, when any record may have changed until a state.
func (r *recentChanges) forget(number int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all, r.ids, r.after, r.last = nil, 0, number, map[*mapping.Table]int64{}
}

// since returns the records of a table whose words have changed after a state. It is not ok when changes are missing
// or there are more than most.
func (r *recentChanges) since(t *mapping.Table, number int64, most int) (ids []int64, ok bool) {
	r.mu.Lock()
	first, _ := slices.BinarySearchFunc(r.all, number+1,
		func(c recentChange, number int64) int { return cmp.Compare(c.number, number) })
	for i := first; i < len(r.all) && len(ids) <= most; i++ {
		if r.all[i].table == t {
			ids = append(ids, r.all[i].ids...)
		}
	}
	ok = number >= r.after && len(ids) <= most
	r.mu.Unlock()
	slices.Sort(ids)
	return slices.Compact(ids), ok
}

// changed reports whether a record of one of the tables has changed after a state, or may have.
func (r *recentChanges) changed(tables []*mapping.Table, number int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return number < r.after || slices.ContainsFunc(tables, func(t *mapping.Table) bool { return r.last[t] > number })
}
