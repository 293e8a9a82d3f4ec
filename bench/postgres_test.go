//go:build full

package main

import "testing"

// TestProcessCPU keeps what connections have used that ended between two readings.
func TestProcessCPU(t *testing.T) {
	used := processCPU{}
	used.set(1, 5)
	used.set(2, 7)
	if got := used.sum(); got != 12 {
		t.Errorf("two processes: got %d, want 12", got)
	}
	used.set(2, 8)
	used.set(3, 1) // and 1 is not there any more
	if got := used.sum(); got != 14 {
		t.Errorf("one ended, one began: got %d, want 14", got)
	}
	used.set(2, 0) // it ended while it was looked at
	if got := used.sum(); got != 14 {
		t.Errorf("another ended: got %d, want 14", got)
	}
}
