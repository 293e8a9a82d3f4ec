package intake

import (
	"context"
	"net/http"
	"time"

	"muster/internal/desk/agents"
	"muster/internal/front"
	"muster/internal/report"
	"muster/internal/store"
)

// workTime is how long a message may take from its arrival, its waiting included. The answer must be on its
// way before the connection's time is over.
const workTime = 50 * time.Second

// smallDocument is how much a document may have unpacked to that leaves its turn while the desk works. Others
// keep it, so that there are never more of them in memory than there are turns.
const smallDocument = 2 << 20

// work waits for a post's turn and answers it.
func (in *Intake) work(r *http.Request, p *post) (answer report.Answer, err error) {
	v := front.Of(r)
	ctx, cancel := context.WithTimeout(r.Context(), workTime)
	defer cancel()
	v.Begin(front.Waiting)
	if err := in.gate.Enter(ctx); err != nil {
		return answer, err
	}
	defer in.gate.Leave()
	if err := p.turn(ctx, in.readers); err != nil {
		return answer, err
	}
	v.Begin(front.Answering)
	body, err := report.Open(p.body)
	if err != nil {
		return answer, err
	}
	defer body.Close()
	v.Own = body.Format
	outcome, answer, err := in.take(store.WithUsage(ctx, &v.Database), p, body)
	if err == nil {
		in.count(v, outcome)
	}
	if outcome == old {
		in.noteOld(r)
	}
	return answer, err
}

// take carries out what a message asks for. A message that equals the agent's last one is not parsed again,
// which saves half the cost.
func (in *Intake) take(ctx context.Context, p *post,
	body *report.Body) (outcome string, answer report.Answer, err error) {
	scan, scanned, err := body.Scan()
	if err != nil {
		return "", answer, err
	}
	taken, admit := report.Taken(body.Format), in.admission(p.by.Token)
	if scanned && scan.Action == report.Inventory {
		p.restIfSmall(body)
		same, err := in.Agents.Again(ctx, scan, p.by, admit.ask)
		if same || err != nil {
			return unchanged, taken, err
		}
		if err := p.turn(ctx, in.readers); err != nil {
			return "", answer, err
		}
	}
	m, err := body.Read(p.from)
	if err != nil {
		return "", answer, err
	}
	p.restIfSmall(body)
	switch m.Action {
	case report.Prolog:
		answer, err = in.prolog(ctx, m.DeviceID)
		return prolog, answer, err
	case report.Contact:
		return contact, report.FallBack(), nil
	case report.Inventory:
		got, err := in.Agents.Report(ctx,
			agents.Delivery{By: p.by, Report: m.Report, Sum: scan.Sum, Admit: admit.ask, Yield: func() error {
				return in.releasePlaces(ctx, p)
			}})
		p.key = got.Key
		return outcomes[got.Outcome], taken, err
	}
	return other, taken, nil
}

// prolog answers an agent that asks whether to send its inventory.
func (in *Intake) prolog(ctx context.Context, deviceID string) (report.Answer, error) {
	hours, rest := in.Agents.AgentHours(), in.Agents.AgentRest()
	if rest == 0 {
		return report.Send(hours), nil
	}
	last, err := in.Agents.LastReport(ctx, deviceID)
	if err != nil {
		return report.Answer{}, err
	}
	if in.Now().Sub(last) < rest {
		return report.Stop(hours), nil
	}
	return report.Send(hours), nil
}

// turn waits until the post may be unpacked and read.
func (p *post) turn(ctx context.Context, readers *front.Gate) error {
	if p.read != nil {
		return nil
	}
	if err := readers.Enter(ctx); err != nil {
		return err
	}
	p.read = readers
	return nil
}

// rest gives the turn to the next post.
func (p *post) rest() {
	if p.read != nil {
		p.read.Leave()
		p.read = nil
	}
}

// restIfSmall is rest, unless the document takes so much memory that the next must wait.
func (p *post) restIfSmall(body *report.Body) {
	if body.Size() <= smallDocument {
		p.rest()
	}
}

// releasePlaces passes on the places and the turn of a post that must be processed one at a time. A post that still
// had its turn has a document that takes much memory, and few of these may wait.
func (in *Intake) releasePlaces(ctx context.Context, p *post) error {
	gates, had := []*front.Gate{in.alone}, len(p.places)
	if p.read != nil {
		gates = append(gates, in.vast)
	}
	if err := p.acquire(ctx, gates...); err != nil {
		return err
	}
	p.leave(had)
	p.rest()
	return nil
}
