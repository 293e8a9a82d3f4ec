package index

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// names are the texts by which records of a kind are named in filters of others, such as a person's address
// and name. The last one is what lists are sorted by.
type names struct {
	mu      sync.RWMutex
	all     map[int64][]string // by id
	changes atomic.Uint64
	order   []uint32 // of the names by id, from 1; 0 for none
	ordered uint64   // the changes when the order was made
}

// set sets the names of a record, nil when it is gone.
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

// A named is the records that passed tests of their names at some time.
type named struct {
	names *names
	at    uint64   // the changes until then
	ids   []uint64 // as bits
	only  int64    // the id, when it is one alone, else 0
}

// named returns the records that have a name which passes one of some tests, nil when there are no names.
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

// stale reports whether names have changed since then.
func (f *named) stale() bool { return f.names.changes.Load() != f.at }

// among tells as bits which of some of the i-th 64 places have the id of one of the records.
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

// ranks returns the order of the names by id, from 1, equal ones the same; 0 is for none.
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
