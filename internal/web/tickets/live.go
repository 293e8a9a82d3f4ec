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

// Live pages check the database for news and for the session every liveEvery, so that a
// page ends within two seconds of its session, and the client gets something at least
// every keepAliveEvery. A client that takes nothing for liveWrite is gone.
const (
	liveEvery      = 1500 * time.Millisecond
	keepAliveEvery = 10 * time.Second
	liveWrite      = time.Minute
)

// A watchFunc returns the value that a live page follows. The page is notified whenever
// it has changed.
type watchFunc func(ctx context.Context, who desk.Caller) (any, error)

// Follow notifies a page of new comments and changes of its ticket.
func Follow(c *page.Call) (*page.Answer, error) {
	id, err := c.ID(inventory.Tickets.Schema)
	if err != nil {
		return nil, err
	}
	return follow(c, func(ctx context.Context, who desk.Caller) (any, error) {
		return c.App.Desk.TicketVersion(ctx, who, id)
	})
}

// follow answers with events, for as long as the client listens. It takes no place in
// the gate, since it mostly waits.
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

// A listener is a client that receives events.
type listener struct {
	*page.Call
	control *http.ResponseController
	look    watchFunc
	last    any
	counted string // the number of tickets in the navigation, as the client last got it
	secret  string // of the session
}

// listen sends events until the client goes, the server stops, or the session ends.
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

// compare sends an event if the followed value has changed. It returns an error if the
// session has ended.
func (l *listener) compare(ctx context.Context, w io.Writer) error {
	user, err := l.App.Access.PeekSession(ctx, l.secret)
	if err != nil {
		return err
	}
	l.User = user // whose rights may have changed
	now, err := l.look(ctx, l.Who())
	if err != nil || now == l.last {
		return err
	}
	l.last = now
	return l.changed(ctx, w)
}

// changed sends the followed value.
func (l *listener) changed(ctx context.Context, w io.Writer) error {
	if err := l.event(w, "changed", l.last); err != nil {
		return err
	}
	return l.count(ctx, w)
}

// A navNews is the new number of a section in the navigation.
type navNews struct {
	Href string `json:"href"`
	Text string `json:"text"`
}

// count sends the number of open tickets if it has changed. It is called after a change
// and with each keep-alive only, since it costs more than the followed value.
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

// end sends the last event when the session has ended or the followed record is gone, so
// that the browser reloads the page, which shows why. After other errors browsers
// reconnect by themselves.
func (l *listener) end(w io.Writer, err error) error {
	if _, refused := errors.AsType[*desk.Error](err); !refused && !errors.Is(err, access.ErrNoSession) {
		return err
	}
	return l.send(w, "event: end\ndata: {}\n\n")
}

// send sends a text at once. It replaces the server's time limit for a whole answer by
// one for each piece.
func (l *listener) send(w io.Writer, text string) error {
	if err := l.control.SetWriteDeadline(time.Now().Add(liveWrite)); err != nil {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	return l.control.Flush()
}
