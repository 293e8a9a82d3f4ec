package server

import (
	"cmp"
	"io"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"muster/internal/front"
)

// A request whose head or body comes at less than slowPace after slowAfter is slow, and a
// network may have maxSlow of them.
const (
	slowAfter    = 5 * time.Second
	slowPace     = 1 << 10 // bytes a second
	maxSlow      = 64
	slowCheck    = time.Second // how often that is looked at
	slowLogEvery = time.Minute // how often it is logged
)

// arrivals are the requests that are not yet received completely, by the networks that
// send them. Whoever sends slowly takes up a connection, and nobody shall take up those
// of others. A network with more of them than enough is a crowd. They are guarded by
// the lock of the connections.
type arrivals struct {
	enough  int
	now     func() time.Time
	front   *front.Front
	logging rate.Sometimes
	all     map[*arrival]struct{}
	sizes   map[netip.Prefix]int
	crowds  int   // how many networks are
	ended   int64 // requests before all of them had come
}

// An arrival is a request of which not all has come.
type arrival struct {
	of       *connection
	from     netip.Prefix
	since    time.Time
	received atomic.Int64
	// Of a body, else nil: its source, and with HTTP/2 what ends this request only.
	body    io.ReadCloser
	control *http.ResponseController
	refused atomic.Bool
}

func newArrivals(enough int, now func() time.Time, d *front.Front) arrivals {
	return arrivals{
		enough: enough, now: now, front: d, logging: rate.Sometimes{Interval: slowLogEvery},
		all: map[*arrival]struct{}{}, sizes: map[netip.Prefix]int{},
	}
}

// arrive begins to count a request for a network, unless none is to be counted.
func (s *arrivals) arrive(a *arrival, from netip.Prefix, counts bool) {
	if !counts {
		return
	}
	a.from, a.since = from, s.now()
	s.all[a] = struct{}{}
	s.sizes[from]++
	if s.sizes[from] == s.enough+1 {
		s.crowds++
	}
}

// depart ends that, also of a request that is not counted.
func (s *arrivals) depart(a *arrival) {
	if _, counted := s.all[a]; !counted {
		return
	}
	delete(s.all, a)
	if s.sizes[a.from] == s.enough+1 {
		s.crowds--
	}
	if s.sizes[a.from]--; s.sizes[a.from] == 0 {
		delete(s.sizes, a.from)
	}
}

// headArrives begins the first request of a connection.
func (s *arrivals) headArrives(of *connection) {
	of.arriving.of = of
	from, counts := s.front.Counted(of.peer, nil)
	s.arrive(&of.arriving, from, counts)
}

// crowded reports whether a peer's network has more than enough.
func (s *arrivals) crowded(peer netip.Addr) bool {
	if s.crowds == 0 {
		return false
	}
	from, counts := s.front.Counted(peer, nil)
	return counts && s.sizes[from] > s.enough
}

// newestOfCrowd returns the newest request of the largest crowd, nil when there is none.
func (s *arrivals) newestOfCrowd() (newest *arrival) {
	if s.crowds == 0 {
		return nil
	}
	for a := range s.all {
		if s.sizes[a.from] <= s.enough {
			continue
		}
		if newest == nil || cmp.Or(cmp.Compare(s.sizes[a.from], s.sizes[newest.from]),
			a.since.Compare(newest.since)) > 0 {
			newest = a
		}
	}
	return newest
}

// slow reports whether the request came slowly until now.
func (a *arrival) slow(now time.Time) bool {
	return now.Sub(a.since) > slowAfter && a.pace(now) < slowPace
}

// pace returns how many bytes of the request came in a second.
func (a *arrival) pace(now time.Time) float64 {
	return float64(a.received.Load()) / now.Sub(a.since).Seconds()
}

// watchSlow ends slow requests of those who have too many, until the server stops.
func (c *connections) watchSlow(stop <-chan struct{}) {
	tick := time.NewTicker(slowCheck)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			c.endSlow()
		}
	}
}

// endSlow ends the slowest requests of each network that has too many slow ones, and of
// those as slow the newest.
func (c *connections) endSlow() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, slow := c.now(), map[netip.Prefix][]*arrival{}
	for a := range c.all {
		if a.slow(now) {
			slow[a.from] = append(slow[a.from], a)
		}
	}
	for from, those := range slow {
		if len(those) <= maxSlow {
			continue
		}
		slices.SortFunc(those, func(a, b *arrival) int {
			return cmp.Or(cmp.Compare(b.pace(now), a.pace(now)), a.since.Compare(b.since))
		})
		for _, a := range those[maxSlow:] {
			c.depart(a)
			c.ended++
			a.refuse()
		}
		c.arrivals.logging.Do(func() {
			c.log.Warn("slow requests are ended: their address has too many of them", "address", from,
				"at once", len(those), "ended so far", c.ended)
		})
	}
}

// refuse ends the request: the reader of a body, which answers, finds that its time is over.
func (a *arrival) refuse() {
	if a.body == nil {
		go func() { _ = a.of.conn.Close() }() // TLS says goodbye, which may take a while
		return
	}
	a.refused.Store(true)
	past := time.Unix(1, 0)
	if a.control != nil {
		_ = a.control.SetReadDeadline(past)
	} else {
		_ = a.of.conn.SetReadDeadline(past)
	}
}

// connectionKey finds the connection of a request in its context.
type connectionKey struct{}

// receive counts the bodies of requests while they arrive. With HTTP/1.1 that goes on
// after the answer, since net/http reads what is left.
func (c *connections) receive(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		of := r.Context().Value(connectionKey{}).(*connection)
		if r.Body == http.NoBody {
			c.left(&of.arriving)
			next.ServeHTTP(w, r)
			return
		}
		a := &of.arriving
		if r.ProtoMajor > 1 {
			a = &arrival{of: of, control: http.NewResponseController(w)}
			defer c.left(a)
		}
		// a copy: by the body of its own net/http knows whether a client waits for 100 Continue
		r = r.WithContext(r.Context())
		c.bodyArrives(a, r)
		next.ServeHTTP(w, r)
	})
}

// bodyArrives begins to count a body for the network of its client.
func (c *connections) bodyArrives(a *arrival, r *http.Request) {
	from, counts := c.front.Counted(a.of.peer, r.Header)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.depart(a) // as a head
	a.received.Store(0)
	a.refused.Store(false)
	a.body, r.Body = r.Body, a
	_, open := c.open[a.of.conn] // else it has just made room for another
	c.arrive(a, from, counts && open)
}

// left ends the count of a request that has come whole, or never will.
func (c *connections) left(a *arrival) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.depart(a)
}

// Read reads from the body.
func (a *arrival) Read(p []byte) (int, error) {
	if a.refused.Load() { // whoever reads may have given it more time since
		return 0, os.ErrDeadlineExceeded
	}
	n, err := a.body.Read(p)
	a.received.Add(int64(n))
	if err != nil {
		a.of.in.left(a)
	}
	if a.refused.Load() { // also when the rest has just come
		err = os.ErrDeadlineExceeded
	}
	return n, err
}

// Close closes the body.
func (a *arrival) Close() error { return a.body.Close() }

// EndSlow ends slow requests of those who have too many now, for tests, which set the clock.
func (s *Server) EndSlow() { s.connections.endSlow() }
