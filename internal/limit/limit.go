// Package limit bounds how often something is done: a rate for each key, or a number in each window of time. What it
// remembers is bounded too, whatever keys clients think of.
package limit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxTracked is how many keys a limiter remembers.
const maxTracked = 50_000

// A Rate bounds how often each key comes a second.
type Rate struct {
	mu    sync.Mutex
	now   func() time.Time
	rate  int
	byKey map[string]*rate.Limiter
}

// NewRate returns a limiter of so many times a second, 0 for any.
func NewRate(perSecond int, now func() time.Time) *Rate {
	return &Rate{now: now, rate: perSecond, byKey: map[string]*rate.Limiter{}}
}

// Take counts one time and returns how long the key has to wait, 0 when it may
// go on.
func (l *Rate) Take(key string) time.Duration {
	if l.rate <= 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	bucket := l.byKey[key]
	if bucket == nil {
		makeRoom(l.byKey)
		bucket = rate.NewLimiter(rate.Limit(l.rate), l.rate)
		l.byKey[key] = bucket
	}
	if bucket.AllowN(l.now(), 1) {
		return 0
	}
	return time.Second
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
