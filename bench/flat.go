package main

import (
	"fmt"
	"slices"
	"strings"
)

// flatWithin is how many times the cost at the smallest size pages may take at
// the largest. Pages of different lengths, by more than sameLength, are not
// compared: a filter may find less than a page among few computers.
const (
	flatWithin = 1.3
	sameLength = 1.25
)

// A trend is an operation on databases of several sizes.
type trend struct {
	name  string
	sizes []*comparison // as the report's sizes, nil where it was not measured
}

// trends returns the operations on databases, in the order of the report.
func (r *report) trends() (all []*trend) {
	byName := map[string]*trend{}
	for _, c := range r.Comparisons {
		i := slices.Index(r.Sizes, c.Computers)
		if i < 0 {
			continue
		}
		name := c.withoutSize()
		t := byName[name+c.Rival]
		if t == nil {
			t = &trend{name, make([]*comparison, len(r.Sizes))}
			byName[name+c.Rival], all = t, append(all, t)
		}
		t.sizes[i] = c
	}
	return all
}

// withoutSize returns the name without the size of the database.
func (c *comparison) withoutSize() string {
	return strings.Replace(c.Name, fmt.Sprintf(" %d ", c.Computers), " ", 1)
}

// factor returns how many times the cost at the smallest size it costs at the
// largest, each in times of the rival's; 0 when one was not measured.
func (t *trend) factor() float64 {
	first, last := t.sizes[0], t.sizes[len(t.sizes)-1]
	if len(t.sizes) < 2 || first == nil || last == nil || first.ratio() == 0 || last.ratio() == 0 {
		return 0
	}
	return last.ratio() / first.ratio()
}

// verdicts judges operations that must be flat.
func (t *trend) verdicts() []verdict {
	factor := t.factor()
	if factor == 0 || !t.sizes[0].Flat || !t.isAlike() {
		return nil
	}
	return []verdict{{
		aim: "growth of pages with size", goal: fmt.Sprintf("<= %gx", flatWithin), name: t.name,
		found: fmt.Sprintf("%.2fx", factor), share: factor / flatWithin,
	}}
}

// isAlike reports whether the smallest and the largest database answer with
// about as much.
func (t *trend) isAlike() bool {
	first, last := median(t.sizes[0].Ours).Bytes, median(t.sizes[len(t.sizes)-1].Ours).Bytes
	return max(first, last) <= sameLength*min(first, last)
}
