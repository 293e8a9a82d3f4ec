package page

import "sync"

// How many live pages there may be: of one user, and of all.
const (
	livePerUser = 8
	liveInAll   = 512
)

// livePages counts the open pages that receive live updates.
type livePages struct {
	mu     sync.Mutex
	byUser map[int64]int
	all    int
}

// Enter takes a place for a page of a user, unless all are taken.
func (l *livePages) Enter(user int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= liveInAll || l.byUser[user] >= livePerUser {
		return false
	}
	if l.byUser == nil {
		l.byUser = map[int64]int{}
	}
	l.byUser[user]++
	l.all++
	return true
}

// Leave gives a place back.
func (l *livePages) Leave(user int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.byUser[user]--; l.byUser[user] == 0 {
		delete(l.byUser, user)
	}
}
