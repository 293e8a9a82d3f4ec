// Package limit limits how often something is done: at a rate per key, or a number per window of time. The
// memory for keys is limited too. What is counted, and the answer to a caller who exceeds a limit, do not
// belong here.
package limit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxTracked is how many keys a limiter keeps.
const maxTracked = 50_000

// A Rate limits how often each key comes per second.
type Rate struct {
	mu    sync.Mutex
	now   func() time.Time
	rate  int
	byKey map[string]*rate.Limiter
}

// NewRate returns a limiter of so many times a second, 0 for no limit.
func NewRate(perSecond int, now func() time.Time) *Rate {
	return &Rate{now: now, rate: perSecond, byKey: map[string]*rate.Limiter{}}
}

// Take counts one event and returns how long the key must wait, 0 when it may proceed.
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

// makeRoom removes an arbitrary entry of a full map.
func makeRoom[K comparable, V any](m map[K]V) {
	for key := range m {
		if len(m) < maxTracked {
			return
		}
		delete(m, key)
	}
}
