package result

import (
	"fmt"
	"slices"
	"strings"
)

// flatWithin is how many times its cost at any smaller size a page may take at any larger one.
//
// All pairs of sizes count: a page that costs more at the third of four sizes than at the first has grown, whatever the
// fourth is, and a smallest size that was measured too slow hides nothing. A line through all sizes would hide both.
// The worst of so many pairs has more noise in it than one pair, which alone makes up to 1.3; hence 1.5.
//
// Pages of different lengths, by more than sameLength, are not compared: a filter may find less than a page among few
// computers.
const (
	flatWithin = 1.5
	sameLength = 1.25
)

// A trend is an operation on databases of several sizes.
type trend struct {
	name  string
	sizes []*Comparison // as the run's sizes, smallest first, nil where it was not measured
}

// trends returns the operations on databases, in the order of the run.
func (r *Run) trends() (all []*trend) {
	byName := map[string]*trend{}
	for _, c := range r.Comparisons {
		i := slices.Index(r.Sizes, c.Computers)
		if i < 0 {
			continue
		}
		name := c.withoutSize()
		t := byName[name+c.Rival]
		if t == nil {
			t = &trend{name, make([]*Comparison, len(r.Sizes))}
			byName[name+c.Rival], all = t, append(all, t)
		}
		t.sizes[i] = c
	}
	return all
}

// withoutSize returns the name without the size of the database.
func (c *Comparison) withoutSize() string {
	return strings.Replace(c.Name, fmt.Sprintf(" %d ", c.Computers), " ", 1)
}

// A rise is an operation at a size and at a larger one.
type rise struct{ from, to *Comparison }

// factor returns how many times its cost at the smaller size it costs at the larger one, each in times of the rival's;
// 0 when one was not measured, or the answers are not alike.
func (r rise) factor() float64 {
	if r.from == nil || r.to == nil || r.from.Times() == 0 || !r.isAlike() {
		return 0
	}
	return r.to.Times() / r.from.Times()
}

// isAlike reports whether both databases answer with about as much.
func (r rise) isAlike() bool {
	from, to := Median(r.from.Ours).Bytes, Median(r.to.Ours).Bytes
	return max(from, to) <= sameLength*min(from, to)
}

// steepest returns the largest rise between any two sizes.
func (t *trend) steepest() (worst rise) {
	for i, from := range t.sizes {
		for _, to := range t.sizes[i+1:] {
			if r := (rise{from, to}); r.factor() > worst.factor() {
				worst = r
			}
		}
	}
	return worst
}

// verdicts judges operations that must be flat.
func (t *trend) verdicts() []verdict {
	worst := t.steepest()
	factor := worst.factor()
	if factor == 0 || !worst.from.Flat {
		return nil
	}
	return []verdict{{
		aim: "growth of pages with size", goal: fmt.Sprintf("<= %gx", flatWithin), name: t.name,
		found: fmt.Sprintf("%.2fx from %s to %s", factor, Counted(worst.from.Computers), Counted(worst.to.Computers)),
		share: factor / flatWithin,
	}}
}
