//go:build full

package main

import (
	"context"
	"regexp"
	"testing"

	"muster/bench/result"
)

// TestFresh makes sure that each request has a handshake of its own, on both sides: both cost several times what
// requests over a connection do that stays open.
func TestFresh(t *testing.T) {
	t.Setenv(postgresVariable, "")
	s := &settings{rounds: 1, sizes: []int{30}, data: t.TempDir(), only: regexp.MustCompile("^sqlite 30 single record")}
	r := &result.Run{Rounds: s.rounds, Sizes: s.sizes}
	if err := measure(context.Background(), s, r); err != nil {
		t.Fatal(err)
	}
	const open, fresh = "single record", "single record, new connection and nonce"
	a, b := r.At(result.SQLite, 30, open), r.At(result.SQLite, 30, fresh)
	if a == nil || b == nil || b.Times() <= 0 {
		t.Fatalf("got %+v and %+v, want figures of both", a, b)
	}
	if ours, theirs := result.Median(b.Ours).Allocs, result.Median(b.Theirs).Allocs; ours < 2*result.Median(a.Ours).Allocs ||
		theirs < 2*result.Median(a.Theirs).Allocs {
		t.Errorf("got %.0f and %.0f allocations, want those of a handshake too", ours, theirs)
	}
}
