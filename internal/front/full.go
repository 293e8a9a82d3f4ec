package front

import (
	"sync"
	"time"

	"muster/internal/message"
)

// fullTime is how long after a change that found the disk full the service says
// so to those who watch it; the next one after it is told to the log again.
const fullTime = time.Minute

// A fullDisk remembers when a change last found the disk full.
type fullDisk struct {
	mu   sync.Mutex
	last time.Time
}

// meet notes such a change, and reports whether it is the first for some time.
func (f *fullDisk) meet(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	first := now.Sub(f.last) > fullTime
	f.last = now
	return first
}

// recent reports whether there was such a change a short time ago.
func (f *fullDisk) recent(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return now.Sub(f.last) <= fullTime
}

// meetFull adds to the answer of a change for which there is no room what can
// be done. The log is told once, not of each: it may be on the same disk.
func (f *Front) meetFull(e *Error, err error) {
	short, exact := f.Remedy()
	e.Faults[0] = message.New("%s; an administrator can %s", e.Faults[0], short)
	if f.full.meet(f.Now()) {
		f.Log.Error("the disk of the database is full: reading goes on, and changes are answered 507 until there is room",
			"remedy", exact, "error", err)
	}
}
