package index

import (
	"math/bits"
	"sync"
	"unsafe"

	"muster/internal/kind"
)

// A tally is the number of places with a code, and the first of them.
type tally struct {
	code  uint64
	n     int
	first uint32
}

// tally counts a part of a view by the codes of a field.
func (x *Index) tally(v, part *view, f *kind.Field, k *keys) []tally {
	c := x.text(f)
	switch {
	case part == x.live && c != nil:
		return x.tallyAll(c)
	case part != v || f.Days != nil || c != nil && len(c.values) > mostValues:
		return part.tally(k, 0, len(part.bits))
	}
	return v.tallied.count(v, f, k, x.edits)
}

// stretch is the number of words of a view whose tallies are cached together.
const stretch = 512

// Limits of the cached tallies: those of a view, and those of one stretch.
const (
	mostTallied = 8192
	mostValues  = 256
)

// bytesOfTallies is the memory of the cached tallies of a view.
const bytesOfTallies = mostTallied * int(unsafe.Sizeof(tally{}))

// edits count the changes of records by stretches of their places, from 1.
type edits []uint64

// add counts a change.
func (e *edits) add(place uint32) {
	e.reach(place)
	(*e)[place/64/stretch]++
}

// reach gives a place its stretch.
func (e *edits) reach(place uint32) {
	for len(*e) <= int(place/64/stretch) {
		*e = append(*e, 1)
	}
}

// addAll counts a change of all records.
func (e edits) addAll() {
	for i := range e {
		e[i]++
	}
}

// A tallied caches the tallies of a view by stretches. After a change those of one stretch alone are counted again.
type tallied struct {
	mu   sync.Mutex
	all  map[*kind.Field][]tallies
	many map[*kind.Field]bool // they have too many values
	kept int                  // tallies in all of them
}

// tallies are those of one stretch.
type tallies struct {
	edits uint64 // of the stretch when they were counted, 0 when they are not kept
	all   []tally
}

// count returns the tallies of a whole view by the codes of a field.
func (t *tallied) count(v *view, f *kind.Field, k *keys, now edits) []tally {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.many[f]:
		return v.tally(k, 0, len(v.bits))
	case t.all == nil:
		t.all, t.many = map[*kind.Field][]tallies{}, map[*kind.Field]bool{}
	}
	for len(t.all[f]) < len(now) {
		t.all[f] = append(t.all[f], tallies{})
	}
	total := sum{at: map[uint64]int{}}
	for i := range t.all[f] {
		part := &t.all[f][i]
		if part.edits != now[i] {
			t.kept -= len(part.all)
			*part = tallies{now[i], v.tally(k, i*stretch, min((i+1)*stretch, len(v.bits)))}
			t.kept += len(part.all)
		}
		total.add(part.all)
		t.many[f] = t.many[f] || len(part.all) > mostValues
		if t.many[f] || t.kept > mostTallied {
			t.kept -= len(part.all)
			*part = tallies{}
		}
	}
	return total.all
}

// bytes returns the memory that the cached tallies take.
func (t *tallied) bytes() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept * int(unsafe.Sizeof(tally{}))
}

// A sum adds tallies of one stretch after the other.
type sum struct {
	all []tally
	at  map[uint64]int // the index of a code's tally
}

func (s *sum) add(some []tally) {
	for _, t := range some {
		if at, ok := s.at[t.code]; ok {
			s.all[at].n += t.n
			continue
		}
		s.at[t.code] = len(s.all)
		s.all = append(s.all, t)
	}
}

// tally counts the places in some words of a view by code.
func (v *view) tally(k *keys, from, to int) (all []tally) {
	small, great := make([]int32, k.smallCodes()), map[uint64]int32{} // index of the code's tally, from 1
	var loaded [64]uint64
	for i := from; i < to; i++ {
		word := v.bits[i]
		if word == 0 {
			continue
		}
		k.read(i, &loaded)
		for ; word != 0; word &= word - 1 {
			bit := bits.TrailingZeros64(word)
			code := loaded[bit]
			isSmall := code < uint64(len(small))
			var at int32
			if isSmall {
				at = small[code]
			} else {
				at = great[code]
			}
			if at == 0 {
				all = append(all, tally{code: code, first: uint32(i*64 + bit)})
				if at = int32(len(all)); isSmall {
					small[code] = at
				} else {
					great[code] = at
				}
			}
			all[at-1].n++
		}
	}
	return all
}

// smallCodes returns below which number codes are counted without a map.
func (k *keys) smallCodes() int {
	if k.codes != nil && k.codes.width == 2 {
		return 1 << 16
	}
	return 1 << 8
}

// tallyAll counts all records by the codes of a text. The counts are known; only the first record of each is
// searched.
func (x *Index) tallyAll(c *texts) (all []tally) {
	where, null := make([]int32, len(c.values)), x.live.total // index of the code's tally, from 1
	add := func(code, n int) {
		all = append(all, tally{code: uint64(code), n: n})
		where[code] = int32(len(all))
	}
	for code, value := range c.values {
		if value.records > 0 {
			add(code, int(value.records))
			null -= int(value.records)
		}
	}
	if null > 0 {
		add(0, null)
	}
	var loaded [64]uint64
	missing := len(all)
	for i, word := range x.live.bits {
		if missing == 0 {
			break
		}
		c.codes.load(i, &loaded)
		for ; word != 0; word &= word - 1 {
			bit := bits.TrailingZeros64(word)
			if at := where[loaded[bit]]; at > 0 {
				all[at-1].first, where[loaded[bit]] = uint32(i*64+bit), 0
				missing--
			}
		}
	}
	return all
}
