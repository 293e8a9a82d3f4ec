package front

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

// A Stage is a part of the way of a request.
type Stage uint8

// Stages in their order. A request waits before there is time for it.
const (
	Waiting Stage = iota
	Authenticating
	Receiving
	Answering // database and rendering
	Writing
	stages
)

// A stopwatch takes the time of each stage.
type stopwatch struct {
	now   Stage
	since time.Time
	spent [stages]time.Duration
}

// begin ends the present stage and begins the next.
func (s *stopwatch) begin(next Stage) {
	now := time.Now()
	s.spent[s.now] += now.Sub(s.since)
	s.now, s.since = next, now
}

// methods are those that are served, and their names in reports.
var methods = map[string]string{
	http.MethodGet: "GET", http.MethodHead: "HEAD", http.MethodPost: "POST", http.MethodPut: "PUT",
	http.MethodDelete: "DELETE", http.MethodOptions: "OPTIONS",
}

// finish logs an answered request, once more in detail if it was slow.
func (f *Front) finish(start time.Time, r *http.Request, w *recorder) {
	v := Of(r)
	v.Begin(Writing)
	took := v.watch.since.Sub(start)
	f.log(took, r, w)
	if f.SlowRequest > 0 && took >= f.SlowRequest && !v.Lasting {
		f.logSlow(took, r, w)
	}
	f.inFlight.Add(-1)
	if f.Observe != nil {
		f.Observe(Report{
			Route: v.Route, Method: methods[r.Method], Status: w.status, Bytes: w.bytes, Took: took,
			Login: v.Login, Limit: v.limit,
		})
	}
}

// log writes the request's line. It asks the log's handler itself: a Logger
// would find out from where in the program it is called, for a fifth of what the
// line costs.
func (f *Front) log(took time.Duration, r *http.Request, w *recorder) {
	v, level := Of(r), slog.LevelInfo
	if v.quiet {
		level = slog.LevelDebug
	}
	if !f.Log.Enabled(r.Context(), level) {
		return
	}
	attrs := append(make([]slog.Attr, 0, 11),
		slog.String("id", v.ID), slog.String("method", r.Method), slog.String("path", target(r)),
		slog.Int("status", w.status), slog.Int64("bytes", w.bytes), ms("ms", took),
		slog.String("from", r.RemoteAddr),
	)
	for _, known := range [...]struct{ name, value string }{
		{"user", v.User}, {"token", v.Token}, {"outcome", v.Outcome}, {"refused", v.Refused},
	} {
		if known.value != "" {
			attrs = append(attrs, slog.String(known.name, known.value))
		}
	}
	line := slog.NewRecord(v.watch.since, level, "request", 0)
	line.AddAttrs(attrs...)
	_ = f.Log.Handler().Handle(r.Context(), line) // ignored, as slog.Logger does: a failed log has nowhere to report to
}

// logSlow logs how the time of a slow request was spent. The request's own log line,
// found by its id, says the rest.
func (f *Front) logSlow(took time.Duration, r *http.Request, w *recorder) {
	v := Of(r)
	spent, db := v.watch.spent, v.Database
	attrs := []slog.Attr{
		slog.String("id", v.ID), slog.String("method", r.Method), slog.String("route", v.Route),
		slog.Int("status", w.status), ms("ms", took),
		ms("waiting_ms", spent[Waiting]), ms("authentication_ms", spent[Authenticating]),
		ms("receiving_ms", spent[Receiving]),
		ms("database_wait_ms", db.Waited), ms("database_ms", db.Took),
		ms("rendering_ms", max(0, spent[Answering]-db.Waited-db.Took)), ms("writing_ms", spent[Writing]),
	}
	if v.User != "" {
		attrs = append(attrs, slog.String("user", v.User))
	}
	f.Log.LogAttrs(r.Context(), slog.LevelWarn, "slow request", attrs...)
}

// ms returns a time in the log.
func ms(name string, d time.Duration) slog.Attr {
	return slog.Float64(name, float64(d.Microseconds())/1000)
}
