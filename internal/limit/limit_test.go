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
		{0, 1, 2, 0}, {10 * time.Second, 1, 2, 0}, {0, 1, 2, 50 * time.Second}, {0, 2, 2, 0}, {0, 1, 0, 0},
		{0, 1, 3, 0},
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

// TestGuesses: each bound holds for those whom it is about, and for nobody else.
func TestGuesses(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	const most = 2
	g := limit.NewGuesses(most, func() time.Time { return now })
	at := func(user, address string) limit.Try {
		return limit.Try{User: user, Address: address, Known: func() bool { return address == "home" }}
	}
	want := func(what string, try limit.Try, want limit.Reason) {
		t.Helper()
		if got, wait := g.Blocked(try); got != want || (wait > 0) != (want != limit.None) {
			t.Errorf("%s: got reason %d for %v, want %d", what, got, wait, want)
		}
	}
	for left := most; left >= 0; left-- {
		if got := g.Left(at("ann", "far")); got != left {
			t.Errorf("how many are left: got %d, want %d", got, left)
		}
		if left > 0 {
			want("before there are too many", at("ann", "far"), limit.None)
			g.Take(at("ann", "far"))
		}
	}
	want("from there", at("ann", "far"), limit.OfPair)
	want("from elsewhere", at("ann", "near"), limit.None)
	want("another from there", at("bob", "far"), limit.None)
	for i := range most*5 - most {
		g.Take(at("ann", "far"+string(rune('a'+i))))
	}
	want("from a new place", at("ann", "near"), limit.OfUser)
	want("from where she was let in", at("ann", "home"), limit.None)
	want("in a browser that she used", limit.Try{User: "ann", Address: "near", Browser: "x"}, limit.None)
	want("another", at("bob", "near"), limit.None)
	for i := range most * 15 {
		g.Take(at("user"+string(rune('a'+i)), "crowd"))
	}
	g.Take(at("one whose password is right", "crowd2"))
	g.Forgive(at("one whose password is right", "crowd2"))
	if got := g.Left(at("one whose password is right", "crowd2")); got != most {
		t.Errorf("after a right password: got %d left, want %d", got, most)
	}
	want("a name that is new to a place", at("bob", "crowd"), limit.OfAddress)
	want("in a browser that he used", limit.Try{User: "bob", Address: "crowd", Browser: "y"}, limit.None)
	for range most {
		g.Take(limit.Try{User: "bob", Address: "crowd", Browser: "y"})
		g.Take(at("ann", "home"))
	}
	want("too many in that browser", limit.Try{User: "bob", Address: "crowd", Browser: "y"}, limit.OfPair)
	want("too many from home", at("ann", "home"), limit.OfPair)
	now = now.Add(15 * time.Minute)
	want("home after a quarter of an hour", at("ann", "home"), limit.None)
	want("the crowd after a quarter of an hour", at("bob", "crowd"), limit.None)
	want("from a new place after a quarter of an hour", at("ann", "near"), limit.OfUser)
	now = now.Add(45 * time.Minute)
	want("from a new place after an hour", at("ann", "near"), limit.None)
	if reason, _ := limit.NewGuesses(0, time.Now).Blocked(at("ann", "far")); reason != limit.None {
		t.Error("without a limit: got one")
	}
}
