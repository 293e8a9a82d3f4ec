package index

import (
	"cmp"
	"slices"
	"strings"

	"muster/internal/kind"
)

// A Count is a value of a field and how many records of a list have it.
type Count struct {
	Text    string // folded value of a text; "" is null
	Number  int64  // value of other fields; Null is null
	Records int
	First   int64 // the lowest id of these records
}

// Counts returns the values of a field among the records that match a query, with the number of records for
// each: the most frequent first, and at most wanted. It is not ok when the index cannot answer.
func (x *Index) Counts(q *kind.Query, f *kind.Field, wanted int) (counts []Count, ok bool) {
	return x.counts(q, f, wanted, func(v *view) *view { return v })
}

// CountsAmong is Counts restricted to the records with the given ids.
func (x *Index) CountsAmong(q *kind.Query, f *kind.Field, wanted int, ids []int64) (counts []Count, ok bool) {
	return x.counts(q, f, wanted, func(v *view) *view { return x.among(v, ids) })
}

// counts is Counts for a part of a query's view.
func (x *Index) counts(q *kind.Query, f *kind.Field, wanted int, part func(*view) *view) (counts []Count, ok bool) {
	if f.Type == kind.ID || f.Targets != nil || f.InTie {
		return nil, false
	}
	ok = x.look(q, func(v *view) bool {
		k, value, ok := x.valued(f, q)
		if !ok {
			return false
		}
		for _, t := range x.tally(v, part(v), f, &k) {
			c := Count{Records: t.n, First: x.ids.at(t.first)}
			c.Text, c.Number = value(t.code)
			counts = append(counts, c)
		}
		return true
	})
	slices.SortFunc(counts, func(a, b Count) int { return cmp.Or(b.Records-a.Records, compareValues(a, b)) })
	return counts[:min(wanted, len(counts))], ok
}

// compareValues compares two values in the order of the database, null last.
func compareValues(a, b Count) int {
	null := func(c Count) int {
		if c.Text == "" && c.Number == Null {
			return 1
		}
		return 0
	}
	return cmp.Or(null(a)-null(b), strings.Compare(a.Text, b.Text), cmp.Compare(a.Number, b.Number))
}

// valued returns the codes of a field's values, and a function from code to value.
func (x *Index) valued(f *kind.Field, q *kind.Query) (k keys, value func(code uint64) (string, int64), ok bool) {
	if f.Days != nil {
		if k.days, ok = x.days(f, q.Today, nil); !ok {
			return k, nil, false
		}
		order := k.days.ranks()
		k.ranks = order
		return k, func(rank uint64) (string, int64) {
			if rank == 0 {
				return "", Null
			}
			return k.days.cases[slices.Index(order, uint32(rank))-1].text, Null
		}, true
	}
	if f.Type == kind.Text {
		c := x.text(f)
		if c == nil || c.off || c.plain != nil {
			return k, nil, false
		}
		k.codes = &c.codes
		return k, func(code uint64) (string, int64) { return strings.Clone(c.text(uint16(code))), Null }, true
	}
	c := x.number(f)
	if c == nil {
		return k, nil, false
	}
	k.codes = &c.codes
	return k, func(code uint64) (string, int64) { return "", c.number(code) }, true
}
