package main

import (
	"fmt"
	"slices"
	"strings"
)

// at returns the comparison of an operation on a database of a size, nil if it
// was not measured.
func (r *report) at(database string, n int, operation string) *comparison {
	name := fmt.Sprintf("%s %d %s", database, n, operation)
	i := slices.IndexFunc(r.Comparisons, func(c *comparison) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return r.Comparisons[i]
}

// taskSizes are the numbers of computers that the tasks are shown with, in any run.
var taskSizes = []int{10_000, 100_000, 1_000_000}

// notMeasured stands where there is no figure.
const notMeasured = "–"

// taskRows are how long tasks take while others write, at each size the p50 and the p99 in milliseconds.
func (r *report) taskRows(database string) [][]string {
	rows := [][]string{{"p50 · p99 in ms"}}
	for _, n := range taskSizes {
		rows[0] = append(rows[0], counted(n)+" computers")
	}
	for _, t := range tasks {
		row := []string{t.name}
		for _, n := range taskSizes {
			row = append(row, r.at(database, n, t.operation+", "+writings[0].name).waitText())
		}
		rows = append(rows, row)
	}
	return rows
}

// waitText returns how long requests take, the p50 and the p99 in milliseconds.
func (c *comparison) waitText() string {
	switch {
	case c == nil:
		return notMeasured
	case c.Failed != "":
		return "failed"
	}
	ours := median(c.Ours)
	return figure(ours.P50) + " · " + figure(ours.P99)
}

// listRows are the lists of computers: each length and filter, at each size
// three pages in times of the ceiling.
func (r *report) listRows(database string) [][]string {
	rows := [][]string{r.sizeHeads("computers a page", "filter")}
	for _, perPage := range listLengths {
		for _, f := range filters(epoch) {
			row, found := []string{fmt.Sprint(perPage), f.name}, false
			for _, n := range r.Sizes {
				var cells []string
				for _, p := range []page{firstPage, middlePage, lastPage} {
					if c := r.at(database, n, listName(perPage, f, p)); c != nil {
						cells, found = append(cells, figure(c.ratio())), true
					}
				}
				row = append(row, strings.Join(cells, " · "))
			}
			if found {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// otherRows are all other requests, at each size the CPU time and, in brackets,
// what that is in times of the rival's.
func (r *report) otherRows(database string) [][]string {
	rows := [][]string{r.sizeHeads("request")}
	lists := computerLists()
	for _, t := range r.trends() {
		name, ok := strings.CutPrefix(t.name, database+" ")
		isList := slices.ContainsFunc(lists, func(o operation) bool { return o.name == name })
		if !ok || isList || name == "start" || name == "memory" {
			continue
		}
		row := []string{name}
		for _, c := range t.sizes {
			row = append(row, c.costText())
			if c != nil && c.Rival != "fixed body" {
				row[0] = name + " (" + c.Rival + ")"
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// costText returns the CPU time, that of PostgreSQL's own processes behind a +, and in times of the rival's.
func (c *comparison) costText() string {
	switch {
	case c == nil:
		return ""
	case c.Failed != "":
		return "failed"
	}
	ours := median(c.Ours)
	text := figure(ours.CPU)
	if ours.DatabaseCPU > 0 {
		text += " + " + figure(ours.DatabaseCPU)
	}
	return fmt.Sprintf("%s µs (%sx)", text, figure(c.ratio()))
}

// memoryRows are the time that the server takes to start at each size, and its peak memory while the lists are
// requested.
func (r *report) memoryRows() [][]string {
	rows := [][]string{r.sizeHeads("", "")}
	for _, database := range []string{sqliteName, postgresName} {
		for _, what := range []struct {
			name, text string
			format     func(sample) string
		}{
			{"start", "start", func(s sample) string { return figure(s.P50) + " ms" }},
			{"start", "CPU time of it", func(s sample) string { return figure(s.CPU/1e3) + " ms" }},
			{"start", "memory after it", func(s sample) string { return figure(s.Resident) + " MB" }},
			{"memory", "memory with all lists", func(s sample) string { return figure(s.Resident) + " MB" }},
		} {
			row, found := []string{database, what.text}, false
			for _, n := range r.Sizes {
				cell := ""
				if c := r.at(database, n, what.name); c != nil {
					cell, found = what.format(median(c.Ours)), true
				}
				row = append(row, cell)
			}
			if found {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// partRows are the parts that need no server.
func (r *report) partRows() [][]string {
	rows := [][]string{{"part", "CPU µs", "allocations", "beside", "CPU µs", "ratio"}}
	for _, c := range r.Comparisons {
		if c.Computers > 0 || c.Rival == "" {
			continue
		}
		ours, theirs := median(c.Ours), median(c.Theirs)
		rows = append(rows, []string{
			c.Name, figure(ours.CPU), figure(ours.Allocs), c.Rival, figure(theirs.CPU), ratioText(c.ratio()),
		})
	}
	return rows
}
