package index

import (
	"math"
	"math/bits"
	"time"

	"muster/internal/kind"
)

// days is a condition on, or an order by, a text that is derived from days and numbers of the record.
type days struct {
	cases []dayCase
	null  bool // records without a matching case pass
}

// A dayCase is a kind.DayCase with its columns: a number that is in a range, or greater than another.
type dayCase struct {
	text            string   // folded
	number          *numbers // nil for a case that always matches
	than            *numbers
	least, greatest int64
	wanted          bool
}

// days returns the condition that a text passes one of the tests. It is not ok when the index does not keep
// what the text is derived from.
func (x *Index) days(f *kind.Field, today time.Time, tests []test) (d *days, ok bool) {
	d = &days{null: fits(tests, "")}
	for _, k := range f.Days {
		c := dayCase{text: x.fold(k.Value)}
		c.wanted = fits(tests, c.text)
		if k.Field != nil {
			if c.number = x.number(k.Field); c.number == nil {
				return nil, false
			}
			c.least, c.greatest = bounds(k, today.Unix())
		}
		if k.Than != nil {
			if c.than = x.number(k.Than); c.than == nil {
				return nil, false
			}
		}
		d.cases = append(d.cases, c)
	}
	return d, true
}

// bounds returns the range of a case's day or number.
func bounds(k kind.DayCase, today int64) (least, greatest int64) {
	switch {
	case k.Than != nil:
		return Null, math.MaxInt64
	case k.Field.Type == kind.Integer:
		return k.Least, math.MaxInt64
	case k.Past:
		return Null, today - 1
	}
	return today + 1, math.MaxInt64
}

// among returns a bit set: which of some of the i-th 64 places pass.
func (d *days) among(i int, some uint64) (in uint64) {
	d.each(i, some, func(c *dayCase, places uint64) {
		if c == nil && d.null || c != nil && c.wanted {
			in |= places
		}
	})
	return in
}

// each calls visit for each case with the bit set of those of some of the i-th 64 places for which it is the
// first that matches, and with nil for the places without one.
func (d *days) each(i int, some uint64, visit func(c *dayCase, places uint64)) {
	for n := range d.cases {
		matched := some & d.cases[n].among(i, some)
		visit(&d.cases[n], matched)
		some &^= matched
	}
	visit(nil, some)
}

// among returns a bit set: for which of some of the i-th 64 places the case matches, ignoring the other cases.
func (c *dayCase) among(i int, some uint64) uint64 {
	if c.number == nil {
		return some
	}
	in := some & c.number.within(i, c.least, c.greatest)
	if c.than == nil {
		return in
	}
	for rest := in &^ c.than.nulls(i); rest != 0; rest &= rest - 1 {
		if place := uint32(i*64 + bits.TrailingZeros64(rest)); c.number.at(place) <= c.than.at(place) {
			in &^= rest & -rest
		}
	}
	return in &^ c.than.nulls(i)
}
