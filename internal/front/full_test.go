package front

import (
	"testing"
	"time"
)

// TestFullDisk: a full disk is logged once, and again after changes had room for some
// time.
func TestFullDisk(t *testing.T) {
	var f fullDisk
	now := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	for i, step := range []struct {
		after        time.Duration
		logged, full bool // the change that follows is logged; before it, the disk was full
	}{
		{0, true, false}, {0, false, true}, {time.Second, false, true}, {fullTime, false, true},
		{fullTime + 1, true, false}, {fullTime, false, true},
	} {
		now = now.Add(step.after)
		if got := f.recent(now); got != step.full {
			t.Errorf("step %d: recently full: got %t, want %t", i, got, step.full)
		}
		if got := f.meet(now); got != step.logged {
			t.Errorf("step %d: logged: got %t, want %t", i, got, step.logged)
		}
	}
}
