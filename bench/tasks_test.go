//go:build full

package main

import (
	"regexp"
	"slices"
	"testing"
)

// TestTasksBesideWriters makes sure that each task is measured beside writers, at all sizes that are declared and no
// others, and that at one of them all pages are and have goals, but no changes.
func TestTasksBesideWriters(t *testing.T) {
	named := func(b *beside) (names []string) {
		for _, c := range b.contests {
			names = append(names, c.operation.name)
		}
		return names
	}
	for _, n := range besideSizes {
		s := &settings{size: n, beside: besideSizes, only: regexp.MustCompile("")}
		all := besides(s, sqliteName)
		if len(all) != len(writings) {
			t.Fatalf("%d computers: got %d writings, want %d", n, len(all), len(writings))
		}
		got := named(all[0])
		for i, task := range tasks {
			if got[i] != task.operation {
				t.Errorf("%d computers: got %q for %q, want %q", n, got[i], task.name, task.operation)
			}
		}
		if more := len(got) > len(tasks); more != (n == besideSize) {
			t.Errorf("%d computers: got more than tasks: %v, want that with %d alone", n, more, besideSize)
		}
		if names := slices.Sorted(slices.Values(got)); len(slices.Compact(names)) != len(got) {
			t.Errorf("%d computers: got something twice in %q", n, got)
		}
		for _, c := range all[0].contests {
			if got, want := c.Within > 0, n == besideSize && !c.changes; got != want {
				t.Errorf("%s: got a goal: %v, want one: %v", c.Name, got, want)
			}
		}
	}
	if all := besides(&settings{size: 1000, beside: besideSizes, only: regexp.MustCompile("")}, sqliteName); all != nil {
		t.Errorf("1000 computers: got %q beside writers, want nothing", named(all[0]))
	}
}

// TestTaskRows shows waiting times where they were measured.
func TestTaskRows(t *testing.T) {
	const name = "page, dashboard, beside 40 writes a second"
	r := &report{Sizes: []int{10_000, 100_000}, Comparisons: []*comparison{
		{Name: "sqlite 10000 " + name, Ours: []sample{{P50: 1, P99: 12.34}, {P50: 3, P99: 12.34}}},
		{Name: "sqlite 100000 " + name, Failed: "got status 503"},
	}}
	rows := r.taskRows(sqliteName)
	if len(rows) != 1+len(tasks) {
		t.Fatalf("got %d rows, want a head and %d tasks", len(rows), len(tasks))
	}
	for i, want := range [][]string{
		{"p50 · p99 in ms", "10,000 computers", "100,000 computers", "1,000,000 computers"},
		{"open the dashboard", "2.00 · 12.3", "failed", "–"},
		{"open the list of computers", "–", "–", "–"},
	} {
		if !slices.Equal(rows[i], want) {
			t.Errorf("row %d: got %q, want %q", i, rows[i], want)
		}
	}
	for _, row := range r.taskRows(postgresName)[1:] {
		if !slices.Equal(row[1:], []string{"–", "–", "–"}) {
			t.Errorf("the other database: got %q, want nothing measured", row)
		}
	}
}
