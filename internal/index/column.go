package index

import (
	"slices"

	"muster/internal/kind"
)

// A texts column keeps a text of all records: as a code a record, and the places of each value. Code 0 is null.
type texts struct {
	field  *kind.Field
	codes  []uint16 // by place
	values []value  // by code
	byText map[string]uint16
	free   []uint16 // codes that no record has any more
	off    bool     // there are too many values
}

// A value is a text and the places that have it.
type value struct {
	text string
	places
}

func newTexts(f *kind.Field) *texts {
	return &texts{field: f, values: make([]value, 1), byText: map[string]uint16{}}
}

// set sets the text of a place.
func (c *texts) set(place uint32, text string) {
	if c.off {
		return
	}
	if int(place) >= len(c.codes) {
		c.codes = slices.Grow(c.codes, int(place)+1-len(c.codes))[:place+1]
	}
	was := c.codes[place]
	if c.values[was].text == text {
		return
	}
	if was != 0 {
		c.drop(was, place)
	}
	code, ok := c.code(text)
	if !ok {
		*c = texts{field: c.field, off: true}
		return
	}
	c.codes[place] = code
	if code != 0 {
		c.values[code].add(place)
	}
}

// drop takes a place from a value, which may be the last.
func (c *texts) drop(code uint16, place uint32) {
	v := &c.values[code]
	if v.remove(place); v.n == 0 {
		delete(c.byText, v.text)
		*v = value{}
		c.free = append(c.free, code)
	}
}

// code returns the code of a text, which may be new; not ok when there are too many.
func (c *texts) code(text string) (code uint16, ok bool) {
	if text == "" {
		return 0, true
	}
	if code, ok = c.byText[text]; ok {
		return code, true
	}
	switch n := len(c.free); {
	case n > 0:
		code, c.free = c.free[n-1], c.free[:n-1]
	case len(c.values) > maxValues:
		return 0, false
	default:
		code = uint16(len(c.values))
		c.values = append(c.values, value{})
	}
	c.values[code].text, c.byText[text] = text, code
	return code, true
}

// at returns the text of a place.
func (c *texts) at(place uint32) string {
	if int(place) >= len(c.codes) {
		return ""
	}
	return c.values[c.codes[place]].text
}

// A numbers column keeps a number of all records.
type numbers struct {
	field *kind.Field
	all   []int64 // by place
}

func (c *numbers) set(place uint32, n int64) {
	for int(place) >= len(c.all) {
		c.all = append(c.all, Null)
	}
	c.all[place] = n
}

// at returns the number of a place.
func (c *numbers) at(place uint32) int64 {
	if int(place) >= len(c.all) {
		return Null
	}
	return c.all[place]
}

// places are the records that have a value: few in a list in order, many as bits.
type places struct {
	n    int
	list []uint32
	bits []uint64 // nil while there are few
}

// Few is up to one in so many, as long as that is not next to nothing.
const (
	oneIn = 32
	few   = 1024
)

func (p *places) add(place uint32) {
	p.n++
	if p.bits != nil {
		p.bits = grown(p.bits, place)
		p.bits[place/64] |= 1 << (place % 64)
		return
	}
	at := len(p.list)
	if at > 0 && p.list[at-1] > place {
		at, _ = slices.BinarySearch(p.list, place)
	}
	p.list = slices.Insert(p.list, at, place)
	if p.n > few && p.n > int(p.list[len(p.list)-1])/oneIn {
		for _, place := range p.list {
			p.bits = grown(p.bits, place)
			p.bits[place/64] |= 1 << (place % 64)
		}
		p.list = nil
	}
}

// remove takes a place away that is there. Bits stay bits.
func (p *places) remove(place uint32) {
	p.n--
	if p.bits != nil {
		p.bits[place/64] &^= 1 << (place % 64)
		return
	}
	at, _ := slices.BinarySearch(p.list, place)
	p.list = slices.Delete(p.list, at, at+1)
}

// grown returns bits with room for a place.
func grown(bits []uint64, place uint32) []uint64 {
	if n := int(place/64) + 1; n > len(bits) {
		bits = slices.Grow(bits, n-len(bits))
		clear(bits[len(bits):n])
		return bits[:n]
	}
	return bits
}

// or adds the places to bits, which have room for them.
func (p *places) or(bits []uint64) {
	for i, word := range p.bits {
		bits[i] |= word
	}
	for _, place := range p.list {
		bits[place/64] |= 1 << (place % 64)
	}
}
