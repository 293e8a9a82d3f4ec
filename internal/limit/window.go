package limit

import (
	"sync"
	"time"
)

// Windows count how often each key comes, in windows of time that begin with the key's first event.
type Windows[K comparable] struct {
	mu     sync.Mutex
	now    func() time.Time
	length time.Duration
	byKey  map[K]*window
}

// A window is the count of a key until its end.
type window struct {
	ends  time.Time
	count int
}

// NewWindows returns windows of a length.
func NewWindows[K comparable](length time.Duration, now func() time.Time) *Windows[K] {
	return &Windows[K]{now: now, length: length, byKey: map[K]*window{}}
}

// Add counts n events.
func (l *Windows[K]) Add(key K, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.at(key, l.now())
	w.count = max(0, w.count+n) // a window may have begun in the meantime, so that n is negative
}

// Take counts one event, unless the key has reached the limit: then it returns how long the key must wait. A
// limit of 0 is none.
func (l *Windows[K]) Take(key K, limit int) time.Duration {
	if limit <= 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	w := l.at(key, now)
	if w.count >= limit {
		return w.ends.Sub(now)
	}
	w.count++
	return 0
}

// Full returns how long a key must wait that has reached the limit, 0 for one that has not.
func (l *Windows[K]) Full(key K, limit int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w := l.byKey[key]; w != nil && w.count >= limit {
		return max(0, w.ends.Sub(l.now()))
	}
	return 0
}

// Left returns how many events of a key are left.
func (l *Windows[K]) Left(key K, limit int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(0, limit-l.at(key, l.now()).count)
}

// Len returns how many keys are kept.
func (l *Windows[K]) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.byKey)
}

// at returns the window of a key at a time, a new one after its end.
func (l *Windows[K]) at(key K, now time.Time) *window {
	w := l.byKey[key]
	if w == nil || !now.Before(w.ends) {
		makeRoom(l.byKey)
		w = &window{ends: now.Add(l.length)}
		l.byKey[key] = w
	}
	return w
}
