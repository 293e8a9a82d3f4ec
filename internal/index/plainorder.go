package index

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
)

// sampled is how many texts tell about where in the order of all a page is. With fewer than twice as many all are sorted.
const sampled = 1 << 14

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

// compare compares two texts: null is last, in both directions.
func (o plainOrder) compare(a, b string) int {
	switch {
	case a == "" || b == "":
		return cmp.Compare(len(b), len(a))
	case o.desc:
		return strings.Compare(b, a)
	}
	return strings.Compare(a, b)
}

// page returns n places of a view behind the first ones, sorted by their texts and then by id. There are so many. Of many it
// sorts those alone that are about where the page is, by some that are taken at random: what chance does not give costs
// time and nothing else.
func (o plainOrder) page(v *view, first, n int) []uint32 {
	var around []item
	before := 0
	if v.total > 2*sampled {
		around, before = o.around(v, first, n)
	}
	if first < before || first+n > before+len(around) {
		around, before = o.all(v), 0
	}
	slices.SortStableFunc(around, func(a, b item) int { return o.compare(a.text, b.text) })
	places := make([]uint32, 0, n)
	for _, it := range around[first-before:][:n] {
		places = append(places, it.place)
	}
	return places
}

// all returns the places of a view.
func (o plainOrder) all(v *view) []item {
	all := make([]item, 0, v.total)
	o.each(v, func(place uint32, text string) { all = append(all, item{text, place}) })
	return all
}

// around returns the places of a view that are about where a page is, nearly always all of that page, and how many are
// before them.
func (o plainOrder) around(v *view, first, n int) (around []item, before int) {
	sample := o.sample(v)
	const spare = 320 // five times how far the places of a sample are off by chance
	scale := func(rank int) int { return rank * len(sample) / v.total }
	from, to := scale(first)-spare, scale(first+n)+spare
	o.each(v, func(place uint32, text string) {
		switch {
		case from >= 0 && o.compare(text, sample[from]) < 0:
			before++
		case to >= len(sample) || o.compare(text, sample[to]) <= 0:
			around = append(around, item{text, place})
		}
	})
	return around, before
}

// sample returns the texts of some places of a view in their order, one of each stretch.
func (o plainOrder) sample(v *view) []string {
	texts := make([]string, 0, sampled+1)
	stretch := v.total / sampled
	wanted, n := rand.IntN(stretch), 0
	for i, word := range v.bits {
		ones := bits.OnesCount64(word)
		for ; wanted < n+ones; wanted = len(texts)*stretch + rand.IntN(stretch) {
			rest := word
			for range wanted - n {
				rest &= rest - 1
			}
			texts = append(texts, o.at(uint32(i*64+bits.TrailingZeros64(rest))))
		}
		n += ones
	}
	slices.SortFunc(texts, o.compare)
	return texts
}

// each calls a function with all places of a view and their texts, in the order of places.
func (o plainOrder) each(v *view, tell func(place uint32, text string)) {
	var loaded [64]string
	for i, word := range v.bits {
		if word == 0 {
			continue
		}
		spread(o.block(i), &loaded)
		for ; word != 0; word &= word - 1 {
			bit := bits.TrailingZeros64(word)
			tell(uint32(i*64+bit), loaded[bit])
		}
	}
}
