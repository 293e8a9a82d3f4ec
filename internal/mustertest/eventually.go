package mustertest

import (
	"testing"
	"time"
)

// patience is how long anything may take before a test gives up; nothing takes
// nearly as long.
const patience = time.Minute

// Eventually waits until something holds.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	Within(t, patience, what, holds)
}

// Within waits for so long at most until something holds.
func Within(t testing.TB, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(limit); !holds(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not so after %s", what, limit)
		}
	}
}
