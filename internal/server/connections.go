package server

import (
	"container/list"
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"muster/internal/front"
)

// connections keeps the number of connections within a limit. When it is
// reached, the one that has been idle longest makes room for a new one; while
// all are busy, the newest request that is arriving from a crowd does; and while
// there is none, new ones are closed at once.
type connections struct {
	limit   int
	log     *slog.Logger
	logging rate.Sometimes

	mu              sync.Mutex
	open            map[net.Conn]*connection
	idle            list.List // of *connection, the one that has been idle longest first
	dropped, closed int64     // idle ones that made room, new ones without room
	arrivals
}

// A connection is what is known of one.
type connection struct {
	in     *connections
	conn   net.Conn
	place  *list.Element // among the idle ones, nil while it is busy
	since  time.Time     // when it became idle
	known  bool          // it was idle before
	starve *time.Timer   // closes it, nil if nothing is to be waited for

	peer     netip.Addr
	arriving arrival // the head of its first request; with HTTP/1.1 also each body
}

// logEvery is how often refused connections are logged.
const logEvery = 10 * time.Second

func newConnections(limit int, cfg *Config, d *front.Front) *connections {
	return &connections{
		limit: limit, log: cfg.Log, logging: rate.Sometimes{Interval: logEvery}, open: map[net.Conn]*connection{},
		arrivals: newArrivals(min(maxSlow, max(1, limit/4)), cfg.Now, d),
	}
}

// peerOf returns the address of the other end of a connection.
func peerOf(conn net.Conn) netip.Addr {
	if a, ok := conn.RemoteAddr().(*net.TCPAddr); ok {
		return a.AddrPort().Addr()
	}
	return netip.Addr{}
}

// begin notes a new connection, which its requests find in their context.
func (c *connections) begin(ctx context.Context, conn net.Conn) context.Context {
	of := &connection{in: c, conn: conn, peer: peerOf(conn)}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[conn] = of
	c.headArrives(of)
	return context.WithValue(ctx, connectionKey{}, of)
}

// note is the HTTP server's callback for changes of a connection's state.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.open[conn]
	if of == nil {
		return // it has made room for another
	}
	c.leaveIdle(of)
	switch state {
	case http.StateIdle:
		c.depart(&of.arriving)
		c.enterIdle(of)
	case http.StateClosed, http.StateHijacked:
		c.depart(&of.arriving)
		delete(c.open, conn)
	}
}

// enterIdle puts a connection behind all idle ones. A connection with HTTP/2 is idle
// before its first request, for which it gets as much time as one with HTTP/1.1; the
// HTTP server by itself would give it idleTime.
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
func (c *connections) admit(peer netip.Addr) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) < c.limit {
		return true
	}
	made := c.makeRoom(peer)
	c.logging.Do(func() {
		c.log.Warn("all connections are in use; allow more with --max-connections", "limit", c.limit,
			"idle ones closed so far", c.dropped, "new ones closed so far", c.closed,
			"slow ones closed so far", c.ended)
	})
	return made
}

// makeRoom closes a connection for one of a peer, and reports whether it did. A peer
// who has more requests under way than others may have gets no more room.
func (c *connections) makeRoom(peer netip.Addr) bool {
	var of *connection
	if !c.crowded(peer) {
		if longest := c.idle.Front(); longest != nil {
			of = longest.Value.(*connection)
			c.dropped++
		} else if newest := c.newestOfCrowd(); newest != nil {
			of = newest.of
			c.depart(newest)
			c.ended++
		}
	}
	if of == nil {
		c.closed++
		return false
	}
	c.leaveIdle(of)
	delete(c.open, of.conn)
	go func() { _ = of.conn.Close() }() // TLS says goodbye, which may take a while
	return true
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
	Ended  int64 // since the start, requests while they were arriving, of addresses with too many
}

// Connections returns how many connections there are.
func (s *Server) Connections() Connections {
	c := s.connections
	c.mu.Lock()
	defer c.mu.Unlock()
	return Connections{Open: len(c.open), Idle: c.idle.Len(), Closed: c.dropped + c.closed, Ended: c.ended}
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
		if err != nil || l.connections.admit(peerOf(conn)) {
			return conn, err
		}
		_ = conn.Close() // nothing was said yet
	}
}

// Close closes the listener.
func (l *limitedListener) Close() error { return l.close() }
