package front

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// Limits of the way of a body: it has some time, and more as it arrives, as
// much as the slowest sender takes; but all in all no more than bodyTime. One
// that blocks others has less. Then the answer has sendTime.
const (
	bodyTime  = 60 * time.Second
	paceTime  = 10 * time.Second
	pace      = 1 << 10 // bytes a second
	hurryTime = 5 * time.Second
	hurryPace = 16 << 10 // bytes a second
	sendTime  = 60 * time.Second
)

// A Body is that of a request, which ends with an error when it comes too
// slowly. A sender who never finishes takes up a connection, but nothing else and
// not for long.
type Body struct {
	body     io.Reader
	control  http.ResponseController
	start    time.Time
	deadline time.Time

	since    time.Time     // from which on its pace counts
	grace    time.Duration // that it has besides
	pace     int64         // bytes a second
	received int64         // since then
}

// BodyOf begins to receive the body of a request.
func BodyOf(w http.ResponseWriter, r *http.Request) *Body {
	now := time.Now()
	b := &Body{
		body: r.Body, control: *http.NewResponseController(w), start: now, since: now, grace: paceTime, pace: pace,
	}
	b.extend()
	return b
}

// Hurry demands a faster pace for the rest of the body, since others wait for what the
// request has locked.
func (b *Body) Hurry() {
	b.since, b.grace, b.pace, b.received = time.Now(), hurryTime, hurryPace, 0
	b.deadline = time.Time{}
	b.extend()
}

// Read reads from the body. The error of one that comes too slowly is an answer.
func (b *Body) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.received += int64(n)
	if err == nil {
		b.extend()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = Fault(http.StatusRequestTimeout,
			"the document came too slowly: send at least %d bytes a second, and all of it within %v", b.pace, bodyTime)
	}
	return n, err
}

// extend gives the sender the time that what has arrived is worth. Steps of less
// than a second are not worth the effort.
func (b *Body) extend() {
	due, end := b.since.Add(b.grace+time.Duration(b.received)*time.Second/time.Duration(b.pace)), b.start.Add(bodyTime)
	if due.After(end) {
		due = end
	}
	if due.Sub(b.deadline) >= time.Second {
		b.deadline = due
		_ = b.control.SetReadDeadline(due) // if that fails, the server's own deadline applies
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
