package front

import (
	"context"
	"log/slog"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"muster/internal/message"
)

// PerProcessor is how many requests a gate lets in for each processor by default:
// enough to fill a group of changes or the connections to PostgreSQL.
const PerProcessor = 32

// logEvery is how often refused requests are logged.
const logEvery = 10 * time.Second

// A Gate bounds the requests that are worked on at the same time. Some more wait
// for their turn, in the order in which they came; others are refused at once,
// before anything else is done for them, so that refusing takes as little as
// possible from the work that is answered.
type Gate struct {
	GateConfig
	slots   chan struct{} // has one for each request inside; senders are served in order
	waiting atomic.Int64
	refused atomic.Int64
	logging rate.Sometimes
	busy    *Error
}

// A GateConfig says how wide a gate is.
type GateConfig struct {
	What    string        // it lets in, for the log, such as requests
	Busy    message.Text  // says that there are too many
	Inside  int           // at the same time, 0 for as many as suit the machine
	Waiting int           // beside them
	Wait    time.Duration // of each of those
	Limit   string        // its name in reports
	Log     *slog.Logger
}

// NewGate returns a gate.
func NewGate(cfg GateConfig) *Gate {
	if cfg.Inside <= 0 {
		cfg.Inside = PerProcessor * runtime.GOMAXPROCS(0)
	}
	return &Gate{
		GateConfig: cfg, slots: make(chan struct{}, cfg.Inside), logging: rate.Sometimes{Interval: logEvery},
		busy: &Error{
			Status: http.StatusServiceUnavailable, RetryAfter: cfg.Wait, Limit: cfg.Limit, Quiet: true,
			Faults: []message.Text{cfg.Busy},
		},
	}
}

// Full returns an error when one more request would be refused.
func (g *Gate) Full() error {
	if g.waiting.Load() >= int64(g.Waiting) {
		return g.refuse()
	}
	return nil
}

// Enter waits for a request's turn, after which Leave must be called. It returns an
// error when there is no room for too long, and when the client is gone.
func (g *Gate) Enter(ctx context.Context) error {
	if ctx.Err() != nil {
		return g.busy
	}
	select {
	case g.slots <- struct{}{}:
		return nil
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > int64(g.Waiting) {
		return g.refuse()
	}
	late := time.NewTimer(g.Wait)
	defer late.Stop()
	select {
	case g.slots <- struct{}{}:
		return nil
	case <-late.C:
		return g.refuse()
	case <-ctx.Done():
		return g.busy
	}
}

// Leave gives the turn to the next request.
func (g *Gate) Leave() { <-g.slots }

// refuse counts a refusal, and logs at most one every logEvery.
func (g *Gate) refuse() error {
	total := g.refused.Add(1)
	g.logging.Do(func() {
		g.Log.Warn(g.What+" are refused: there are too many at the same time", "at once", cap(g.slots),
			"refused so far", total)
	})
	return g.busy
}

// Load is what goes on at a gate.
type Load struct {
	Working int   // requests that are worked on
	Waiting int   // requests that wait for their turn
	Refused int64 // requests that were refused since the start because there were too many
}

// Load returns what goes on.
func (g *Gate) Load() Load {
	return Load{Working: len(g.slots), Waiting: int(g.waiting.Load()), Refused: g.refused.Load()}
}
