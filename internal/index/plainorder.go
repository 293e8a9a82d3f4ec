package index

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
)

// An item is a place and the text that it is sorted by.
type item struct {
	text  string
	place uint32
}

// A plainOrder sorts places by a plain column.
type plainOrder struct {
	*plain
	desc bool
}

// compare compares two texts. Null is last in both directions.
func (o plainOrder) compare(a, b string) int {
	switch {
	case a == "" || b == "":
		return cmp.Compare(len(b), len(a))
	case o.desc:
		return strings.Compare(b, a)
	}
	return strings.Compare(a, b)
}

// page returns n places of a view after the first ones, sorted by text and then by id. The view must have that
// many. If there are many places, it sorts only those near the page, by an estimate from a random sample: a bad
// sample costs time, and does not change the result.
func (o plainOrder) page(v *view, first, n int) []uint32 {
	var near []item
	before := 0
	switch d := o.dividedFor(v); {
	case d != nil:
		places, less := d.places(v, o.desc, first, n)
		for _, place := range places {
			near = append(near, item{o.at(place), place})
		}
		before = less
	case v.total > 2*sampled:
		near, before = o.around(v, first, n)
	}
	if first < before || first+n > before+len(near) {
		near, before = o.all(v), 0
	}
	first -= before
	o.part(near, first, first+n)
	wanted := near[first : first+n]
	slices.SortFunc(wanted, o.compareItems)
	places := make([]uint32, 0, n)
	for _, it := range wanted {
		places = append(places, it.place)
	}
	return places
}

// dividedFor returns the parts of the column for a view of many places, else nil.
func (o plainOrder) dividedFor(v *view) *parts {
	if v.total <= 2*sampled {
		return nil
	}
	return o.divided()
}

// compareItems compares two places by text and then by id. No two are equal.
func (o plainOrder) compareItems(a, b item) int {
	return cmp.Or(o.compare(a.text, b.text), cmp.Compare(a.place, b.place))
}

// part partitions items so that those from one rank to another are where sorting would put them, in any order.
func (o plainOrder) part(items []item, from, to int) {
	for len(items) > 64 && (from > 0 || to < len(items)) {
		at := o.split(items)
		switch {
		case to <= at:
			items = items[:at]
		case from > at:
			items, from, to = items[at+1:], from-at-1, to-at-1
		default: // the page spans both sides
			if from < at {
				o.part(items[:at], from, at)
			}
			items, from, to = items[at+1:], 0, to-at-1
			if to <= 0 {
				return
			}
		}
	}
	slices.SortFunc(items, o.compareItems)
}

// split moves an item to its rank, which it returns, and all others to their side of it.
func (o plainOrder) split(items []item) int {
	last := len(items) - 1
	some := []item{items[rand.IntN(last)], items[rand.IntN(last)], items[last]}
	slices.SortFunc(some, o.compareItems)
	middle := some[1]
	at := 0
	for i := range items {
		if o.compareItems(items[i], middle) < 0 {
			items[i], items[at] = items[at], items[i]
			at++
		}
	}
	i := at + slices.IndexFunc(items[at:], func(it item) bool { return it.place == middle.place })
	items[i], items[at] = items[at], items[i]
	return at
}

// all returns the places of a view.
func (o plainOrder) all(v *view) []item {
	all := make([]item, 0, v.total)
	o.each(v, func(place uint32, text string) { all = append(all, item{text, place}) })
	return all
}

// around returns the places of a view near a page, nearly always the whole page, and how many places are before
// them.
func (o plainOrder) around(v *view, first, n int) (near []item, before int) {
	var sample []string
	for _, place := range v.sample() {
		sample = append(sample, o.at(place))
	}
	slices.SortFunc(sample, o.compare)
	from, to := around(first, n, len(sample), v.total)
	o.each(v, func(place uint32, text string) {
		switch {
		case from >= 0 && o.compare(text, sample[from]) < 0:
			before++
		case to >= len(sample) || o.compare(text, sample[to]) <= 0:
			near = append(near, item{text, place})
		}
	})
	return near, before
}

// each calls visit with all places of a view and their texts, in the order of places.
func (o plainOrder) each(v *view, visit func(place uint32, text string)) {
	var loaded [64]string
	for i, word := range v.bits {
		if word == 0 {
			continue
		}
		spread(o.block(i), &loaded)
		for ; word != 0; word &= word - 1 {
			bit := bits.TrailingZeros64(word)
			visit(uint32(i*64+bit), loaded[bit])
		}
	}
}
