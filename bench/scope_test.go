//go:build full

package main

import (
	"slices"
	"testing"

	"muster/bench/result"
)

// TestScope makes sure what is measured where the command line says so or nothing.
func TestScope(t *testing.T) {
	const (
		part   = "encode list of 250"
		chosen = "sqlite 10000 page, dashboard"
		task   = "postgres 100000 page, dashboard, beside 40 writes a second"
		rest   = "sqlite 10000 list of 1000, q, first page"
		busier = "sqlite 100000 page, dashboard, beside 200 writes a second"
	)
	everything := []string{part, chosen, task, rest, busier}
	for _, test := range []struct {
		args   []string
		sizes  []int
		rounds int
		names  []string
	}{
		{nil, []int{10_000, 100_000}, 3, []string{part, chosen, task}},
		{[]string{"-all"}, []int{10_000, 100_000, 1_000_000}, 3, []string{part, chosen, task, busier}},
		{[]string{"-only", "list of"}, []int{10_000, 100_000}, 3, []string{part, rest}},
		{[]string{"-all", "-only", "list of"}, []int{10_000, 100_000, 1_000_000}, 3, []string{part, rest}},
		{[]string{"-sizes", "7", "-rounds", "1"}, []int{7}, 1, []string{part, chosen, task}},
		{[]string{"-all", "-sizes", "7", "-rounds", "1"}, []int{7}, 1, []string{part, chosen, task, busier}},
		{[]string{"-only", "."}, []int{10_000, 100_000}, 3, everything},
	} {
		s, err := parseSettings(append(test.args, "-data", t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.sizes, test.sizes) || s.rounds != test.rounds {
			t.Errorf("%q: got sizes %d and %d rounds, want %d and %d", test.args, s.sizes, s.rounds, test.sizes, test.rounds)
		}
		for _, name := range everything {
			if got, want := s.only.MatchString(name), slices.Contains(test.names, name); got != want {
				t.Errorf("%q: %s: got measured: %v, want %v", test.args, name, got, want)
			}
		}
	}
	for _, wrong := range [][]string{{"list"}, {"-rounds", "-1"}, {"-only", "("}} {
		if _, err := parseSettings(wrong); err == nil {
			t.Errorf("%q: got no error, want one", wrong)
		}
	}
}

// TestUsualOperations makes sure that what the usual run names is there.
func TestUsualOperations(t *testing.T) {
	const n = besideSize
	var known []string
	for _, o := range slices.Concat(computerLists(), walks(n), nearUniqueLists(), firstUses(), reads(n), rowReads(n),
		freshReads(n), pages(n), writes(n), rowWrites(n)) {
		known = append(known, result.SQLite+" 100000 "+o.name)
	}
	s := &settings{size: n, only: usualNames()}
	known = append(known, newStart(s, result.SQLite).Name, newMemory(s, result.SQLite).Name)
	for _, c := range newIngest(s, result.SQLite).chosen() {
		known = append(known, c.Name)
	}
	for _, c := range newCold(s, result.SQLite) {
		known = append(known, c.Name)
	}
	for _, m := range newAftermaths(s, result.SQLite) {
		for _, c := range m.wanted {
			known = append(known, c.Name)
		}
	}
	for _, name := range usualOperations {
		if !slices.Contains(known, result.SQLite+" 100000 "+name) {
			t.Errorf("%s: it is not there", name)
		}
	}
}

func TestSizesAreSorted(t *testing.T) {
	if got, err := parseSizes("1000, 10,100"); err != nil || !slices.Equal(got, []int{10, 100, 1000}) {
		t.Errorf("got %v and error %v, want 10, 100 and 1000", got, err)
	}
}
