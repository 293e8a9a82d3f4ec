package front

import (
	"io"
	"net/http"
	"time"
)

// Limits of what is read of a body that nobody wants.
const (
	drainSize = 64 << 20
	drainTime = 5 * time.Second
)

// Discard drains the body of a request that is refused. A client that waits for
// 100 Continue sends none.
func Discard(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Expect") == "" {
		Drain(w, r)
	}
}

// Drain reads and discards the rest of the body, so that the client sees the
// answer instead of a broken connection. After a body that did not end in time
// nothing more can be read, so that net/http does not wait for the rest.
func Drain(w http.ResponseWriter, r *http.Request) {
	if r.Body == http.NoBody {
		return
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(drainTime)) // if that fails, the server's own deadline applies
	if _, err := io.CopyN(io.Discard, r.Body, drainSize); err == io.EOF {
		_ = control.SetReadDeadline(time.Time{})
	}
}
