package index

import (
	"sync/atomic"

	"muster/internal/kind"
)

// A texts column keeps a text of all records, as a code a record. Code 0 is null. Where there are too many values for that it
// keeps them as they are.
type texts struct {
	field  *kind.Field
	codes  vector
	values []value // by code
	byText map[string]uint16
	free   []uint16                 // codes that no record has any more
	order  atomic.Pointer[[]uint32] // of the values, by code, from 1; nil when it is not known
	plain  *plain                   // instead of all these
	off    bool                     // there is too much even for that
}

// A value is a text, and how many records have it.
type value struct {
	text    string
	records int
}

func newTexts(f *kind.Field) *texts {
	return &texts{field: f, values: make([]value, 1), byText: map[string]uint16{}}
}

// set sets the text of a place.
func (c *texts) set(place uint32, text []byte) {
	switch {
	case c.off:
		return
	case c.plain != nil:
		if c.off = !c.plain.set(place, text); c.off {
			c.plain = nil
		}
		return
	}
	was := uint16(c.codes.at(place))
	if c.values[was].text == string(text) {
		return
	}
	if was != 0 {
		c.drop(was)
	}
	code, ok := c.code(text)
	if !ok {
		c.spell()
		c.set(place, text)
		return
	}
	c.codes.set(place, uint64(code))
	if code != 0 {
		c.values[code].records++
	}
}

// spell makes the column a plain one.
func (c *texts) spell() {
	was := c.codes
	c.plain, c.codes = &plain{}, vector{}
	for place := range was.len() {
		c.set(uint32(place), []byte(c.values[was.get(place)].text))
	}
	c.values, c.byText, c.free = nil, nil, nil
	c.order.Store(nil)
}

// drop takes a record from a value, which may be the last.
func (c *texts) drop(code uint16) {
	v := &c.values[code]
	if v.records--; v.records == 0 {
		delete(c.byText, v.text)
		*v = value{}
		c.free = append(c.free, code)
		c.order.Store(nil)
	}
}

// code returns the code of a text, which may be new; not ok when there are too many.
func (c *texts) code(text []byte) (code uint16, ok bool) {
	if len(text) == 0 {
		return 0, true
	}
	if code, ok = c.byText[string(text)]; ok {
		return code, true
	}
	switch n := len(c.free); {
	case n > 0:
		code, c.free = c.free[n-1], c.free[:n-1]
	case len(c.values) > maxValues || c.field.Rare && len(c.values) > maxRare:
		return 0, false
	default:
		code = uint16(len(c.values))
		c.values = append(c.values, value{})
	}
	c.values[code].text = string(text)
	c.byText[c.values[code].text] = code
	c.order.Store(nil)
	return code, true
}

// at returns the text of a place.
func (c *texts) at(place uint32) string {
	if c.plain != nil {
		return c.plain.at(place)
	}
	return c.values[c.codes.at(place)].text
}

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
