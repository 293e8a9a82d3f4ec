package door

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// Limits of the way of a body: it has some time, and more as it arrives, as
// much as the slowest sender takes; but all in all no more than bodyTime. Then
// the answer has sendTime.
const (
	bodyTime = 60 * time.Second
	paceTime = 10 * time.Second
	pace     = 1 << 10 // bytes a second
	sendTime = 60 * time.Second
)

// A Body is that of a request, which ends with an error when it comes too
// slowly. A sender who never finishes holds a connection, but nothing else and
// not for long.
type Body struct {
	body     io.Reader
	control  http.ResponseController
	start    time.Time
	received int64
	deadline time.Time
}

// BodyOf begins to receive the body of a request.
func BodyOf(w http.ResponseWriter, r *http.Request) *Body {
	b := &Body{body: r.Body, control: *http.NewResponseController(w), start: time.Now()}
	b.extend()
	return b
}

// Read reads from the body. The error of one that comes too slowly is an answer.
func (b *Body) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.received += int64(n)
	if err == nil {
		b.extend()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = Fault(http.StatusRequestTimeout, "the document came too slowly: send at least %d bytes a second, and all of it within %v", pace, bodyTime)
	}
	return n, err
}

// extend gives the sender the time that what has arrived is worth. Steps of less
// than a second are not worth the effort.
func (b *Body) extend() {
	earned := min(paceTime+time.Duration(b.received)*time.Second/pace, bodyTime)
	if due := b.start.Add(earned); due.Sub(b.deadline) >= time.Second {
		b.deadline = due
		_ = b.control.SetReadDeadline(due) // without it the server's own holds
	}
}

// Done lets the connection be read without a limit, and begins the time of the
// answer. After a body that did not end nothing more shall be read.
func (b *Body) Done(err error) {
	if err == nil {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	_ = b.control.SetWriteDeadline(time.Now().Add(sendTime))
}
