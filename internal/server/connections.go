package server

import (
	"container/list"
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// connections keeps the number of connections within a limit. When it is
// reached, the one that has been idle longest makes room for a new one; while
// all are busy, new ones are closed at once.
type connections struct {
	limit   int
	log     *slog.Logger
	telling rate.Sometimes

	mu              sync.Mutex
	open            map[net.Conn]*connection
	idle            list.List // of *connection, the one that has been idle longest first
	dropped, closed int64     // idle ones that made room, new ones without room
}

// A connection is what is known of one.
type connection struct {
	conn   net.Conn
	place  *list.Element // among the idle ones, nil while it is busy
	since  time.Time     // when it became idle
	known  bool          // it was idle before
	starve *time.Timer   // closes it, nil if nothing is to be waited for
}

// tellEvery is how often the log tells that connections are refused.
const tellEvery = 10 * time.Second

func newConnections(limit int, log *slog.Logger) *connections {
	return &connections{limit: limit, log: log, telling: rate.Sometimes{Interval: tellEvery}, open: map[net.Conn]*connection{}}
}

// note is told of each connection's state by the HTTP server.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.open[conn]
	if of == nil {
		of = &connection{conn: conn}
	}
	c.leaveIdle(of)
	switch state {
	case http.StateNew, http.StateActive:
		c.open[conn] = of
	case http.StateIdle:
		c.open[conn] = of
		c.enterIdle(of)
	default:
		delete(c.open, conn)
	}
}

// enterIdle puts a connection behind all idle ones. One with HTTP/2 is idle at
// first before it has made any request, for which it has as much time as one
// with HTTP/1.1; the HTTP server alone would give it idleTime.
func (c *connections) enterIdle(of *connection) {
	of.place, of.since = c.idle.PushBack(of), time.Now()
	if !of.known && isHTTP2(of.conn) {
		of.starve = time.AfterFunc(headerTime, func() { _ = of.conn.Close() })
	}
	of.known = true
}

func (c *connections) leaveIdle(of *connection) {
	if of.place != nil {
		c.idle.Remove(of.place)
		of.place = nil
	}
	if of.starve != nil {
		of.starve.Stop()
		of.starve = nil
	}
}

func isHTTP2(conn net.Conn) bool {
	t, ok := conn.(*tls.Conn)
	return ok && t.ConnectionState().NegotiatedProtocol == "h2"
}

// admit reports whether there is room for one more connection, or makes some.
func (c *connections) admit() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) < c.limit {
		return true
	}
	longest := c.idle.Front()
	if longest != nil {
		of := longest.Value.(*connection)
		c.leaveIdle(of)
		delete(c.open, of.conn)
		go func() { _ = of.conn.Close() }() // TLS says goodbye, which may take a while
		c.dropped++
	} else {
		c.closed++
	}
	c.telling.Do(func() {
		c.log.Warn("all connections are taken; more are allowed by --max-connections", "limit", c.limit,
			"idle ones closed so far", c.dropped, "new ones closed so far", c.closed)
	})
	return longest != nil
}

// Times of the end: a client that got an answer less than quietTime ago may be
// sending its next request, which is waited for, up to settleTime in all.
const (
	quietTime  = 500 * time.Millisecond
	settleTime = 2 * time.Second
	settlePoll = 10 * time.Millisecond
)

// settle waits until no client can be in the middle of a request, or for
// settleTime. net/http closes idle connections without a look at what has
// arrived on them.
func (c *connections) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	tick := time.NewTicker(settlePoll)
	defer tick.Stop()
	for !c.quiet(time.Now()) {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// quiet reports whether all connections have been idle for quietTime.
func (c *connections) quiet(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.idle.Back()
	return c.idle.Len() == len(c.open) && (last == nil || now.Sub(last.Value.(*connection).since) >= quietTime)
}

// Connections is how many connections there are and were.
type Connections struct {
	Open   int
	Idle   int
	Closed int64 // since the start, to keep to the limit
}

// Connections returns how many connections there are.
func (s *Server) Connections() Connections {
	c := s.connections
	c.mu.Lock()
	defer c.mu.Unlock()
	return Connections{Open: len(c.open), Idle: c.idle.Len(), Closed: c.dropped + c.closed}
}

// A limitedListener hands out connections while there is room for them.
type limitedListener struct {
	net.Listener
	connections *connections
	close       func() error // once, also when it is called again
}

func newLimitedListener(l net.Listener, c *connections) *limitedListener {
	return &limitedListener{l, c, sync.OnceValue(l.Close)}
}

// Accept returns the next connection for which there is room.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil || l.connections.admit() {
			return conn, err
		}
		_ = conn.Close() // nothing was said yet
	}
}

// Close closes the listener.
func (l *limitedListener) Close() error { return l.close() }
