//go:build full

package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"muster/bench/result"
)

// TestAftermaths measures the updates after each bulk work of a small database.
func TestAftermaths(t *testing.T) {
	s := &settings{rounds: 1, size: 30, data: t.TempDir(), only: regexp.MustCompile(" (an import|a start)$")}
	db, err := openSQLiteRun(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer db.close()
	r := &result.Run{}
	if err := benchAftermaths(t.Context(), s, r, db, newAftermaths(s, result.SQLite)); err != nil {
		t.Fatal(err)
	}
	if got, want := len(r.Comparisons), 2*(len(stretches)+1); got != want {
		t.Fatalf("got %d comparisons, want %d: each stretch and the dearest ten after both", got, want)
	}
	for _, c := range r.Comparisons {
		if c.Times() <= 0 || len(c.Ours) != 1 || strings.HasSuffix(c.Name, "a start") && c.Within > 0 {
			t.Errorf("%s: got %+v beside %+v, want figures of a round, and no goal after a start", c.Name, c.Ours, c.Theirs)
		}
	}
}

// TestStretch computes costs from what was used before some updates.
func TestStretch(t *testing.T) {
	used := map[int]use{}
	for n := 0; n <= later.end; n += tenUpdates {
		used[n] = use{CPU: time.Duration(n) * time.Millisecond}
		if n > 310 {
			used[n] = use{CPU: time.Duration(n)*time.Millisecond + 40*time.Millisecond}
		}
	}
	if got, want := (stretch{"", 300, 500}).cost(used).CPU, 1200.0; got != want {
		t.Errorf("updates 301 to 500: got %v µs each, want %v", got, want)
	}
	if got, want := dearest(used).CPU, 5000.0; got != want {
		t.Errorf("dearest ten: got %v µs each, want %v", got, want)
	}
}
