package index

import (
	"hash/maphash"
	"strings"
	"sync/atomic"

	"muster/internal/kind"
)

// A texts column keeps a text of all records, as a code a record. Code 0 is null. There are tens of thousands
// of values in all, so nothing of them is a pointer that the collector of memory would have to follow. Where
// there are too many values for codes it keeps them as they are.
type texts struct {
	field   *kind.Field
	codes   vector
	values  []value         // by code
	letters strings.Builder // of all values, one after the other, with gaps of those that no record has any more
	gaps    int             // bytes of these
	seed    maphash.Seed
	byHash  map[uint64]uint16
	recent  [256]uint16              // codes that were asked for, by a part of the text: most records have one of few
	free    []uint16                 // codes that no record has any more
	order   atomic.Pointer[[]uint32] // of the values, by code, from 1; nil when it is not known
	plain   *plain                   // instead of all these
	off     bool                     // there is too much even for that
}

// A value is where a text is, and how many records have it.
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

// find returns the code of a text that records have.
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

// spell makes the column a plain one.
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

// drop takes a record from a value, which may be the last.
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

// closeGaps writes the texts of all values anew. Whoever still holds a text of before keeps the old ones.
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

// maxLetters is how many bytes the texts of a column may take, gaps included.
const maxLetters = 1 << 30

// code returns the code of a text, which may be new; not ok when there are too many, or in the rare case that
// another has the same hash.
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

// spot returns where the code of a text is among the recent ones.
func spot(text []byte) uint8 {
	n := len(text)
	return uint8(n)*31 ^ text[0]*7 ^ text[n/2]*5 ^ text[n-1]*3
}
