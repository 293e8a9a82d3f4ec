package index

import "muster/internal/kind"

// A numbers column keeps a number of all records: as a code, which is in the order of the numbers. Code 0 is null.
type numbers struct {
	field *kind.Field
	codes vector
	wide  bool // there are negative numbers, or very great ones
}

// most is the greatest number that is not wide.
const most = 1<<32 - 2

func (c *numbers) set(place uint32, n int64) {
	if !c.wide && n != Null && uint64(n) > most {
		c.widen()
	}
	c.codes.set(place, c.code(n))
}

// code returns the code of a number that fits.
func (c *numbers) code(n int64) uint64 {
	switch {
	case n == Null:
		return 0
	case c.wide:
		return uint64(n) ^ 1<<63
	}
	return uint64(n) + 1
}

// widen gives all numbers codes that any number has one of.
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

// within tells as bits which of the i-th 64 places have a number from least to greatest.
func (c *numbers) within(i int, least, greatest int64) uint64 {
	if least == Null { // a range that is open below
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

// nulls tells as bits which of the i-th 64 places have no number.
func (c *numbers) nulls(i int) uint64 { return c.codes.within(i, 0, 0) }

// grown returns bits with room for a place.
func grown(bits []uint64, place uint32) []uint64 {
	if n := int(place/64) + 1; n > len(bits) {
		return longer(bits, n)
	}
	return bits
}
