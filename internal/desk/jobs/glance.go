package jobs

import (
	"context"
	"sync"
	"time"

	"muster/internal/store"
	"muster/internal/store/queue"
)

// A Glance is what each page says of jobs.
type Glance struct {
	queue.Sum      // of the person's own
	Held      bool // jobs that reach outside, until somebody lets them go on
}

// How long it is remembered that there is nothing to say: on SQLite this process alone adds jobs, and forgets it then.
const (
	quietAlone  = time.Minute
	quietShared = 5 * time.Second
)

// A quiet remembers for which users there was nothing to say, so that pages of people without jobs ask nothing.
type quiet struct {
	mu    sync.Mutex
	turn  int64 // counts how often it was forgotten
	until map[int64]time.Time
}

// knows reports whether there is nothing to say to a user, and else the turn for remember.
func (q *quiet) knows(user int64) (nothing bool, turn int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return time.Now().Before(q.until[user]), q.turn
}

// remember keeps that there was nothing to say to a user, unless something was added since.
func (q *quiet) remember(user, turn int64, kept time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if turn != q.turn {
		return
	}
	if q.until == nil {
		q.until = map[int64]time.Time{}
	}
	q.until[user] = time.Now().Add(kept)
}

// forget is called when a job was added, or jobs are held no more.
func (q *quiet) forget() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.turn++
	clear(q.until)
}

// Glance returns what each page says of jobs to a user.
func (s *Service) Glance(ctx context.Context, user int64) (g Glance, err error) {
	nothing, turn := s.quiet.knows(user)
	if nothing {
		return g, nil
	}
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		var held []byte
		g.Sum, held, err = queue.SumOf(ctx, tx, user, s.desk.Now(), heldMeta)
		g.Held = string(held) == restored
		return err
	})
	if err == nil && g == (Glance{}) {
		kept := quietAlone
		if s.desk.Store().Shared() {
			kept = quietShared
		}
		s.quiet.remember(user, turn, kept)
	}
	return g, err
}
