package agent_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"muster/internal/report"
)

// TestRepeat: reports are about as far apart as configured; after a failure the next try is soon, then less soon.
func TestRepeat(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	r := reporter(t, d.address(), d.ca)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	good, bad, stop := report.Send(24), report.Refused(report.XML, "not now"), report.Stop(24)
	answers := []report.Answer{bad, bad, bad, bad, bad, bad, bad, bad, good, bad, stop}
	random := []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0, 0.99, 0.99, 0, 0.5}
	r.Random = func() float64 {
		if len(random) == 0 {
			return 0
		}
		return random[0]
	}
	var waits []time.Duration
	r.Wait = func(_ context.Context, pause time.Duration) error {
		waits = append(waits, pause.Round(time.Minute/10))
		random = random[1:]
		d.mu.Lock()
		defer d.mu.Unlock()
		if len(answers) == 0 {
			cancel()
			return ctx.Err()
		}
		d.prolog, answers = answers[0], answers[1:]
		return nil
	}
	if err := r.Repeat(ctx, 24*time.Hour); err != nil {
		t.Errorf("got %v at the end, want nil", err)
	}
	m := time.Minute
	want := []time.Duration{
		24 * time.Hour, m, 2 * m, 4 * m, 8 * m, 16 * m, 32 * m, 30 * m, 89*m + 24*time.Second, 1510*m + 36*time.Second,
		m / 2, 24 * time.Hour,
	}
	if !slices.Equal(waits, want) {
		t.Errorf("got the pauses\n%v, want\n%v", waits, want)
	}
}

// TestRepeatStops: an agent that is told to stop does so at once, also while it sends.
func TestRepeatStops(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	r := reporter(t, d.address(), d.ca)
	ctx, cancel := context.WithCancel(context.Background())
	r.Machine.Log = func(string, error) {}
	r.Now = func() time.Time { cancel(); return time.Now() } // while it makes its id
	if err := r.Repeat(ctx, time.Hour); err != nil || len(d.got()) > 0 {
		t.Errorf("got %v and %d messages, want neither", err, len(d.got()))
	}
}
