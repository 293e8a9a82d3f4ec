package index

import (
	"hash/maphash"
	"strings"
	"sync/atomic"

	"muster/internal/kind"
)

// A texts column keeps a text for each record, as a code. Code 0 is null. Since all columns together have tens
// of thousands of values, it avoids pointers, which the garbage collector would have to follow. With too many
// values it becomes a plain column.
type texts struct {
	field   *kind.Field
	codes   vector
	values  []value         // by code
	letters strings.Builder // of all values, one after the other, with gaps left by removed ones
	gaps    int             // bytes in gaps
	seed    maphash.Seed
	byHash  map[uint64]uint16
	recent  [256]uint16              // cache of codes by a hash of the text, since most records have one of a few
	free    []uint16                 // codes that are free
	order   atomic.Pointer[[]uint32] // ranks of the values by code, from 1; nil when they are not known
	plain   *plain                   // instead of all these
	off     bool                     // the texts exceed even its limits
}

// A value is the position of a text, and the number of records with it.
type value struct{ start, end, records uint32 }

func newTexts(f *kind.Field) *texts {
	return &texts{field: f, values: make([]value, 1), seed: maphash.MakeSeed(), byHash: map[uint64]uint16{}}
}

// text returns the text of a code.
func (c *texts) text(code uint16) string {
	v := c.values[code]
	return c.letters.String()[v.start:v.end]
}

// at returns the text of a place.
func (c *texts) at(place uint32) string {
	if c.plain != nil {
		return c.plain.at(place)
	}
	return c.text(uint16(c.codes.at(place)))
}

// find returns the code of a text that some record has.
func (c *texts) find(text string) (code uint16, ok bool) {
	code, ok = c.byHash[maphash.String(c.seed, text)]
	return code, ok && c.text(code) == text
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
	if c.text(was) == string(text) {
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

// spell converts the column to a plain one.
func (c *texts) spell() {
	was := c.codes
	c.plain, c.codes = &plain{}, vector{}
	for place := range was.len() {
		c.set(uint32(place), []byte(c.text(uint16(was.get(place)))))
	}
	c.values, c.byHash, c.free = nil, nil, nil
	c.letters.Reset()
	c.order.Store(nil)
}

// drop removes a record from a value, which may be the last one.
func (c *texts) drop(code uint16) {
	v := &c.values[code]
	if v.records--; v.records > 0 {
		return
	}
	delete(c.byHash, maphash.String(c.seed, c.text(code)))
	c.gaps += int(v.end - v.start)
	*v = value{}
	c.free = append(c.free, code)
	c.order.Store(nil)
	if c.gaps > 1<<12 && c.gaps > c.letters.Len()/2 {
		c.closeGaps()
	}
}

// closeGaps rewrites the texts of all values. Strings that others still use keep the old memory alive.
func (c *texts) closeGaps() {
	old := c.letters.String()
	c.letters, c.gaps = strings.Builder{}, 0
	c.letters.Grow(len(old))
	for code := range c.values {
		v := &c.values[code]
		text := old[v.start:v.end]
		v.start = uint32(c.letters.Len())
		c.letters.WriteString(text)
		v.end = uint32(c.letters.Len())
	}
}

// maxLetters is the limit for the bytes of a column's texts, gaps included.
const maxLetters = 1 << 30

// code returns the code of a text, and adds one if necessary. It is not ok when there are too many, or in the
// rare case of a hash collision.
func (c *texts) code(text []byte) (code uint16, ok bool) {
	if len(text) == 0 {
		return 0, true
	}
	recent := &c.recent[spot(text)]
	if int(*recent) < len(c.values) && c.text(*recent) == string(text) {
		return *recent, true
	}
	hash := maphash.Bytes(c.seed, text)
	if code, ok = c.byHash[hash]; ok {
		*recent = code
		return code, c.text(code) == string(text)
	}
	start := c.letters.Len()
	if start+len(text) > maxLetters {
		return 0, false
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
	c.letters.Write(text)
	c.values[code] = value{start: uint32(start), end: uint32(c.letters.Len())}
	c.byHash[hash] = code
	c.order.Store(nil)
	return code, true
}

// spot returns the position of a text in recent.
func spot(text []byte) uint8 {
	n := len(text)
	return uint8(n)*31 ^ text[0]*7 ^ text[n/2]*5 ^ text[n-1]*3
}
