package index

import (
	"math/bits"
	"slices"
	"strings"

	"muster/internal/kind"
)

// A cond is a compiled condition. It holds if one of its tests passes.
type cond struct {
	text   *texts
	number *numbers // for all but texts
	other  *numbers // used where number is null
	ids    *ids     // for a condition on the id
	days   *days    // for a text that is derived from others
	names  *named   // for a reference by name
	tests  []test
	either []cond // alternatives, instead of all else
}

// A test is kind.Test with its text folded.
type test struct {
	kind.Test
	pieces  []string
	longest string // longest of the pieces
}

// matches reports whether the condition holds for a place.
func (c *cond) matches(place uint32) bool {
	for i := range c.either {
		if c.either[i].matches(place) {
			return true
		}
	}
	if c.text != nil {
		return fits(c.tests, c.text.at(place))
	}
	return c.either == nil && c.among(int(place/64), 1<<(place%64)) != 0
}

// among returns a bit set: for which of some of the i-th 64 places the condition holds. It is for all
// conditions but texts.
func (c *cond) among(i int, some uint64) (in uint64) {
	switch {
	case c.days != nil:
		return c.days.among(i, some)
	case c.ids != nil:
		return c.identified(i, some)
	case c.names != nil:
		in = c.names.among(c.number, i, some)
	}
	for t := range c.tests {
		in |= c.tests[t].among(c.number, i)
	}
	if c.other != nil {
		in |= c.instead(i, some)
	}
	return some & in
}

// instead returns a bit set: for which of some of the i-th 64 places number is null and other passes.
func (c *cond) instead(i int, some uint64) (in uint64) {
	nulls := some & c.number.nulls(i)
	if bits.OnesCount64(nulls) > fewNulls {
		for t := range c.tests {
			in |= nulls & c.tests[t].among(c.other, i)
		}
		return in
	}
	for ; nulls != 0; nulls &= nulls - 1 {
		if passes(c.tests, c.other.at(uint32(i*64+bits.TrailingZeros64(nulls)))) {
			in |= nulls & -nulls
		}
	}
	return in
}

// fewNulls is the number of places up to which they are tested one by one.
const fewNulls = 8

// passes reports whether a number passes one of the tests.
func passes(tests []test, n int64) bool {
	for i := range tests {
		if t := &tests[i]; n == Null && t.Null || n != Null && t.Range && t.Min <= n && n <= t.Max {
			return true
		}
	}
	return false
}

// among returns a bit set: for which of the i-th 64 places the number passes the test.
func (t *test) among(c *numbers, i int) uint64 {
	switch {
	case t.Null:
		return c.nulls(i)
	case t.Range:
		return c.within(i, t.Min, t.Max)
	}
	return 0
}

// identified returns a bit set: which of some of the i-th 64 places have an id that passes.
func (c *cond) identified(i int, some uint64) (in uint64) {
	for rest := some; rest != 0; rest &= rest - 1 {
		id := c.ids.at(uint32(i*64 + bits.TrailingZeros64(rest)))
		if passes(c.tests, id) {
			in |= rest & -rest
		}
	}
	return in
}

// fits reports whether a text passes one of the tests.
func fits(tests []test, text string) bool {
	for i := range tests {
		t := &tests[i]
		if t.Null && text == "" || t.pieces != nil && text != "" && Like(text, t.pieces) {
			return true
		}
	}
	return false
}

// Like reports whether a text consists of the pieces of a kind.Test, with anything between them. Both must be
// folded.
func Like(text string, pieces []string) bool {
	last := len(pieces) - 1
	if last == 0 {
		return text == pieces[0]
	}
	text, ok := strings.CutPrefix(text, pieces[0])
	for _, piece := range pieces[1:last] {
		if !ok {
			return false
		}
		_, text, ok = strings.Cut(text, piece)
	}
	return ok && strings.HasSuffix(text, pieces[last])
}

// scans reports whether the condition must test each record.
func (c *cond) scans() bool { return c.text == nil }

// and removes the places from a set for which the condition does not hold. room is scratch memory.
func (c *cond) and(set, room []uint64) {
	clear(room)
	c.or(set, room)
	for i := range set {
		set[i] &= room[i]
	}
}

// or adds the places for which the condition holds to another set. Places outside of set may or may not be
// added.
func (c *cond) or(set, to []uint64) {
	for i := range c.either {
		c.either[i].or(set, to)
	}
	switch {
	case c.either != nil:
	case c.text != nil:
		c.orText(set, to)
	case c.ids != nil:
		c.orIDs(to)
	default:
		for i, some := range set {
			if some != 0 {
				to[i] |= c.among(i, some)
			}
		}
	}
}

// orIDs is or for an id: the places of a range of ids are one range.
func (c *cond) orIDs(to []uint64) {
	for i := range c.tests {
		t := &c.tests[i]
		if !t.Range || t.Max < 0 {
			continue
		}
		place, end := c.ids.upTo(max(t.Min, 0)-1), min(c.ids.upTo(t.Max), 64*len(to))
		for place < end {
			if place%64 == 0 && place+64 <= end {
				to[place/64] = ^uint64(0)
				place += 64
				continue
			}
			to[place/64] |= 1 << (place % 64)
			place++
		}
	}
}

// orText is or for a text: it searches for the codes of the values that pass.
func (c *cond) orText(set, to []uint64) {
	if c.text.plain != nil {
		c.orPlain(set, to)
		return
	}
	codes := c.codes()
	if len(codes) > fewCodes {
		c.orMany(codes, set, to)
		return
	}
	for _, code := range codes {
		c.text.codes.orEqual(code, set, to)
	}
}

// orPlain is or for a plain column.
func (c *cond) orPlain(set, to []uint64) {
	var loaded [64]string
	for i, some := range set {
		if some == 0 {
			continue
		}
		block := c.text.plain.block(i)
		if !mayFit(c.tests, block) {
			continue
		}
		spread(block, &loaded)
		for ; some != 0; some &= some - 1 {
			if bit := bits.TrailingZeros64(some); fits(c.tests, loaded[bit]) {
				to[i] |= 1 << bit
			}
		}
	}
}

// mayFit reports whether a text in a block may pass one of the tests, since the block contains a piece of it.
func mayFit(tests []test, block string) bool {
	return slices.ContainsFunc(tests,
		func(t test) bool { return t.pieces == nil || strings.Contains(block, t.longest) })
}

// fewCodes is the number of codes up to which they are searched one after the other.
const fewCodes = 6

// orMany tests the code of each place.
func (c *cond) orMany(codes []uint64, set, to []uint64) {
	wanted := make([]uint8, len(c.text.values))
	for _, code := range codes {
		wanted[code] = 1
	}
	var loaded [64]uint64
	for i, some := range set {
		if some == 0 {
			continue
		}
		c.text.codes.load(i, &loaded)
		for bit, code := range &loaded {
			to[i] |= uint64(wanted[code]) << (bit & 63)
		}
	}
}

// codes returns the codes of the values that pass one of the tests.
func (c *cond) codes() (codes []uint64) {
	if fits(c.tests, "") {
		codes = append(codes, 0)
	}
	if !slices.ContainsFunc(c.tests, func(t test) bool { return len(t.pieces) > 1 }) {
		for i := range c.tests {
			if t := &c.tests[i]; t.pieces != nil {
				if code, ok := c.text.find(t.pieces[0]); ok && !slices.Contains(codes, uint64(code)) {
					codes = append(codes, uint64(code))
				}
			}
		}
		return codes
	}
	for code := range c.text.values {
		if code > 0 && c.text.values[code].records > 0 && fits(c.tests, c.text.text(uint16(code))) {
			codes = append(codes, uint64(code))
		}
	}
	return codes
}
