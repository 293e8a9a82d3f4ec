package api

import (
	"io"
	"net/http"
	"time"
)

// Limits of the way of a document: it has some time, and more as it arrives, as
// much as the slowest sender takes; but all in all no more than bodyTime. Then
// the answer has sendTime.
const (
	bodyTime = 60 * time.Second
	paceTime = 10 * time.Second
	pace     = 1 << 10 // bytes a second
	sendTime = 60 * time.Second
)

// A pacedBody is a request's body that ends with os.ErrDeadlineExceeded when it
// comes too slowly. A sender who never finishes holds a connection, but nothing
// else and not for long.
type pacedBody struct {
	io.Reader
	control  *http.ResponseController
	start    time.Time
	received int64
	deadline time.Time
}

func newPacedBody(w http.ResponseWriter, body io.Reader) *pacedBody {
	b := &pacedBody{Reader: body, control: http.NewResponseController(w), start: time.Now()}
	b.extend()
	return b
}

// Read reads from the body.
func (b *pacedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.received += int64(n)
	if err == nil {
		b.extend()
	}
	return n, err
}

// extend gives the sender the time that what has arrived is worth. Steps of less
// than a second are not worth the effort.
func (b *pacedBody) extend() {
	earned := min(paceTime+time.Duration(b.received)*time.Second/pace, bodyTime)
	if due := b.start.Add(earned); due.Sub(b.deadline) >= time.Second {
		b.deadline = due
		_ = b.control.SetReadDeadline(due) // without it the server's own holds
	}
}

// done lets the connection be read without a limit, and begins the time of the
// answer. After a body that did not end nothing more shall be read.
func (b *pacedBody) done(err error) {
	if err == nil {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	_ = b.control.SetWriteDeadline(time.Now().Add(sendTime))
}
