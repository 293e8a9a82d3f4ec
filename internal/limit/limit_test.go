package limit_test

import (
	"testing"
	"time"

	"muster/internal/limit"
)

// TestWindows checks what is counted, until when, and that keys do not meet.
func TestWindows(t *testing.T) {
	now := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	l := limit.NewWindows[int](time.Minute, func() time.Time { return now })
	for i, step := range []struct {
		after time.Duration
		key   int
		limit int
		wait  time.Duration
	}{
		{0, 1, 2, 0}, {10 * time.Second, 1, 2, 0}, {0, 1, 2, 50 * time.Second}, {0, 2, 2, 0}, {0, 1, 0, 0}, {0, 1, 3, 0},
		{50*time.Second - 1, 1, 3, 1}, {1, 1, 2, 0}, {0, 1, 2, 0}, {0, 1, 2, time.Minute},
	} {
		now = now.Add(step.after)
		if got := l.Take(step.key, step.limit); got != step.wait {
			t.Errorf("step %d: got a wait of %v, want %v", i, got, step.wait)
		}
	}
}

// TestBounded checks that keys without end are forgotten.
func TestBounded(t *testing.T) {
	l := limit.NewWindows[int](time.Minute, time.Now)
	for key := range 200_000 {
		l.Take(key, 1)
	}
	if got := l.Len(); got > 50_000 {
		t.Errorf("got %d keys, want at most 50000", got)
	}
}

// TestFailures checks that an address may fail more often than one of its users,
// and that nobody is locked out elsewhere.
func TestFailures(t *testing.T) {
	l := limit.NewFailures(2, time.Now)
	for left := 3; left > 0; left-- {
		if got := l.Left("ann", "10.0.0.1"); got != left {
			t.Errorf("failures that are left: got %d, want %d", got, left)
		}
		l.Add("ann", "10.0.0.1")
	}
	for _, test := range []struct {
		user, address string
		blocked       bool
	}{{"ann", "10.0.0.1", true}, {"bob", "10.0.0.1", false}, {"", "10.0.0.1", false}, {"ann", "10.0.0.2", false}} {
		if got := l.Blocked(test.user, test.address) > 0; got != test.blocked {
			t.Errorf("%q at %s: got blocked %t, want %t", test.user, test.address, got, test.blocked)
		}
	}
	for range 8 {
		l.Add("", "10.0.0.1")
	}
	if got := l.Left("bob", "10.0.0.1"); got != 0 {
		t.Errorf("failures that are left of a blocked address: got %d, want 0", got)
	}
	if l.Blocked("", "10.0.0.1") == 0 {
		t.Error("an address with 11 failures is not blocked, want it to be after 10")
	}
}
