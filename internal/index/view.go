package index

import (
	"math/bits"
	"slices"
)

// block is the number of places per count.
const block = 4096

// A view is the bit set of the places that match a query.
type view struct {
	key     string
	used    uint64 // when it was last used, as a number of the query
	bits    []uint64
	counts  []int32 // of the places in each block
	total   int
	conds   []cond // all must hold; empty for all records
	tallied tallied
}

// matches reports whether a live place is in the view.
func (v *view) matches(place uint32) bool {
	for i := range v.conds {
		if !v.conds[i].matches(place) {
			return false
		}
	}
	return true
}

// looksAt reports whether the view depends on a column of texts.
func (v *view) looksAt(c *texts) bool {
	return slices.ContainsFunc(v.conds, func(one cond) bool { return one.looksAt(c) })
}

// stale reports whether the view depends on names that have changed.
func (v *view) stale() bool {
	for i := range v.conds {
		if v.conds[i].stale() {
			return true
		}
	}
	return false
}

func (v *view) has(place uint32) bool {
	return int(place/64) < len(v.bits) && v.bits[place/64]&(1<<(place%64)) != 0
}

// set adds or removes a place.
func (v *view) set(place uint32, in bool) {
	if v.has(place) == in {
		return
	}
	v.bits = grown(v.bits, place)
	for int(place/block) >= len(v.counts) {
		v.counts = append(v.counts, 0)
	}
	v.bits[place/64] ^= 1 << (place % 64)
	if in {
		v.counts[place/block]++
		v.total++
	} else {
		v.counts[place/block]--
		v.total--
	}
}

// count recounts the bits.
func (v *view) count() {
	v.counts, v.total = make([]int32, (len(v.bits)*64+block-1)/block), 0
	for i, word := range v.bits {
		n := bits.OnesCount64(word)
		v.counts[i*64/block] += int32(n)
		v.total += n
	}
}

// upTo returns how many of the given number of first places are in the view.
func (v *view) upTo(places int) (n int) {
	if places >= len(v.bits)*64 {
		return v.total
	}
	for _, count := range v.counts[:places/block] {
		n += int(count)
	}
	for i := places / block * (block / 64); i < places/64; i++ {
		n += bits.OnesCount64(v.bits[i])
	}
	return n + bits.OnesCount64(v.bits[places/64]&(1<<(places%64)-1))
}

// from returns n places after the first ones. The view must have that many.
func (v *view) from(first, n int) []uint32 {
	places := make([]uint32, 0, n)
	b := 0
	for first >= int(v.counts[b]) {
		first -= int(v.counts[b])
		b++
	}
	for i := b * (block / 64); len(places) < n; i++ {
		word := v.bits[i]
		if ones := bits.OnesCount64(word); first >= ones {
			first -= ones
			continue
		}
		for ; word != 0 && len(places) < n; word &= word - 1 {
			if first > 0 {
				first--
				continue
			}
			places = append(places, uint32(i*64+bits.TrailingZeros64(word)))
		}
	}
	return places
}
