package index

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// names are the texts by which filters of other kinds name the records of a kind, such as a person's address
// and name. Lists are sorted by the last one.
type names struct {
	mu      sync.RWMutex
	all     map[int64][]string // by id
	changes atomic.Uint64
	order   []uint32 // rank of the names by id, from 1; 0 for none
	ordered uint64   // value of changes when order was made
}

// set sets the names of a record, nil when it was deleted.
func (n *names) set(id int64, texts [][]byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	was := n.all[id]
	if slices.EqualFunc(was, texts, func(a string, b []byte) bool { return a == string(b) }) {
		return
	}
	n.changes.Add(1)
	if texts == nil {
		delete(n.all, id)
		return
	}
	if was == nil {
		was = make([]string, len(texts))
		n.all[id] = was
	}
	for i := range texts {
		was[i] = string(texts[i])
	}
}

// A named is the set of records whose names passed some tests.
type named struct {
	names *names
	at    uint64   // value of changes when it was made
	ids   []uint64 // bit set
	only  int64    // the id if there is only one, otherwise 0
}

// named returns the records with a name that passes one of the tests, nil when there are no names.
func (n *names) named(tests []test) *named {
	if n == nil {
		return nil
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	found, count := &named{names: n, at: n.changes.Load()}, 0
	for id, texts := range n.all {
		if !slices.ContainsFunc(texts, func(text string) bool { return text != "" && fits(tests, text) }) {
			continue
		}
		found.ids = grown(found.ids, uint32(id))
		found.ids[id/64] |= 1 << (id % 64)
		found.only = id
		count++
	}
	if count != 1 {
		found.only = 0
	}
	return found
}

// stale reports whether names have changed since.
func (f *named) stale() bool { return f.names.changes.Load() != f.at }

// among returns a bit set: which of some of the i-th 64 places refer to one of the records.
func (f *named) among(c *numbers, i int, some uint64) (in uint64) {
	if f.only != 0 {
		return some & c.within(i, f.only, f.only)
	}
	for rest := some &^ c.nulls(i); rest != 0; rest &= rest - 1 {
		id := uint64(c.at(uint32(i*64 + bits.TrailingZeros64(rest))))
		if id/64 < uint64(len(f.ids)) && f.ids[id/64]&(1<<(id%64)) != 0 {
			in |= rest & -rest
		}
	}
	return in
}

// ranks returns the ranks of the names by id, from 1, the same for equal ones; 0 is for none.
func (n *names) ranks() []uint32 {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.order != nil && n.ordered == n.changes.Load() {
		return n.order
	}
	name := func(id int64) string { texts := n.all[id]; return texts[len(texts)-1] }
	var all []int64
	for id := range n.all {
		if name(id) != "" {
			all = append(all, id)
		}
	}
	slices.SortFunc(all, func(a, b int64) int { return strings.Compare(name(a), name(b)) })
	order := make([]uint32, 1)
	rank := uint32(0)
	for i, id := range all {
		if i == 0 || name(all[i-1]) != name(id) {
			rank++
		}
		if int(id) >= len(order) {
			order = longer(order, int(id)+1)
		}
		order[id] = rank
	}
	n.order, n.ordered = order, n.changes.Load()
	return order
}
