package index

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// sampled is how many places the position of a page is estimated from. With fewer than twice as many places no sample
// is taken.
const sampled = 1 << 12

// sample returns some places of a view, a random one of each stretch.
func (v *view) sample() []uint32 {
	places := make([]uint32, 0, sampled+1)
	stretch := v.total / sampled
	wanted, n := rand.IntN(stretch), 0
	for i, word := range v.bits {
		ones := bits.OnesCount64(word)
		for ; wanted < n+ones; wanted = len(places)*stretch + rand.IntN(stretch) {
			rest := word
			for range wanted - n {
				rest &= rest - 1
			}
			places = append(places, uint32(i*64+bits.TrailingZeros64(rest)))
		}
		n += ones
	}
	return places
}

// around returns between which ranks of a sorted sample n places after the first ones nearly always are, of a total.
// They may be outside of the sample.
func around(first, n, sample, total int) (from, to int) {
	return first*sample/total - spareAt(first, total), (first+n)*sample/total + spareAt(first+n, total)
}

// spareAt returns how far the estimate of a rank may be off: five times its standard deviation, and a few for the
// first and last ranks, which it is not good for.
func spareAt(rank, total int) int {
	share := float64(rank) / float64(total)
	return int(5*math.Sqrt(sampled*share*(1-share))) + 8
}
