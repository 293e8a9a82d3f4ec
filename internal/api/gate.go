package api

import (
	"context"
	"log/slog"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Limits of the gate: how many requests are worked on for each processor unless
// told otherwise, how many wait beside them and for how long, and how often the
// log tells that some were refused.
const (
	perProcessor = 32
	maxWaiting   = 256
	waitTime     = 2 * time.Second
	tellEvery    = 10 * time.Second
)

// A gate bounds the requests that are worked on at the same time. Some more wait
// for their turn, in the order in which they came; others are refused at once,
// before anything else is done for them, so that refusing takes as little as
// possible from the work that is answered.
type gate struct {
	slots   chan struct{} // has one for each request inside; senders are served in order
	waiting atomic.Int64
	refused atomic.Int64
	telling rate.Sometimes
	log     *slog.Logger
}

// newGate returns a gate for so many requests, 0 for as many as suit the machine.
func newGate(requests int, log *slog.Logger) *gate {
	if requests <= 0 {
		requests = perProcessor * runtime.GOMAXPROCS(0)
	}
	return &gate{slots: make(chan struct{}, requests), telling: rate.Sometimes{Interval: tellEvery}, log: log}
}

// errBusy is the answer to a request for which there is no room.
var errBusy = &httpError{
	status: http.StatusServiceUnavailable, retryAfter: waitTime, limit: limitRoom,
	faults: []string{"the server has more requests than it can answer at the moment: try again in a few seconds"},
}

// full reports whether one more request would be refused.
func (g *gate) full() bool { return g.waiting.Load() >= maxWaiting }

// enter waits for a request's turn, after which leave must be called. The error
// is errBusy when that takes too long; also when the client is gone, for whom
// nothing is worked on.
func (g *gate) enter(ctx context.Context) error {
	if ctx.Err() != nil {
		return errBusy
	}
	select {
	case g.slots <- struct{}{}:
		return nil
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > maxWaiting {
		return g.refuse()
	}
	late := time.NewTimer(waitTime)
	defer late.Stop()
	select {
	case g.slots <- struct{}{}:
		return nil
	case <-late.C:
		return g.refuse()
	case <-ctx.Done():
		return errBusy
	}
}

// leave gives the turn to the next request.
func (g *gate) leave() { <-g.slots }

// refuse counts a refusal, and tells of some in the log.
func (g *gate) refuse() error {
	total := g.refused.Add(1)
	g.telling.Do(func() {
		g.log.Warn("requests are refused: there are more than can be worked on", "at once", cap(g.slots), "refused so far", total)
	})
	return errBusy
}

// Load is what goes on in an API.
type Load struct {
	Working int   // requests that are worked on
	Waiting int   // requests that wait for their turn
	Refused int64 // requests that were refused since the start because there were too many
}

// Load returns what goes on.
func (a *API) Load() Load {
	return Load{Working: len(a.gate.slots), Waiting: int(a.gate.waiting.Load()), Refused: a.gate.refused.Load()}
}
