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
	for bit, key := range to {
		to[bit] = k.ordered(key)
	}
}

// ordered returns the sort key of a code or rank.
func (k *keys) ordered(n uint64) uint64 {
	last := ^uint64(0) >> (64 - k.width)
	switch {
	case n == 0:
		return last
	case k.desc:
		return last - n
	}
	return n - 1
}

// between returns a bit set: which of the i-th 64 places have a sort key from low to high.
func (k *keys) between(i int, low, high uint64) (in uint64) {
	last := ^uint64(0) >> (64 - k.width)
	high = min(high, last)
	switch {
	case k.ranks != nil || k.days != nil:
		var loaded [64]uint64
		k.load(i, &loaded)
		for bit, key := range &loaded {
			if low <= key && key <= high {
				in |= 1 << (bit & 63)
			}
		}
		return in
	case k.desc:
		return k.codes.within(i, last-high, last-low)
	}
	if low < last {
		in = k.codes.within(i, low+1, min(high+1, last))
	}
	if high == last {
		in |= k.codes.within(i, 0, 0)
	}
	return in
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
	if k.width > 16 && v.total > 2*sampled {
		if places, ok := v.sortedAround(k, first, n); ok {
			return places
		}
	}
	low, high, before := v.bounds(k, first, first+n-1)
	skip := first - before
	var within, last []keyed // last has places with the highest key, of which not all may be wanted
	v.each(k.load, func(place uint32, key uint64) {
		switch {
		case key < low || key > high:
		case key == low && skip > 0:
			skip--
		case key < high:
			within = append(within, keyed{key, place})
		case len(last) < n:
			last = append(last, keyed{key, place})
		}
	})
	return sortedPlaces(append(within, last...))[:n]
}

// sortedByCode is sorted for keys of 16 bits that follow from codes, of which it is known how many places have each. It
// is not ok when those of very many codes are wanted.
func (v *view) sortedByCode(k *keys, all []tally, first, n int) (places []uint32, ok bool) {
	counts := make([]int32, 1<<16)
	key := func(t tally) uint64 { return k.ordered(k.rank(t.code)) }
	for _, t := range all {
		counts[key(t)] += int32(t.n)
	}
	next, before := ranked(counts, 0, first)
	found, looks := make([]uint64, len(v.bits)), 0
	for skip := first - before; len(places) < n; next++ {
		if counts[next] == 0 {
			continue
		}
		clear(found)
		for _, t := range all {
			if key(t) == next {
				k.codes.orEqual(t.code, v.bits, found)
				looks++
			}
		}
		if looks > fewCodes {
			return nil, false
		}
		for i, word := range found {
			word &= v.bits[i]
			if ones := bits.OnesCount64(word); skip >= ones {
				skip -= ones
				continue
			}
			for ; word != 0 && len(places) < n; word &= word - 1 {
				if skip--; skip < 0 {
					places = append(places, uint32(i*64+bits.TrailingZeros64(word)))
				}
			}
			skip = max(skip, 0)
		}
	}
	return places, true
}

// A keyed is a place with its key.
type keyed struct {
	key   uint64
	place uint32
}

// sortedPlaces returns the places of what is in the order of places, sorted by key.
func sortedPlaces(all []keyed) []uint32 {
	slices.SortStableFunc(all, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	places := make([]uint32, len(all))
	for i, one := range all {
		places[i] = one.place
	}
	return places
}

// sortedAround is sorted for many places. It sorts only those near the page, by an estimate from a random sample.
// It is not ok when the estimate was bad, or very many have the same key.
func (v *view) sortedAround(k *keys, first, n int) (places []uint32, ok bool) {
	var loaded [64]uint64
	sample := make([]uint64, 0, sampled+1)
	for _, place := range v.sample() {
		k.load(int(place/64), &loaded)
		sample = append(sample, loaded[place%64])
	}
	slices.Sort(sample)
	from, to := around(first, n, len(sample), v.total)
	low, high := uint64(0), ^uint64(0)
	if from >= 0 {
		low = sample[from]
	}
	if to < len(sample) {
		high = sample[to]
	}
	before, lowest, within, highest := 0, tied{}, tied{}, tied{}
	most := n + v.total/8
	for i, word := range v.bits {
		if word == 0 {
			continue
		}
		if low > 0 {
			before += bits.OnesCount64(word & k.between(i, 0, low-1))
		}
		if word &= k.between(i, low, high); word != 0 {
			k.load(i, &loaded)
		}
		for ; word != 0; word &= word - 1 {
			bit := bits.TrailingZeros64(word)
			one := keyed{loaded[bit], uint32(i*64 + bit)}
			switch one.key {
			case low:
				lowest.add(one, most)
			case high:
				highest.add(one, most)
			default:
				within.add(one, most)
			}
		}
	}
	if first < before || !within.complete() {
		return nil, false
	}
	sortRanks(within.all, low, high, first-before-lowest.n, n)
	for _, t := range []*tied{&lowest, &within, &highest} {
		from, to := max(0, first-before), min(t.n, first+n-before)
		if to > len(t.all) && from < to {
			return nil, false
		}
		for ; from < to; from++ {
			places = append(places, t.all[from].place)
		}
		before += t.n
	}
	return places, len(places) == n
}

// sortRanks sorts places by keys between two others as far as those of n ranks from the first on need: others stay among
// those before or behind.
func sortRanks(all []keyed, low, high uint64, first, n int) {
	var counts [1<<12 + 1]int
	shift := max(0, bits.Len64(high-low)-12)
	for _, one := range all {
		counts[(one.key-low)>>shift+1]++
	}
	for i := range counts[1:] {
		counts[i+1] += counts[i]
	}
	starts, sorted := counts, make([]keyed, len(all))
	for _, one := range all {
		at := &counts[(one.key-low)>>shift]
		sorted[*at] = one
		*at++
	}
	copy(all, sorted)
	for i, from := range starts[:len(starts)-1] {
		if to := starts[i+1]; from < first+n && to > first {
			slices.SortStableFunc(all[from:to], func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		}
	}
}

// A tied counts places, and has the first of them.
type tied struct {
	n   int
	all []keyed
}

// add adds a place, which is kept unless there are very many.
func (t *tied) add(one keyed, most int) {
	if t.n++; t.n <= most {
		t.all = append(t.all, one)
	}
}

// complete reports whether all places are kept.
func (t *tied) complete() bool { return t.n == len(t.all) }

// bounds returns the keys of the places of a view at two ranks by key, and how many have a lower one than the first.
func (v *view) bounds(k *keys, first, last int) (low, high uint64, before int) {
	if k.width == 16 { // one look is enough for both
		counts := v.countKeys(k, 0, 0)
		low, before = ranked(counts, 0, first)
		high, _ = ranked(counts, 0, last)
		return low, high, before
	}
	low, before = v.nth(k, first)
	high, _ = v.nth(k, last)
	return low, high, before
}

// nth returns the key of the n-th place of a view, sorted by key, and how many have a lower one. It is a radix
// select with 16 bits per step.
func (v *view) nth(k *keys, n int) (key uint64, less int) {
	for shift := k.width - 16; shift >= 0; shift -= 16 {
		var digit uint64
		digit, less = ranked(v.countKeys(k, shift, key), less, n)
		key = key<<16 | digit
	}
	return key, less
}

// countKeys counts the places of a view by 16 bits of their keys, those whose higher bits are these.
func (v *view) countKeys(k *keys, shift int, higher uint64) []int32 {
	counts := make([]int32, 1<<16)
	v.each(k.load, func(_ uint32, key uint64) {
		if key>>shift>>16 == higher {
			counts[key>>shift&0xffff]++
		}
	})
	return counts
}

// ranked returns which of the counted the n-th is, when less are before all of them, and how many are before that.
func ranked(counts []int32, less, n int) (digit uint64, before int) {
	for less+int(counts[digit]) <= n {
		less += int(counts[digit])
		digit++
	}
	return digit, less
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
