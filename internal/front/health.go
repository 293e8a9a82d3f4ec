package front

import (
	"context"
	"errors"
	"net/http"

	"muster/internal/message"
	"muster/internal/store"
)

// Drain makes /readyz say from now on that the server is about to stop, so that balancers send their requests
// elsewhere. Requests are answered as before.
func (f *Front) Drain() { f.draining.Store(true) }

// health answers health checks: /healthz says that the program runs, /readyz that it
// can answer requests.
func (f *Front) health(w http.ResponseWriter, r *http.Request, check string) {
	status, text := http.StatusOK, "ok"
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		status, text = http.StatusMethodNotAllowed, "only GET and HEAD"
	case check == "/readyz":
		status, text = f.ready(r.Context())
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // the client may be gone
}

// ready returns the answer to whether requests can be answered.
func (f *Front) ready(ctx context.Context) (status int, text string) {
	if f.draining.Load() {
		return http.StatusServiceUnavailable, "draining: the server is about to stop"
	}
	if err := f.Ready(ctx); err != nil {
		f.Log.Warn("not ready", "error", err)
		return http.StatusServiceUnavailable, whyNotReady(err)
	}
	if f.full.recent(f.Now()) {
		return http.StatusOK, "ok, but a change has just found the disk of the database full"
	}
	return http.StatusOK, "ok"
}

// whyNotReady returns what anybody may read of the reason, which is not what the database said.
func whyNotReady(err error) string {
	own, ok := errors.AsType[*message.Error](err)
	switch {
	case errors.Is(err, store.ErrTooLong):
		return "the database does not answer in time"
	case ok:
		return own.Error()
	}
	return store.ErrUnavailable.Error()
}
