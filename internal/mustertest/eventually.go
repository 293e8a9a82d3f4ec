package mustertest

import (
	"testing"
	"time"
)

// patience is how long anything may take before a test gives up; nothing takes
// nearly as long.
const patience = time.Minute

// Eventually waits until a condition is true. It fails the test if that takes too long.
func Eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	Within(t, patience, what, condition)
}

// Within waits until a condition is true. It fails the test after the limit.
func Within(t testing.TB, limit time.Duration, what string, condition func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(limit); !condition(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not so after %s", what, limit)
		}
	}
}
