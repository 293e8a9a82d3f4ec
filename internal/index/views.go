package index

import (
	"encoding/binary"
	"maps"
	"slices"
	"sync/atomic"

	"muster/internal/kind"
)

// maxViews is how many views are kept.
const maxViews = 256

// build makes the view of a query and keeps it, nil when the index cannot.
func (x *Index) build(key []byte, q *kind.Query) *view {
	if v := x.view(key, q); v != nil || x.off { // somebody else was faster
		return v
	}
	conds, ok := x.compile(q)
	if !ok {
		return nil
	}
	v := &view{key: string(key), conds: conds, bits: append([]uint64(nil), x.live.bits...)}
	room := make([]uint64, len(v.bits))
	for _, scans := range []bool{false, true} { // what must look at each record comes last
		for i := range conds {
			if conds[i].scans() == scans {
				conds[i].and(v.bits, room)
			}
		}
	}
	v.count()
	x.views.keep(v)
	return v
}

// views are the views that are kept, by their keys.
type views struct {
	all   map[string]*view
	clock atomic.Uint64
}

// get returns a view that is kept, nil for none.
func (vs *views) get(key []byte) *view {
	v := vs.all[string(key)]
	if v != nil {
		atomic.StoreUint64(&v.used, vs.clock.Add(1))
	}
	return v
}

// keep keeps a view, in the place of the one that was asked for longest ago when there are many.
func (vs *views) keep(v *view) {
	if vs.all == nil {
		vs.all = map[string]*view{}
	}
	if len(vs.all) >= maxViews {
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

// forget drops the views that look at a text.
func (vs *views) forget(c *texts) {
	maps.DeleteFunc(vs.all, func(_ string, v *view) bool {
		return slices.ContainsFunc(v.conds, func(one cond) bool { return one.looksAt(c) })
	})
}

// looksAt reports whether the condition looks at a text.
func (c *cond) looksAt(column *texts) bool {
	return c.text == column || slices.ContainsFunc(c.either, func(one cond) bool { return one.looksAt(column) })
}

// appendKey appends what tells a query from others with other records.
func appendKey(b []byte, q *kind.Query) []byte {
	for i := range q.Conds {
		b = appendCond(b, &q.Conds[i])
	}
	if len(q.Either) > 0 {
		b = append(b, '|')
	}
	for i := range q.Either {
		b = appendCond(b, &q.Either[i])
	}
	return b
}

func appendCond(b []byte, c *kind.Cond) []byte {
	b = append(append(b, '&'), c.Field.Name...)
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
