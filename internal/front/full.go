package front

import (
	"sync"
	"time"

	"muster/internal/message"
)

// fullTime is how long health checks report a full disk after a change that found it
// full. The next such change after that is logged again.
const fullTime = time.Minute

// A fullDisk remembers when a change last found the disk full.
type fullDisk struct {
	mu   sync.Mutex
	last time.Time
}

// meet records a change that found the disk full, and reports whether it is the first
// for some time.
func (f *fullDisk) meet(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	first := now.Sub(f.last) > fullTime
	f.last = now
	return first
}

// recent reports whether a change found the disk full a short time ago.
func (f *fullDisk) recent(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return now.Sub(f.last) <= fullTime
}

// meetFull adds the remedy to the answer of a change that found the disk full. It logs
// the first such change only, since the log may be on the same disk.
func (f *Front) meetFull(e *Error, err error) {
	short, exact := f.Remedy()
	e.Faults[0] = message.New("%s; an administrator can %s", e.Faults[0], short)
	if f.full.meet(f.Now()) {
		f.Log.Error("the disk of the database is full: reading still works, and changes are answered 507 until there is room",
			"remedy", exact, "error", err)
	}
}
