package index

import (
	"slices"

	"muster/internal/kind"
)

// A numbers column keeps a number for each place, as a code. Codes have the order of the numbers, and 0 is
// null.
type numbers struct {
	field *kind.Field
	codes vector
	some  []uint64 // bit set of the places that have a number
	wide  bool     // there are negative or very large numbers
}

// most is the largest number that is not wide.
const most = 1<<32 - 2

func (c *numbers) set(place uint32, n int64) {
	if !c.wide && n != Null && uint64(n) > most {
		c.widen()
	}
	c.codes.set(place, c.code(n))
	c.mark(place, n != Null)
}

// mark records whether a place has a number.
func (c *numbers) mark(place uint32, some bool) {
	if int(place/64) >= len(c.some) {
		if !some {
			return
		}
		c.some = grown(c.some, place)
	}
	if bit := uint64(1) << (place % 64); some {
		c.some[place/64] |= bit
	} else {
		c.some[place/64] &^= bit
	}
}

// insert inserts n places without a number before others.
func (c *numbers) insert(first, n int) {
	c.codes.insert(first, n)
	c.some = c.some[:0]
	for place := range c.codes.len() {
		c.mark(uint32(place), c.codes.get(place) != 0)
	}
}

// reserve allocates memory for so many places.
func (c *numbers) reserve(places int) {
	c.codes.reserve(places)
	c.some = slices.Grow(c.some, (places+63)/64)
}

// code returns the code of a number, which must fit.
func (c *numbers) code(n int64) uint64 {
	switch {
	case n == Null:
		return 0
	case c.wide:
		return uint64(n) ^ 1<<63
	}
	return uint64(n) + 1
}

// widen changes all codes to those that fit any number.
func (c *numbers) widen() {
	c.codes.widen(8)
	for place := range c.codes.len() {
		if code := c.codes.get(place); code != 0 {
			c.codes.put(place, (code-1)^1<<63)
		}
	}
	c.wide = true
}

// number returns the number that has a code.
func (c *numbers) number(code uint64) int64 {
	switch {
	case code == 0:
		return Null
	case c.wide:
		return int64(code ^ 1<<63)
	}
	return int64(code - 1)
}

// at returns the number of a place.
func (c *numbers) at(place uint32) int64 { return c.number(c.codes.at(place)) }

// within returns a bit set: which of the i-th 64 places have a number from least to greatest.
func (c *numbers) within(i int, least, greatest int64) uint64 {
	if least == Null { // a range without a lower limit
		least++
	}
	if !c.wide {
		least, greatest = max(least, 0), min(greatest, most)
	}
	if least > greatest {
		return 0
	}
	return c.codes.within(i, c.code(least), c.code(greatest))
}

// nulls returns a bit set: which of the i-th 64 places have no number.
func (c *numbers) nulls(i int) uint64 {
	if i >= len(c.some) {
		return ^uint64(0)
	}
	return ^c.some[i]
}

// grown returns a bit set with room for a place.
func grown(bits []uint64, place uint32) []uint64 {
	if n := int(place/64) + 1; n > len(bits) {
		return longer(bits, n)
	}
	return bits
}
