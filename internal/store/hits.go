package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"muster/internal/index"
	"muster/internal/kind"
	"muster/internal/store/mapping"
)

// Hits returns the records that the index has found for a query, in their order. It is not ok when one of them
// has changed since, so that the page may be outdated.
func (tx *Tx) Hits(ctx context.Context, k *kind.Schema, q *kind.Query,
	hits []index.Hit) (recs []any, ok bool, err error) {
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	recs, err = tx.rowsOf(ctx, k, q, ids)
	if err != nil || len(recs) != len(hits) {
		return nil, false, err
	}
	for i, rec := range recs {
		if k.Meta(rec).Version != hits[i].Version || !stillMatches(k, q, rec) {
			return nil, false, nil
		}
	}
	return recs, stillSorted(k, q, recs), nil
}

// hitsAtOnce is how many records EachHits reads at once.
const hitsAtOnce = 100

// EachHits is Hits in steps, so that the records of a long page are not all in memory at once. When it returns
// not ok, the records that were passed before must be discarded.
func (tx *Tx) EachHits(ctx context.Context, k *kind.Schema, q *kind.Query, hits []index.Hit,
	each func(recs []any) error) (ok bool, err error) {
	var last any // the last record of the step before
	for some := range slices.Chunk(hits, hitsAtOnce) {
		recs, ok, err := tx.Hits(ctx, k, q, some)
		if err != nil || !ok || last != nil && !stillSorted(k, q, []any{last, recs[0]}) {
			return false, err
		}
		last = k.Copy(recs[len(recs)-1]) // as it was before somebody changes it
		if err := each(recs); err != nil {
			return false, err
		}
	}
	return true, nil
}

// stillMatches reports whether fields that change without the record's version still match the query: apart
// fields, and names of referred records.
func stillMatches(k *kind.Schema, q *kind.Query, rec any) bool {
	v := k.Values(rec)
	return !slices.ContainsFunc(q.Conds, func(c kind.Cond) bool {
		switch {
		case c.Field.Apart:
			return !apartMatches(v, &c)
		case mapping.ShownColumns(c.Field) != nil:
			return !nameMatches(v, &c)
		}
		return false
	})
}

func apartMatches(v kind.Values, c *kind.Cond) bool {
	at := *v.Time(c.Field)
	if at.IsZero() && c.Else != nil {
		at = *v.Time(c.Else)
	}
	return slices.ContainsFunc(c.Any, func(t kind.Test) bool {
		return t.Null && at.IsZero() || t.Range && !at.IsZero() && t.Min <= at.Unix() && at.Unix() <= t.Max
	})
}

func nameMatches(v kind.Values, c *kind.Cond) bool {
	names := shownNames(v, c.Field)
	return slices.ContainsFunc(c.Any, func(t kind.Test) bool {
		var pieces []string
		for _, piece := range t.Text {
			pieces = append(pieces, mapping.Fold(piece))
		}
		return pieces == nil ||
			slices.ContainsFunc(names, func(name string) bool { return name != "" && index.Like(name, pieces) })
	})
}

// shownNames returns the folded names of the record that a field refers to; lists are sorted by the last one.
func shownNames(v kind.Values, f *kind.Field) []string {
	if f.Type == kind.PersonRef {
		return []string{mapping.Fold(v.Person(f).Email), mapping.Fold(v.Person(f).Name)}
	}
	return []string{mapping.Fold(v.Ref(f).Name)}
}

// stillSorted reports whether records are in the order of the query, which may depend on values that change
// without their versions.
func stillSorted(k *kind.Schema, q *kind.Query, recs []any) bool {
	if q.Sort == nil || !q.Sort.Apart && mapping.ShownColumns(q.Sort) == nil {
		return true
	}
	return slices.IsSortedFunc(recs, func(a, b any) int {
		nullA, textA, timeA := sortKey(k.Values(a), q.Sort)
		nullB, textB, timeB := sortKey(k.Values(b), q.Sort)
		switch order := cmp.Or(strings.Compare(textA, textB), timeA.Compare(timeB)); {
		case nullA && nullB:
			return 0
		case nullA:
			return 1
		case nullB:
			return -1
		case q.Desc:
			return -order
		default:
			return order
		}
	})
}

// sortKey returns the value that a record is sorted by: the name of a referred record or a time.
func sortKey(v kind.Values, f *kind.Field) (null bool, text string, at time.Time) {
	if mapping.ShownColumns(f) != nil {
		names := shownNames(v, f)
		text = names[len(names)-1]
		return text == "", text, at
	}
	at = *v.Time(f)
	return at.IsZero(), "", at
}
