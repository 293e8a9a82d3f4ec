package index

import (
	"slices"
	"time"

	"muster/internal/kind"
)

// compile returns the compiled conditions of a query. It is not ok when the index does not keep what one needs.
func (x *Index) compile(q *kind.Query) (conds []cond, ok bool) {
	for i := range q.Conds {
		c, ok := x.cond(&q.Conds[i], q.Today)
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
		c, ok := x.cond(&q.Either[i], q.Today)
		if !ok {
			return nil, false
		}
		any.either = append(any.either, c)
	}
	return append(conds, any), true
}

// cond returns a compiled condition.
func (x *Index) cond(k *kind.Cond, today time.Time) (c cond, ok bool) {
	if !x.keepsCond(k) {
		return c, false
	}
	for _, t := range k.Any {
		own := test{Test: t}
		for _, piece := range t.Text {
			own.pieces = append(own.pieces, x.fold(piece))
			if last := own.pieces[len(own.pieces)-1]; len(last) > len(own.longest) {
				own.longest = last
			}
		}
		c.tests = append(c.tests, own)
	}
	switch {
	case k.Field.Type == kind.ID:
		c.ids = &x.ids
		return c, true
	case k.Field.Days != nil:
		c.days, ok = x.days(k.Field, today, c.tests)
		return c, ok
	case k.Field.Type == kind.Text:
		c.text = x.text(k.Field)
		return c, true
	}
	c.number = x.number(k.Field)
	if k.Else != nil {
		c.other = x.number(k.Else)
	}
	if asksForNames(k) {
		c.names = x.refers[k.Field].named(c.tests)
	}
	return c, true
}

// text returns the column of a text, nil when there is none.
func (x *Index) text(f *kind.Field) *texts {
	for _, c := range x.texts {
		if c.field == f {
			return c
		}
	}
	return nil
}

// number returns the column of a number, nil when there is none.
func (x *Index) number(f *kind.Field) *numbers {
	if x.kind.Chained && f.Name == "updated-at" {
		f = x.kind.Field("created-at") // whose value is the same
	}
	for _, c := range x.numbers {
		if c.field == f {
			return c
		}
	}
	return nil
}

// looksAt reports whether the condition uses a column of texts.
func (c *cond) looksAt(column *texts) bool {
	return c.text == column || slices.ContainsFunc(c.either, func(one cond) bool { return one.looksAt(column) })
}

// stale reports whether referred names have changed since the condition was compiled.
func (c *cond) stale() bool {
	return c.names != nil && c.names.stale() ||
		slices.ContainsFunc(c.either, func(one cond) bool { return one.stale() })
}
