package index

import (
	"math/bits"
	"strings"

	"muster/internal/kind"
)

// A cond is a condition as the index tests it: one of its tests holds.
type cond struct {
	text   *texts
	number *numbers // of all but texts, nil for the id
	other  *numbers // looked at where number is null
	tests  []test
	either []cond // instead of all else: one of these holds
}

// A test is kind.Test with its text folded.
type test struct {
	kind.Test
	pieces []string
}

// holds reports whether the condition holds for a place.
func (c *cond) holds(place uint32) bool {
	for i := range c.either {
		if c.either[i].holds(place) {
			return true
		}
	}
	if c.text != nil {
		return c.fits(c.text.at(place))
	}
	return c.either == nil && c.admits(c.value(place))
}

// value returns the number that is tested.
func (c *cond) value(place uint32) int64 {
	if c.number == nil {
		return int64(place)
	}
	if n := c.number.at(place); n != Null || c.other == nil {
		return n
	}
	return c.other.at(place)
}

// fits reports whether a text passes one of the tests.
func (c *cond) fits(text string) bool {
	for i := range c.tests {
		t := &c.tests[i]
		if t.Null && text == "" || t.pieces != nil && text != "" && like(text, t.pieces) {
			return true
		}
	}
	return false
}

// admits reports whether a number passes one of the tests.
func (c *cond) admits(n int64) bool {
	for i := range c.tests {
		t := &c.tests[i]
		if t.Null && n == Null || t.Range && n != Null && t.Min <= n && n <= t.Max {
			return true
		}
	}
	return false
}

// like reports whether a text has the pieces, with anything between them.
func like(text string, pieces []string) bool {
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

// compile returns the conditions of a query, not ok when the index does not keep what one looks at.
func (x *Index) compile(q *kind.Query) (conds []cond, ok bool) {
	for i := range q.Conds {
		c, ok := x.cond(&q.Conds[i])
		if !ok {
			return nil, false
		}
		conds = append(conds, c)
	}
	if len(q.Either) == 0 {
		return conds, true
	}
	var any cond
	for i := range q.Either {
		c, ok := x.cond(&q.Either[i])
		if !ok {
			return nil, false
		}
		any.either = append(any.either, c)
	}
	return append(conds, any), true
}

func (x *Index) cond(k *kind.Cond) (c cond, ok bool) {
	if beside(*k) {
		return c, false
	}
	for _, t := range k.Any {
		own := test{Test: t}
		for _, piece := range t.Text {
			own.pieces = append(own.pieces, x.fold(piece))
		}
		c.tests = append(c.tests, own)
	}
	if k.Field.Type == kind.ID {
		return c, true
	}
	for _, column := range x.texts {
		if column.field == k.Field {
			c.text = column
			return c, !column.off
		}
	}
	if c.number = x.column(k.Field); c.number == nil || c.named() {
		return c, false
	}
	if k.Else != nil {
		c.other = x.column(k.Else)
		return c, c.other != nil
	}
	return c, true
}

// named reports whether a test is for a name, as that of a person who is referred to.
func (c *cond) named() bool {
	for i := range c.tests {
		if c.tests[i].pieces != nil {
			return true
		}
	}
	return false
}

// column returns the column of a number.
func (x *Index) column(f *kind.Field) *numbers {
	for _, c := range x.numbers {
		if c.field == f {
			return c
		}
	}
	return nil
}

// scans reports whether the condition must look at each record.
func (c *cond) scans() bool { return c.text == nil }

// and takes the places out of a set for which the condition does not hold. It may use room for its work.
func (c *cond) and(set, room []uint64) {
	if c.isRange() {
		c.andRange(set)
		return
	}
	if c.scans() {
		for i, word := range set {
			for rest := word; rest != 0; rest &= rest - 1 {
				low := rest & -rest
				if !c.holds(uint32(i*64) + uint32(bits.TrailingZeros64(low))) {
					set[i] &^= low
				}
			}
		}
		return
	}
	clear(room)
	null := false
	for i := range c.tests {
		t := &c.tests[i]
		null = null || t.Null
		if len(t.pieces) == 1 {
			if code, ok := c.text.byText[t.pieces[0]]; ok {
				c.text.values[code].or(room)
			}
		} else if t.pieces != nil {
			c.orLike(room, t.pieces)
		}
	}
	if null {
		c.orNull(room)
	}
	for i := range set {
		set[i] &= room[i]
	}
}

// isRange reports whether the condition is that a number is in one range, as that of a time is.
func (c *cond) isRange() bool { return c.number != nil && len(c.tests) == 1 && c.tests[0].Range }

// andRange is and of such a condition, which looks at millions of numbers: 64 in a row without a call.
func (c *cond) andRange(set []uint64) {
	low, span := c.tests[0].Min, uint64(c.tests[0].Max)-uint64(c.tests[0].Min)
	if low == Null { // a range that is open below
		low, span = Null+1, span-1
	}
	for i, word := range set {
		if word == 0 {
			continue
		}
		first := i * 64
		var in uint64
		for bit, n := range c.number.all[min(first, len(c.number.all)):min(first+64, len(c.number.all))] {
			if n == Null && c.other != nil {
				n = c.other.at(uint32(first + bit))
			}
			if uint64(n)-uint64(low) <= span {
				in |= 1 << bit
			}
		}
		set[i] = word & in
	}
}

// orLike adds the places whose text has the pieces.
func (c *cond) orLike(bits []uint64, pieces []string) {
	for code := range c.text.values {
		if v := &c.text.values[code]; v.n > 0 && like(v.text, pieces) {
			v.or(bits)
		}
	}
}

// orNull adds the places without a text, and such as have no record.
func (c *cond) orNull(bits []uint64) {
	for i := range bits {
		var some uint64
		for bit := range 64 {
			if place := i*64 + bit; place < len(c.text.codes) && c.text.codes[place] != 0 {
				some |= 1 << bit
			}
		}
		bits[i] |= ^some
	}
}
