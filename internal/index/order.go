package index

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"muster/internal/kind"
)

// keys are the numbers that a list is sorted by, in ascending order, except 0, which comes last.
type keys struct {
	codes *vector
	days  *days    // their cases are the keys, instead of codes
	ranks []uint32 // of the codes or cases, nil when these are the keys
	desc  bool
	width int // of the keys in bits: 16, 32 or 64
}

// keys returns the sort keys of a query. It is not ok when the index does not keep them.
func (x *Index) keys(q *kind.Query) (k keys, ok bool) {
	switch f := q.Sort; {
	case f.InTie:
		return k, false
	case f.Days != nil:
		k.days, ok = x.days(f, q.Today, nil)
		if ok {
			k.ranks = k.days.ranks()
		}
	case f.Type == kind.Text:
		c := x.text(f)
		if c == nil || c.off {
			return k, false
		}
		k.codes, k.ranks, ok = &c.codes, c.ranks(), true
	default:
		c := x.number(f)
		if c == nil {
			return k, false
		}
		k.codes, ok = &c.codes, true
		if f.Type == kind.PersonRef || f.Type == kind.RecordRef {
			k.ranks, ok = x.refers[f].ranksOf(c)
		}
	}
	k.desc, k.width = q.Desc, k.bits()
	return k, ok
}

// bits returns how many bits keys need, of which one is spare.
func (k *keys) bits() int {
	switch {
	case k.ranks != nil && len(k.ranks) < 1<<16:
		return 16
	case k.ranks == nil && k.codes != nil && k.codes.width == 8:
		return 64
	}
	return 32
}

// ranks returns the ranks of the values by code, from 1.
func (c *texts) ranks() []uint32 {
	if order := c.order.Load(); order != nil {
		return *order
	}
	codes := make([]uint16, 0, len(c.values))
	for code := range c.values {
		if code > 0 && c.values[code].records > 0 {
			codes = append(codes, uint16(code))
		}
	}
	slices.SortFunc(codes, func(a, b uint16) int { return strings.Compare(c.text(a), c.text(b)) })
	order := make([]uint32, len(c.values))
	for i, code := range codes {
		order[code] = uint32(i) + 1
	}
	c.order.Store(&order)
	return order
}

// ranks returns the ranks of the cases' texts, from 1.
func (d *days) ranks() (order []uint32) {
	var all []string
	for i := range d.cases {
		all = append(all, d.cases[i].text)
	}
	slices.Sort(all)
	order = append(order, 0) // no case
	for i := range d.cases {
		order = append(order, uint32(slices.Index(all, d.cases[i].text))+1)
	}
	return order
}

// ranksOf returns the ranks of the names by the codes of a column of ids.
func (n *names) ranksOf(c *numbers) (ranks []uint32, ok bool) {
	if n == nil || c.wide {
		return nil, false
	}
	return append([]uint32{0}, n.ranks()...), true // a code is one more than its id
}

// read reads the codes of the i-th 64 places, or their ranks.
func (k *keys) read(i int, to *[64]uint64) {
	if k.days != nil {
		k.readDays(i, to)
	} else {
		k.codes.load(i, to)
	}
	if k.ranks == nil {
		return
	}
	for bit, code := range to {
		to[bit] = k.rank(code)
	}
}

// load reads the sort keys of the i-th 64 places, with 0 replaced by the greatest key.
func (k *keys) load(i int, to *[64]uint64) {
	k.read(i, to)
	last := ^uint64(0) >> (64 - k.width)
	for bit, key := range to {
		switch {
		case key == 0:
			to[bit] = last
		case k.desc:
			to[bit] = last - key
		default:
			to[bit] = key - 1
		}
	}
}

// rank returns the rank of a code, 0 for a record without a name.
func (k *keys) rank(code uint64) uint64 {
	if code >= uint64(len(k.ranks)) {
		return 0
	}
	return uint64(k.ranks[code])
}

// readDays reads which case matches, from 1, 0 for none.
func (k *keys) readDays(i int, to *[64]uint64) {
	clear(to[:])
	n := uint64(0)
	k.days.each(i, ^uint64(0), func(c *dayCase, places uint64) {
		n++
		for ; c != nil && places != 0; places &= places - 1 {
			to[bits.TrailingZeros64(places)] = n
		}
	})
}

// sorted returns n places of a view after the first ones, sorted by key and then by id. The view must have that
// many.
func (v *view) sorted(k *keys, first, n int) []uint32 {
	low, before := v.nth(k, first)
	high, _ := v.nth(k, first+n-1)
	skip := first - before
	type item struct {
		key   uint64
		place uint32
	}
	var within, last []item // last has places with the highest key, of which not all may be wanted
	v.each(k.load, func(place uint32, key uint64) {
		switch {
		case key < low || key > high:
		case key == low && skip > 0:
			skip--
		case key < high:
			within = append(within, item{key, place})
		case len(last) < n:
			last = append(last, item{key, place})
		}
	})
	slices.SortStableFunc(within, func(a, b item) int { return cmp.Compare(a.key, b.key) })
	places := make([]uint32, 0, n)
	for _, it := range append(within, last...)[:n] {
		places = append(places, it.place)
	}
	return places
}

// nth returns the key of the n-th place of a view, sorted by key, and how many have a lower one. It is a radix
// select with 16 bits per step.
func (v *view) nth(k *keys, n int) (key uint64, less int) {
	counts := make([]int32, 1<<16)
	for shift := k.width - 16; shift >= 0; shift -= 16 {
		clear(counts)
		v.each(k.load, func(_ uint32, other uint64) {
			if other>>shift>>16 == key {
				counts[other>>shift&0xffff]++
			}
		})
		digit := 0
		for less+int(counts[digit]) <= n {
			less += int(counts[digit])
			digit++
		}
		key = key<<16 | uint64(digit)
	}
	return key, less
}

// each calls visit with all places of a view and their keys, in the order of places. It reads the keys of 64
// places at a time.
func (v *view) each(read func(i int, to *[64]uint64), visit func(place uint32, key uint64)) {
	var loaded [64]uint64
	for i, word := range v.bits {
		if word == 0 {
			continue
		}
		read(i, &loaded)
		for ; word != 0; word &= word - 1 {
			bit := bits.TrailingZeros64(word)
			visit(uint32(i*64+bit), loaded[bit])
		}
	}
}
