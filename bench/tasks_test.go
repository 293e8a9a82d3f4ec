//go:build full

package main

import (
	"regexp"
	"slices"
	"testing"

	"muster/bench/result"
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
		all := besides(s, result.SQLite)
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
	if all := besides(&settings{size: 1000, beside: besideSizes, only: regexp.MustCompile("")}, result.SQLite); all != nil {
		t.Errorf("1000 computers: got %q beside writers, want nothing", named(all[0]))
	}
}
