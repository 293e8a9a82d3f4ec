package index

import (
	"math"
	"slices"
)

// allMoved, among changed places, says that all places have changed.
const allMoved = math.MaxUint32

// move inserts n places before others, for a record whose id is in a wide gap. That is rare, so all views are
// dropped.
func (x *Index) move(first, n int) {
	for _, c := range x.texts {
		c.codes.insert(first, n)
		if c.plain != nil {
			c.plain.insert(first, n)
		}
	}
	for _, c := range x.numbers {
		c.insert(first, n)
	}
	x.version.insert(first, n)
	was := x.live
	x.live = &view{}
	for i, word := range was.bits {
		for bit := range 64 {
			place := i*64 + bit
			if word&(1<<bit) == 0 {
				continue
			}
			if place >= first {
				place += n
			}
			x.live.set(uint32(place), true)
		}
	}
	x.edits.reach(uint32(x.ids.size()))
	x.views.forget(func(*view) bool { return true })
	if x.building.Load() > 0 {
		x.changed = append(x.changed, allMoved)
	}
}

// moved reports whether all places have moved since a change.
func (x *Index) moved(since int) bool { return slices.Contains(x.changed[since:], allMoved) }
