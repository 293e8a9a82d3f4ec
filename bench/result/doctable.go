package result

import (
	"fmt"
	"slices"
	"strings"
)

// At returns the comparison of an operation on a database of a size, nil if it
// was not measured.
func (r *Run) At(database string, n int, operation string) *Comparison {
	name := fmt.Sprintf("%s %d %s", database, n, operation)
	i := slices.IndexFunc(r.Comparisons, func(c *Comparison) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return r.Comparisons[i]
}

// taskSizes are the numbers of computers that the tasks are shown with, in any run.
var taskSizes = []int{10_000, 100_000, 1_000_000}

// notMeasured stands where there is no figure.
const notMeasured = "–"

// taskRows are how long tasks take, at each size the p50 and the p99 in milliseconds.
func (r *Run) taskRows(database string, tasks []Row) [][]string {
	rows := [][]string{{"p50 · p99 in ms"}}
	for _, n := range taskSizes {
		rows[0] = append(rows[0], Counted(n)+" computers")
	}
	for _, t := range tasks {
		row := slices.Clone(t.Words)
		for _, n := range taskSizes {
			row = append(row, r.At(database, n, t.Operations[0]).waitText())
		}
		rows = append(rows, row)
	}
	return rows
}

// waitText returns how long requests take, the p50 and the p99 in milliseconds.
func (c *Comparison) waitText() string {
	switch {
	case c == nil:
		return notMeasured
	case c.Failed != "":
		return "failed"
	}
	ours := Median(c.Ours)
	return figure(ours.P50) + " · " + figure(ours.P99)
}

// listRows are the lists of computers: each length and filter, at each size its pages in times of the ceiling.
func (r *Run) listRows(database string, l Layout) [][]string {
	rows := [][]string{r.sizeHeads("computers a page", "filter")}
	for _, list := range l.Lists {
		row, found := slices.Clone(list.Words), false
		for _, n := range r.Sizes {
			var cells []string
			for _, operation := range list.Operations {
				if c := r.At(database, n, operation); c != nil {
					cells, found = append(cells, figure(c.Times())), true
				}
			}
			row = append(row, strings.Join(cells, " · "))
		}
		if found {
			rows = append(rows, row)
		}
	}
	return rows
}

// otherRows are all other requests, at each size the CPU time and, in brackets,
// what that is in times of the rival's.
func (r *Run) otherRows(database string, l Layout) [][]string {
	rows := [][]string{r.sizeHeads("request")}
	for _, t := range r.trends() {
		name, ok := strings.CutPrefix(t.name, database+" ")
		isList := slices.ContainsFunc(l.Lists, func(list Row) bool { return slices.Contains(list.Operations, name) })
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
func (c *Comparison) costText() string {
	switch {
	case c == nil:
		return ""
	case c.Failed != "":
		return "failed"
	}
	ours := Median(c.Ours)
	text := figure(ours.CPU)
	if ours.DatabaseCPU > 0 {
		text += " + " + figure(ours.DatabaseCPU)
	}
	return fmt.Sprintf("%s µs (%sx)", text, figure(c.Times()))
}

// memoryRows are the time that the server takes to start at each size, and its peak memory while the lists are
// requested.
func (r *Run) memoryRows() [][]string {
	rows := [][]string{r.sizeHeads("", "")}
	for _, database := range []string{SQLite, Postgres} {
		for _, what := range []struct {
			name, text string
			format     func(Sample) string
		}{
			{"start", "start", func(s Sample) string { return figure(s.P50) + " ms" }},
			{"start", "CPU time of it", func(s Sample) string { return figure(s.CPU/1e3) + " ms" }},
			{"start", "memory after it", func(s Sample) string { return figure(s.Resident) + " MB" }},
			{"memory", "memory with all lists", func(s Sample) string { return figure(s.Resident) + " MB" }},
		} {
			row, found := []string{database, what.text}, false
			for _, n := range r.Sizes {
				cell := ""
				if c := r.At(database, n, what.name); c != nil {
					cell, found = what.format(Median(c.Ours)), true
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

// workParts are the desks at work, each as a table after a line.
func (r *Run) workParts() string {
	var b strings.Builder
	for _, w := range r.Works {
		database, _, _ := strings.Cut(w.Name, " ")
		fmt.Fprintf(&b, "**%s, %s computers**: %s.\n\n%s\n", databaseTitles[database], Counted(w.Computers), w.sum(),
			markdown(w.rows()))
	}
	return b.String()
}

// partRows are the parts that need no server.
func (r *Run) partRows() [][]string {
	rows := [][]string{{"part", "CPU µs", "allocations", "beside", "CPU µs", "ratio"}}
	for _, c := range r.Comparisons {
		if c.Computers > 0 || c.Rival == "" {
			continue
		}
		ours, theirs := Median(c.Ours), Median(c.Theirs)
		rows = append(rows, []string{
			c.Name, figure(ours.CPU), figure(ours.Allocs), c.Rival, figure(theirs.CPU), ratioText(c.Times()),
		})
	}
	return rows
}
