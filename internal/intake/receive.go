package intake

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"muster/internal/desk"
	"muster/internal/door"
	"muster/internal/report"
)

// smallWire is how much of a body any agent may send: many times what is usual. For more there are few places, so that
// senders without end do not fill the memory, and do not keep others from sending.
const smallWire = 512 << 10

// A post is what an agent has sent.
type post struct {
	token *desk.AgentToken
	from  report.Source
	body  []byte     // as it was sent
	large *door.Gate // in which it has a place, nil for none
	read  *door.Gate // in which it has its turn, nil when it has not
}

// receive reads the body of a message at the pace of its sender. The post must be discarded.
func (in *Intake) receive(w http.ResponseWriter, r *http.Request) (*post, error) {
	p := &post{from: report.Source{UserAgent: r.UserAgent(), AgentID: r.Header.Get("GLPI-Agent-ID")}}
	paced := door.BodyOf(w, r)
	err := p.fill(paced, r.ContentLength, smallWire+1)
	if err == nil && len(p.body) > smallWire {
		if err := in.large.Enter(r.Context()); err != nil {
			door.Drain(w, r)
			return nil, err
		}
		p.large = in.large
		err = p.fill(paced, r.ContentLength, report.MaxWire+1)
	}
	if err == nil && len(p.body) > report.MaxWire { // which reading it tells
		door.Drain(w, r)
	}
	paced.Done(err)
	if _, slow := errors.AsType[*door.Error](err); err != nil && !slow {
		err = door.Fault(http.StatusBadRequest, "the report did not arrive whole: %v", err)
	}
	if err != nil {
		p.discard()
		return nil, err
	}
	return p, nil
}

// fill reads until the body has ended or is of a size. What is announced needs no second piece of memory.
func (p *post) fill(from io.Reader, announced int64, size int) error {
	b := bytes.NewBuffer(p.body)
	b.Grow(int(min(max(announced, 0), int64(size))) - len(p.body) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(from, int64(size-len(p.body))))
	p.body = b.Bytes()
	return err
}

// discard gives back what the post holds.
func (p *post) discard() {
	p.rest()
	if p.large != nil {
		p.large.Leave()
		p.large = nil
	}
}
