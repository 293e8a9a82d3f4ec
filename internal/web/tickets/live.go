package tickets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// How live pages are kept: the database is asked so often for what is new and for
// the session, so that a page ends within two seconds of it, and the client hears
// something at least so often. A client that takes nothing for liveWrite is gone.
const (
	liveEvery      = 1500 * time.Millisecond
	keepAliveEvery = 10 * time.Second
	liveWrite      = time.Minute
)

// A watchFunc returns what a live page follows: whenever that is another than
// before, the page is told.
type watchFunc func(ctx context.Context, who desk.Caller) (any, error)

// Follow tells a page when something was said or changed in its ticket.
func Follow(c *page.Call) (*page.Answer, error) {
	id, err := c.ID(inventory.Tickets.Schema)
	if err != nil {
		return nil, err
	}
	return follow(c, func(ctx context.Context, who desk.Caller) (any, error) {
		return c.App.Desk.TicketVersion(ctx, who, id)
	})
}

// follow answers with events, for as long as the client listens. That holds no
// place in the gate: it is mostly waiting.
func follow(c *page.Call, at watchFunc) (*page.Answer, error) {
	first, err := at(c.Context(), c.Who())
	if err != nil {
		return nil, err
	}
	c.Writer.Header().Set("Content-Type", "text/event-stream")
	a := &page.Answer{Status: http.StatusOK}
	if c.Method == http.MethodHead {
		a.Stream = func(io.Writer) error { return nil }
		return a, nil
	}
	if !c.App.Live.Enter(c.User.ID) {
		c.Writer.Header().Del("Content-Type")
		return nil, front.TooMany(keepAliveEvery, page.LimitLive, "too many pages of this user are open")
	}
	front.Of(c.Request).Lasting = true
	a.Stream = func(w io.Writer) error {
		defer c.App.Live.Leave(c.User.ID)
		return (&listener{Call: c, control: http.NewResponseController(c.Writer), look: at, last: first,
			secret: c.CookieValue(c.CookieName(page.SessionCookie))}).listen(w)
	}
	return a, nil
}

// A listener is a client that is told what is new.
type listener struct {
	*page.Call
	control *http.ResponseController
	look    watchFunc
	last    any
	counted string // what the navigation tells of tickets, as the client knows it
	secret  string // of the session
}

// listen tells the client what is new until it goes, the server stops, or the
// session ends.
func (l *listener) listen(w io.Writer) error {
	ctx := l.Request.Context()
	_ = l.control.SetReadDeadline(time.Time{}) // nothing more is read; otherwise the server's limit would end it
	look, beat := time.NewTicker(liveEvery), time.NewTicker(keepAliveEvery)
	defer look.Stop()
	defer beat.Stop()
	if err := l.changed(ctx, w); err != nil { // the page may be older than this
		return err
	}
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-l.App.Stopping:
			return nil
		case <-look.C:
			err = l.compare(ctx, w)
		case <-beat.C:
			err = l.keepAlive(ctx, w)
		}
		if err != nil {
			return l.end(w, err)
		}
	}
}

// compare tells the client if something is another than before, and the session
// still is.
func (l *listener) compare(ctx context.Context, w io.Writer) error {
	user, err := l.App.Access.PeekSession(ctx, l.secret)
	if err != nil {
		return err
	}
	l.User = user // whose rights may be others now
	now, err := l.look(ctx, l.Who())
	if err != nil || now == l.last {
		return err
	}
	l.last = now
	return l.changed(ctx, w)
}

// changed tells the client what it follows.
func (l *listener) changed(ctx context.Context, w io.Writer) error {
	if err := l.event(w, "changed", l.last); err != nil {
		return err
	}
	return l.count(ctx, w)
}

// A navNews is what the navigation tells of a section from now on.
type navNews struct {
	Href string `json:"href"`
	Text string `json:"text"`
}

// count tells the client how many tickets are open, if that is another number
// than before. It is asked for when something has changed, and else with the
// beat: it costs more than what the page follows.
func (l *listener) count(ctx context.Context, w io.Writer) error {
	s := records.SectionOf(l.App, inventory.Tickets.Schema)
	if !s.Access.Allows(l.User) {
		return nil
	}
	q, err := s.Query(l.Call, page.MustQuery(OpenStates))
	if err != nil {
		return err
	}
	total, err := l.App.Desk.Total(ctx, l.Who(), s.Kind, q)
	if text := l.Number(total); err == nil && text != l.counted {
		l.counted = text
		err = l.event(w, "counted", navNews{l.App.At("/" + s.Path), text})
	}
	return err
}

// event sends an event with its data.
func (l *listener) event(w io.Writer, name string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return l.send(w, fmt.Sprintf("event: %s\ndata: %s\n\n", name, text))
}

// keepAlive shows the client that the server is there.
func (l *listener) keepAlive(ctx context.Context, w io.Writer) error {
	if err := l.send(w, ": still here\n\n"); err != nil {
		return err
	}
	return l.count(ctx, w)
}

// end tells the client that there will be nothing more, when the session has
// ended or what it follows is gone: the page must be asked for again, which tells
// why. After other errors browsers come back by themselves.
func (l *listener) end(w io.Writer, err error) error {
	if _, refused := errors.AsType[*desk.Error](err); !refused && !errors.Is(err, access.ErrNoSession) {
		return err
	}
	return l.send(w, "event: end\ndata: {}\n\n")
}

// send sends something at once. The limit of the server for a whole answer does
// not hold; each piece has its own.
func (l *listener) send(w io.Writer, text string) error {
	if err := l.control.SetWriteDeadline(time.Now().Add(liveWrite)); err != nil {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	return l.control.Flush()
}
