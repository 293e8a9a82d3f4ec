package intake

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"muster/internal/desk/agents"
	"muster/internal/front"
	"muster/internal/message"
	"muster/internal/report"
)

// smallWire is how much of a body any agent may send: that of a computer with 6,000 packages, many times what
// is usual. For more there are few places, so that senders without end do not fill the memory, and that
// documents that take long to read do not keep all others from their turn.
const smallWire = 256 << 10

// A post is what an agent has sent.
type post struct {
	by     agents.Reporter
	key    string // that its agent is given, "" for none
	from   report.Source
	body   []byte        // as it was sent
	buffer *[]byte       // in which it was received, nil once that is given back
	places []*front.Gate // in which it has one
	read   *front.Gate   // in which it has its turn, nil when it has not
}

// maxBuffer is the largest memory of a body that the next one uses again: more than most take, and little
// enough for all who send slowly.
const maxBuffer = 64 << 10

// buffers is memory for bodies.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// receive reads the body of a message at the pace of its sender. The post must be discarded.
func (in *Intake) receive(w http.ResponseWriter, r *http.Request, by agents.Reporter) (*post, error) {
	p := &post{by: by, from: report.Source{UserAgent: r.UserAgent(), AgentID: r.Header.Get("GLPI-Agent-ID")},
		buffer: buffers.Get().(*[]byte)}
	p.body = (*p.buffer)[:0]
	paced := front.BodyOf(w, r)
	err := in.fill(p, paced, r)
	if err == nil {
		paced.Done(nil)
		return p, nil
	}
	p.discard()
	switch e, answer := errors.AsType[*front.Error](err); {
	case !answer:
		err = front.Fault(http.StatusBadRequest, "the report did not arrive whole: %v", err)
	case e.Status != http.StatusRequestTimeout: // there is more of it
		front.Drain(w, r)
	}
	paced.Done(err)
	return nil, err
}

// errTooLong is the answer to a body whose announced length is over the limit. Such a body is not read.
var errTooLong = front.Fault(http.StatusRequestEntityTooLarge, "the report is too large: %s",
	message.New("more than %d MiB as sent", report.MaxWire>>20))

// fill reads the body of a message; one that is not small once there is a place for it, and then it must come faster.
func (in *Intake) fill(p *post, from *front.Body, r *http.Request) error {
	err := p.fill(from, r.ContentLength, smallWire+1)
	if err != nil || len(p.body) <= smallWire {
		return err
	}
	if err := p.acquire(r.Context(), in.ofToken(p.by.Token.ID), in.large); err != nil {
		return err
	}
	from.Hurry()
	err = p.fill(from, r.ContentLength, report.MaxWire+1)
	if err == nil && len(p.body) > report.MaxWire {
		return errTooLong
	}
	return err
}

// fill reads until the body has ended or is of a size. What is announced needs no second piece of memory; it may be
// nothing.
func (p *post) fill(from io.Reader, announced int64, size int) error {
	b := bytes.NewBuffer(p.body)
	b.Grow(max(0, int(min(announced, int64(size)))-len(p.body)) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(from, int64(size-len(p.body))))
	p.body = b.Bytes()
	return err
}

// acquire waits for places.
func (p *post) acquire(ctx context.Context, gates ...*front.Gate) error {
	for _, gate := range gates {
		if err := gate.Enter(ctx); err != nil {
			return err
		}
		p.places = append(p.places, gate)
	}
	return nil
}

// leave gives back the first places.
func (p *post) leave(n int) {
	for _, gate := range p.places[:n] {
		gate.Leave()
	}
	p.places = p.places[n:]
}

// discard releases the memory and places that the post has taken.
func (p *post) discard() {
	p.rest()
	p.leave(len(p.places))
	if p.buffer != nil && cap(p.body) <= maxBuffer {
		*p.buffer = p.body
		buffers.Put(p.buffer)
	}
	p.body, p.buffer = nil, nil
}
