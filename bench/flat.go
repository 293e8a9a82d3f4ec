package main

import (
	"fmt"
	"slices"
	"strings"
)

// flatWithin is how many times the cost at the smallest size pages may take at
// the largest.
const flatWithin = 1.3

// flatText returns a table of what operations cost at each size, in times of the
// rival's CPU time, and how that grows from the smallest to the largest. It is
// "" when there is one size.
func (r *report) flatText() string {
	if len(r.Sizes) < 2 {
		return ""
	}
	head := []string{"CPU time in times of the rival's, at"}
	for _, n := range r.Sizes {
		head = append(head, fmt.Sprint(n))
	}
	rows := [][]string{append(head, "growth", "goal")}
	var done []string
	for _, c := range r.Comparisons {
		name := c.withoutSize()
		if key := name + c.Rival; c.Computers > 0 && !slices.Contains(done, key) {
			done = append(done, key)
			rows = append(rows, append([]string{name}, r.flatCells(c)...))
		}
	}
	return "\n" + align(rows)
}

// withoutSize returns the name without the size of the database.
func (c *comparison) withoutSize() string {
	return strings.Replace(c.Name, fmt.Sprintf(" %d ", c.Computers), " ", 1)
}

// flatCells returns an operation's line, without its name.
func (r *report) flatCells(c *comparison) (cells []string) {
	ratios := make([]float64, len(r.Sizes))
	for i, n := range r.Sizes {
		for _, other := range r.Comparisons {
			if other.Computers == n && other.withoutSize() == c.withoutSize() && other.Rival == c.Rival {
				ratios[i] = other.ratio()
			}
		}
		cells = append(cells, figure(ratios[i]))
	}
	first, last := ratios[0], ratios[len(ratios)-1]
	if first == 0 || last == 0 {
		return append(cells, "", "")
	}
	growth := last / first
	goal := ""
	if c.Flat {
		goal = told(fmt.Sprintf("<= %gx", flatWithin), growth <= flatWithin)
	}
	return append(cells, fmt.Sprintf("%.1fx", growth), goal)
}
