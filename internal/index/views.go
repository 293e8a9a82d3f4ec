package index

import (
	"encoding/binary"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"muster/internal/kind"
)

// Limits of the cache of views: the number, and the memory beyond which only a few are kept.
const (
	mostViews  = 256
	leastViews = 16
	viewMemory = 24 << 20
)

// look calls a function with the view of a query, under a lock, and returns its result; false when the index
// cannot answer. A new view is built without blocking readers, updated with what has changed in the meantime,
// and cached.
func (x *Index) look(q *kind.Query, f func(*view) bool) bool {
	if q.Search != nil || len(q.Ties) > 0 {
		return false
	}
	key := appendKey(make([]byte, 0, 256), q)
	x.mu.RLock()
	v := x.view(key, q)
	if v != nil || x.off {
		defer x.mu.RUnlock()
		return v != nil && f(v)
	}
	x.building.Add(1)
	defer x.building.Add(-1)
	since := len(x.changed)
	ok := func() bool {
		defer x.mu.RUnlock() // also after a panic, which would otherwise block all writers
		v = x.build(key, q)
		return v != nil && f(v)
	}()
	if v != nil {
		x.keep(v, since)
	}
	return ok
}

// view returns the cached view of a query, nil when it must be built.
func (x *Index) view(key []byte, q *kind.Query) *view {
	if x.off {
		return nil
	}
	if len(q.Conds) == 0 && len(q.Either) == 0 {
		return x.live
	}
	return x.views.get(key)
}

// build builds the view of a query, nil when the index cannot.
func (x *Index) build(key []byte, q *kind.Query) *view {
	conds, ok := x.compile(q)
	if !ok {
		return nil
	}
	v := &view{key: string(key), conds: conds, bits: append([]uint64(nil), x.live.bits...)}
	room := make([]uint64, len(v.bits))
	for _, scans := range []bool{false, true} { // conditions that test each record come last
		for i := range conds {
			if conds[i].scans() == scans {
				conds[i].and(v.bits, room)
			}
		}
	}
	v.count()
	return v
}

// keep caches a new view, after applying the changes since it was begun.
func (x *Index) keep(v *view, since int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.moved(since) || slices.ContainsFunc(x.texts, func(c *texts) bool { return c.off && v.looksAt(c) }) {
		return
	}
	for _, place := range x.changed[since:] {
		v.set(place, x.live.has(place) && v.matches(place))
	}
	x.views.keep(v)
}

// views are the cached views, by key.
type views struct {
	all   map[string]*view
	clock atomic.Uint64
}

// get returns a cached view, nil for none.
func (vs *views) get(key []byte) *view {
	v := vs.all[string(key)]
	if v == nil || v.stale() {
		return nil
	}
	atomic.StoreUint64(&v.used, vs.clock.Add(1))
	return v
}

// keep caches a view, and drops the least recently used ones beyond the limits.
func (vs *views) keep(v *view) {
	if vs.all == nil {
		vs.all = map[string]*view{}
	}
	most := min(mostViews, max(leastViews, viewMemory/(8*len(v.bits)+bytesOfTallies)))
	for len(vs.all) >= most {
		var oldest *view
		for _, other := range vs.all {
			if oldest == nil || other.used < oldest.used {
				oldest = other
			}
		}
		delete(vs.all, oldest.key)
	}
	v.used = vs.clock.Add(1)
	vs.all[v.key] = v
}

// forget drops views.
func (vs *views) forget(which func(*view) bool) {
	maps.DeleteFunc(vs.all, func(_ string, v *view) bool { return which(v) })
}

// appendKey appends a key that distinguishes a query from those with other results.
func appendKey(b []byte, q *kind.Query) []byte {
	for i := range q.Conds {
		b = appendCond(b, &q.Conds[i], q.Today)
	}
	if len(q.Either) > 0 {
		b = append(b, '|')
	}
	for i := range q.Either {
		b = appendCond(b, &q.Either[i], q.Today)
	}
	return b
}

func appendCond(b []byte, c *kind.Cond, today time.Time) []byte {
	b = append(append(b, '&'), c.Field.Name...)
	if c.In != nil {
		b = append(append(b, '/'), c.In.Name...)
	}
	if c.Target != nil {
		b = append(append(b, '>'), c.Target.Item...)
	}
	if c.Field.Days != nil {
		b = binary.AppendVarint(append(b, '@'), today.Unix())
	}
	for i := range c.Any {
		t := &c.Any[i]
		switch {
		case t.Null:
			b = append(b, 'n')
		case t.Range:
			b = binary.AppendVarint(binary.AppendVarint(append(b, 'r'), t.Min), t.Max)
		default:
			b = binary.AppendUvarint(append(b, 't'), uint64(len(t.Text)))
			for _, piece := range t.Text {
				b = append(binary.AppendUvarint(b, uint64(len(piece))), piece...)
			}
		}
	}
	if c.Else != nil {
		b = append(append(b, '?'), c.Else.Name...)
	}
	return append(b, 0)
}
