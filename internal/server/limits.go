package server

import (
	"cmp"
	"net/http"
	"time"
)

// Limits of connections.
const (
	headerTime = 5 * time.Second
	bodyTime   = 60 * time.Second
	idleTime   = 90 * time.Second
	maxHeader  = 16 << 10
	maxStreams = 100 // requests at the same time on one connection with HTTP/2
	maxFrame   = 16 << 10
	ownFiles   = 128 // open files that are not connections: the database's, and those to it
)

// maxWait returns how long requests wait for their turn.
func (c *Config) maxWait() time.Duration { return cmp.Or(c.MaxWait, 2*time.Second) }

// http2Limits are the limits that HTTP/2 has besides. A frame is kept in memory
// whole, and a connection on which nothing can be sent has nothing else that
// would end it.
func http2Limits() *http.HTTP2Config {
	return &http.HTTP2Config{MaxConcurrentStreams: maxStreams, MaxReadFrameSize: maxFrame, WriteByteTimeout: bodyTime}
}

// connectionLimit returns how many connections are taken: so many that the
// database's files can always be opened.
func (cfg *Config) connectionLimit() int {
	room := max(1, maxFiles()-ownFiles)
	if cfg.MaxConnections > room {
		cfg.Log.Warn("the limit of open files is too low for --max-connections; raise it, for example with LimitNOFILE in systemd or ulimit -Hn",
			"wanted", cfg.MaxConnections, "connections", room)
	}
	if cfg.MaxConnections <= 0 {
		return room
	}
	return min(room, cfg.MaxConnections)
}

// untilStopped asks clients to end their connection with the answer once the
// server stops, so that nobody sends a request that would not be read.
func (s *Server) untilStopped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-s.stopping:
			w.Header().Set("Connection", "close")
		default:
		}
		next.ServeHTTP(w, r)
	})
}
