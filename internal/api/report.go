package api

import (
	"log/slog"
	"net/http"
	"time"
)

// A Report is what is known of a request once it is answered. Its texts are
// few, so that they can name metrics: no path, no user.
type Report struct {
	Route  string // such as /hardwares/{id}, "" when the request came to none
	Method string // "" when it is none that is served
	Status int
	Bytes  int64         // of the answer's body
	Took   time.Duration // from the request's header to the end of the answer
	Login  string        // how its credentials fared, "" when nobody looked at them
	Limit  string        // that refused it, "" for none
}

// A stage is a part of the way of a request.
type stage uint8

// Stages in their order. A request waits before the doors have time for it.
const (
	waiting stage = iota
	authenticating
	receiving
	answering // database and rendering
	writing
	stages
)

// A stopwatch takes the time of each stage.
type stopwatch struct {
	now   stage
	since time.Time
	spent [stages]time.Duration
}

// enter ends the present stage and begins the next.
func (s *stopwatch) enter(next stage) {
	now := time.Now()
	s.spent[s.now] += now.Sub(s.since)
	s.now, s.since = next, now
}

// methods are those that are served, and their names in reports.
var methods = map[string]string{
	http.MethodGet: "GET", http.MethodHead: "HEAD", http.MethodPost: "POST", http.MethodPut: "PUT",
	http.MethodDelete: "DELETE", http.MethodOptions: "OPTIONS",
}

// finish tells those who want to know that a request was answered.
func (a *API) finish(start time.Time, r *http.Request, w *recorder) {
	v := visitOf(r)
	v.watch.enter(writing)
	took := time.Since(start)
	a.log(took, r, w)
	if a.SlowRequest > 0 && took >= a.SlowRequest {
		a.logSlow(took, r, w)
	}
	a.inFlight.Add(-1)
	if a.Observe != nil {
		a.Observe(Report{
			Route: v.route, Method: methods[r.Method], Status: w.status, Bytes: w.bytes, Took: took,
			Login: v.login, Limit: v.limit,
		})
	}
}

// logSlow tells where the time of a slow request went. The request's own line
// in the log, found by its id, says the rest.
func (a *API) logSlow(took time.Duration, r *http.Request, w *recorder) {
	v := visitOf(r)
	spent, db := v.watch.spent, v.database
	attrs := []slog.Attr{
		slog.String("id", v.id), slog.String("method", r.Method), slog.String("route", v.route), slog.Int("status", w.status), ms("ms", took),
		ms("waiting_ms", spent[waiting]), ms("authentication_ms", spent[authenticating]), ms("receiving_ms", spent[receiving]),
		ms("database_wait_ms", db.Waited), ms("database_ms", db.Took),
		ms("rendering_ms", max(0, spent[answering]-db.Waited-db.Took)), ms("writing_ms", spent[writing]),
	}
	if v.user != nil {
		attrs = append(attrs, slog.String("user", v.user.Email))
	}
	a.Log.LogAttrs(r.Context(), slog.LevelWarn, "slow request", attrs...)
}

// ms returns a time in the log.
func ms(name string, d time.Duration) slog.Attr {
	return slog.Float64(name, float64(d.Microseconds())/1000)
}

// InFlight returns how many requests are being answered.
func (a *API) InFlight() int64 { return a.inFlight.Load() }
