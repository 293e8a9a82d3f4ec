package api

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxTracked is how many users or addresses a limiter remembers.
const maxTracked = 50_000

// A requestLimiter bounds the requests of each user.
type requestLimiter struct {
	mu     sync.Mutex
	now    func() time.Time
	rate   int
	byUser map[string]*rate.Limiter
}

func newRequestLimiter(perSecond int, now func() time.Time) *requestLimiter {
	return &requestLimiter{now: now, rate: perSecond, byUser: map[string]*rate.Limiter{}}
}

// take counts a request and returns how long the user has to wait, 0 when the
// request may go on.
func (l *requestLimiter) take(user string) time.Duration {
	if l.rate <= 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	bucket := l.byUser[user]
	if bucket == nil {
		makeRoom(l.byUser)
		bucket = rate.NewLimiter(rate.Limit(l.rate), l.rate)
		l.byUser[user] = bucket
	}
	if bucket.AllowN(l.now(), 1) {
		return 0
	}
	return time.Second
}

// addressFactor is how many times more failures an address may have than one
// user from it.
const addressFactor = 5

// A failureLimiter bounds failed logins by user and address, and by address.
// Never by user alone: that would lock people out.
type failureLimiter struct {
	mu      sync.Mutex
	now     func() time.Time
	limit   int
	windows map[loginKey]*window
}

// A loginKey is a user at an address, or the whole address when user is "".
type loginKey struct{ user, address string }

// A window counts the failures of a minute.
type window struct {
	ends  time.Time
	count int
}

func newFailureLimiter(perMinute int, now func() time.Time) *failureLimiter {
	return &failureLimiter{now: now, limit: perMinute, windows: map[loginKey]*window{}}
}

// blocked returns how long a user at an address has to wait, or with "" the
// whole address.
func (l *failureLimiter) blocked(user, address string) time.Duration {
	if l.limit <= 0 {
		return 0
	}
	limit := l.limit
	if user == "" {
		limit *= addressFactor
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.windows[loginKey{user, address}]
	if w == nil || w.count <= limit {
		return 0
	}
	return max(0, w.ends.Sub(l.now()))
}

// add counts a failed login, of a token without a user.
func (l *failureLimiter) add(user, address string) {
	if l.limit <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	keys := []loginKey{{"", address}}
	if user != "" {
		keys = append(keys, loginKey{user, address})
	}
	for _, key := range keys {
		w := l.windows[key]
		if now := l.now(); w == nil || !now.Before(w.ends) {
			makeRoom(l.windows)
			w = &window{ends: now.Add(time.Minute)}
			l.windows[key] = w
		}
		w.count++
	}
}

// makeRoom forgets an arbitrary entry of a map that is full.
func makeRoom[K comparable, V any](m map[K]V) {
	for key := range m {
		if len(m) < maxTracked {
			return
		}
		delete(m, key)
	}
}
