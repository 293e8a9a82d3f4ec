package index

import (
	"slices"

	"muster/internal/kind"
)

// Fit reports whether the index keeps all that a query needs, except for one of its conditions (-1 for none);
// and whether the database's own index of a rare text serves the query as well. It does for a query for values
// of that text alone, and for all records in its order unless counting them is slow. The index here would test
// each record.
func (x *Index) Fit(q *kind.Query, except int) (keeps, rare bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.keeps(q, except), x.isServedByTables(q)
}

// KeepsValues reports whether the index can count the values of a field.
func (x *Index) KeepsValues(f *kind.Field) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	c := x.text(f)
	return f.Type != kind.ID && f.Targets == nil && !f.InTie && x.keepsField(f) && (c == nil || c.plain == nil)
}

// keeps reports whether the index keeps all that a query needs, except for one of its conditions.
func (x *Index) keeps(q *kind.Query, except int) bool {
	if x.off || isSorted(q) && !x.keepsOrder(q.Sort) {
		return false
	}
	for i := range q.Conds {
		if i != except && !x.keepsCond(&q.Conds[i]) {
			return false
		}
	}
	for i := range q.Either {
		if !x.keepsCond(&q.Either[i]) {
			return false
		}
	}
	return true
}

// keepsCond reports whether the index keeps what a condition needs.
func (x *Index) keepsCond(c *kind.Cond) bool {
	if c.In != nil || c.Target != nil || c.Field.Targets != nil { // a value of another table
		return false
	}
	if c.Field.Type == kind.ID {
		return true
	}
	if asksForNames(c) && x.refers[c.Field] == nil {
		return false
	}
	return x.keepsField(c.Field) && (c.Else == nil || x.number(c.Else) != nil)
}

// keepsOrder reports whether the index keeps what an order needs.
func (x *Index) keepsOrder(f *kind.Field) bool {
	if f.InTie || !x.keepsField(f) {
		return false
	}
	return f.Type != kind.PersonRef && f.Type != kind.RecordRef || x.refers[f] != nil && !x.number(f).wide
}

// keepsField reports whether the index keeps the values of a field, or what they are derived from.
func (x *Index) keepsField(f *kind.Field) bool {
	if f.Days != nil {
		return !slices.ContainsFunc(f.Days, func(c kind.DayCase) bool {
			return c.Field != nil && x.number(c.Field) == nil || c.Than != nil && x.number(c.Than) == nil
		})
	}
	if f.Type == kind.Text {
		c := x.text(f)
		return c != nil && !c.off
	}
	return x.number(f) != nil
}

// asksForNames reports whether a condition on a reference matches records by their names.
func asksForNames(c *kind.Cond) bool {
	return c.Field.Type != kind.Text && slices.ContainsFunc(c.Any, func(t kind.Test) bool { return t.Text != nil })
}

// mostSkipped is up to how many records a database's own index is read through for a page.
const mostSkipped = 1000

// isServedByTables returns the second result of Fit.
func (x *Index) isServedByTables(q *kind.Query) bool {
	switch {
	case len(q.Either) > 0 || len(q.Conds) > 1:
		return false
	case len(q.Conds) == 0:
		return !x.CountIsSlow && isSorted(q) && x.isRare(q.Sort) && q.Page*q.PerPage <= mostSkipped
	}
	part := func(t kind.Test) bool { return !t.Whole() }
	return !isSorted(q) && x.isRare(q.Conds[0].Field) && !slices.ContainsFunc(q.Conds[0].Any, part)
}

// isRare reports whether a text is declared rare, and nearly every record has a different value.
func (x *Index) isRare(f *kind.Field) bool {
	c := x.text(f)
	return c != nil && c.plain != nil && f.Rare
}

func isSorted(q *kind.Query) bool { return q.Sort != nil && q.Sort.Type != kind.ID }
