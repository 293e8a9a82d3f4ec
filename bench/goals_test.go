//go:build full

package main

import (
	"slices"
	"strings"
	"testing"

	"muster/bench/result"
)

// TestPagesOnPostgres makes sure that each page has a goal there, at one size.
func TestPagesOnPostgres(t *testing.T) {
	for _, o := range pages(webSize) {
		if got := o.goals.On(result.Postgres).WithPostgres; got != webWithPostgres {
			t.Errorf("%s: got at most %gx, want %dx", o.name, got, webWithPostgres)
		}
	}
}

// TestWhatHasGoals makes sure that changes, related records and the feed have goals, on both databases.
func TestWhatHasGoals(t *testing.T) {
	for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
		for _, o := range slices.Concat(reads(n), writes(n), rowWrites(n), rowReads(n)) {
			wanted := o.changes || strings.Contains(o.name, "of a computer") || strings.Contains(o.name, "program") ||
				strings.Contains(o.name, "feed") || strings.Contains(o.name, "audits")
			if wanted && (o.goals.Aim == "" || o.goals.Within == 0 || o.goals.WithPostgres == 0) {
				t.Errorf("%s with %d computers: got %+v, want goals on both databases", o.name, n, o.goals)
			}
		}
	}
}
