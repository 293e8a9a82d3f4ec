package index

import (
	"math"
	"math/bits"
	"time"

	"muster/internal/kind"
)

// days are a condition on a text that follows from days and numbers of the record, or the order by it.
type days struct {
	cases []dayCase
	null  bool // records for which no case holds are wanted
}

// A dayCase is kind.DayCase with the columns that it looks at: a number that is in a range, or more than another.
type dayCase struct {
	text            string   // folded
	number          *numbers // nil for always
	than            *numbers
	least, greatest int64
	wanted          bool
}

// days returns the condition that a text passes one of some tests, not ok when the index does not keep what
// it follows from.
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

// bounds returns from what to what the day or number of a case is.
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

// among tells as bits which of some of the i-th 64 places are wanted.
func (d *days) among(i int, some uint64) (in uint64) {
	d.each(i, some, func(c *dayCase, places uint64) {
		if c == nil && d.null || c != nil && c.wanted {
			in |= places
		}
	})
	return in
}

// each tells for some of the i-th 64 places which case is the first that holds for them, nil for none.
func (d *days) each(i int, some uint64, tell func(c *dayCase, places uint64)) {
	for n := range d.cases {
		holds := some & d.cases[n].among(i, some)
		tell(&d.cases[n], holds)
		some &^= holds
	}
	tell(nil, some)
}

// among tells for which of some of the i-th 64 places the case holds, whatever others do.
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
