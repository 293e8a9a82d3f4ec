package digest

import (
	"math/rand/v2"
	"testing"
)

// TestSet holds a set against a map, with hashes that meet at the end of the table, and those that are next to nothing.
func TestSet(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	var s set
	known := map[uint64]bool{0: true}
	s.add(1) // which is as 0
	for range 20_000 {
		hash := random.Uint64()
		switch random.IntN(4) {
		case 0:
			hash = ^uint64(0) - hash%500
		case 1:
			hash %= 500
		}
		if hash == 1 {
			hash = 0
		}
		if got := s.add(hash); got == known[hash] {
			t.Fatalf("adding %x: got %t, known is %t", hash, got, known[hash])
		}
		known[hash] = true
	}
	if s.n != len(known) {
		t.Errorf("got %d hashes, want %d", s.n, len(known))
	}
}
