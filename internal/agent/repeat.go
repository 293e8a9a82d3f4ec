package agent

import (
	"context"
	"errors"
	"time"
)

// Repeat reports at once and then again and again, so much time apart, until the context ends; it returns nil then. All
// agents of a place were perhaps started together: no wait is exactly as long as that of another. After a failure it
// tries again soon, then less and less soon.
func (r *Reporter) Repeat(ctx context.Context, every time.Duration) error {
	const soon, late = time.Minute, time.Hour
	retry := soon
	for {
		err := r.Report(ctx)
		notice, isNotice := errors.AsType[Notice](err)
		pause := time.Duration(float64(every) * (0.95 + 0.1*r.Random()))
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			r.Log.Info("reported", "server", r.Server.String(), "next", pause.Round(time.Second).String())
			retry = soon
		case isNotice:
			r.Log.Info("not reported", "reason", string(notice), "next", pause.Round(time.Second).String())
			retry = soon
		default:
			pause = min(every, time.Duration(float64(retry)*(0.5+r.Random())))
			r.Log.Error("not reported", "reason", err.Error(), "next", pause.Round(time.Second).String())
			retry = min(late, 2*retry)
		}
		if r.Wait(ctx, pause) != nil {
			return nil
		}
	}
}

// Wait waits until a time has passed, or the context ends, whose error it returns.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
