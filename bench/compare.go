package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// compareArgument makes the program compare two runs, whose JSON files follow.
const compareArgument = "compare"

// leastChange is the factor below which a change means nothing on machines that
// do other things too.
const leastChange = 1.3

// compareFiles returns the table of what changed from one run to another.
func compareFiles(files []string) (string, error) {
	if len(files) != 2 {
		return "", errors.New("compare needs two files that -json has written: compare OLD.json NEW.json")
	}
	was, err := readReport(files[0])
	if err != nil {
		return "", err
	}
	is, err := readReport(files[1])
	if err != nil {
		return "", err
	}
	return compareReports(was, is), nil
}

// readReport reads what writeJSON wrote.
func readReport(file string) (*report, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &report{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// compareReports returns a line for each operation of two runs, those of the
// later one first. It compares how many times the rival's CPU time operations
// take, not how long: what slowed a whole run down does not count.
func compareReports(was, is *report) string {
	rows := [][]string{{"per operation", "beside", "CPU µs before", "now", "times the rival before", "now", "spread before", "now", "change"}}
	counts := map[string]int{}
	add := func(name string, c, old *comparison) {
		change := changeOf(old, c)
		word, _, _ := strings.Cut(change, " ")
		counts[word]++
		rows = append(rows, slices.Concat([]string{name, either(c, old).Rival}, pairs(old, c), []string{change}))
	}
	for _, c := range is.Comparisons {
		add(c.Name, c, was.find(c))
	}
	for _, old := range was.Comparisons {
		if is.find(old) == nil {
			add(old.Name, nil, old)
		}
	}
	return fmt.Sprintf("before: %s, %s, %s\nnow:    %s, %s, %s\n%s%d cheaper, %d dearer, %d same, %d new, %d gone\n",
		was.Time.Format(time.RFC3339), was.Go, was.Machine, is.Time.Format(time.RFC3339), is.Go, is.Machine,
		align(rows), counts["cheaper"], counts["dearer"], counts["same"], counts["new"], counts["gone"])
}

// find returns the same comparison of another run, nil if there is none.
func (r *report) find(c *comparison) *comparison {
	i := slices.IndexFunc(r.Comparisons, func(other *comparison) bool { return other.Name == c.Name && other.Rival == c.Rival })
	if i < 0 {
		return nil
	}
	return r.Comparisons[i]
}

func either(a, b *comparison) *comparison {
	if a != nil {
		return a
	}
	return b
}

// pairs returns the figures of two comparisons in turn, any of which may be nil.
func pairs(old, c *comparison) (cells []string) {
	for _, get := range []func(*comparison) float64{
		func(c *comparison) float64 { return median(c.Ours).CPU },
		(*comparison).ratio,
		(*comparison).spread,
	} {
		for _, side := range []*comparison{old, c} {
			if side == nil {
				side = &comparison{}
			}
			cells = append(cells, figure(get(side)))
		}
	}
	return cells
}

// changeOf tells how a comparison changed in one word, and by which factor.
func changeOf(old, c *comparison) string {
	switch {
	case old == nil:
		return "new"
	case c == nil:
		return "gone"
	case old.ratio() == 0 || c.ratio() == 0:
		return "unknown"
	}
	factor, word := c.ratio()/old.ratio(), "dearer"
	if factor < 1 {
		factor, word = 1/factor, "cheaper"
	}
	if factor < max(leastChange, old.spread(), c.spread()) {
		return "same"
	}
	return fmt.Sprintf("%s %.1fx", word, factor)
}

// spread returns the factor between the highest and the lowest ratio of the
// rounds, 0 without any. Of five rounds or more it leaves out one at each end,
// which says more about the machine.
func (c *comparison) spread() float64 {
	ratios := c.ratios()
	slices.Sort(ratios)
	if len(ratios) >= 5 {
		ratios = ratios[1 : len(ratios)-1]
	}
	if len(ratios) == 0 || ratios[0] == 0 {
		return 0
	}
	return ratios[len(ratios)-1] / ratios[0]
}
