package imports

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"sync"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/imports"
	"muster/internal/front"
	"muster/internal/message"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// Imports are kept in the memory of this server: at most maxImports at a time, one for
// each person unless it runs, and each for importTime after it was last looked at.
const (
	maxImports = 3
	importTime = time.Hour
)

// A stage is how far an import has come.
type stage uint8

const (
	matching stage = iota // columns are matched by the person
	checking              // rows are checked
	checked               // the person looks at what would become of them
	writing               // rows are written
	written
)

// runs reports whether the server is at work.
func (s stage) runs() bool { return s == checking || s == writing }

// An importJob is an import that somebody has started.
type importJob struct {
	id      string
	user    int64
	section *records.Section
	file    string
	size    int

	mu     sync.Mutex
	seen   time.Time
	stage  stage
	plan   imports.Import
	key    string
	done   int
	report *imports.Report // nil before the check
	fault  message.Text    // why it came to nothing
	cancel context.CancelFunc
	ended  chan struct{} // is closed when the server is no longer at work
}

// Jobs are the imports that this server keeps, and the files that it reads.
type Jobs struct {
	mu      sync.Mutex
	jobs    []*importJob
	uploads chan struct{} // has one for each file that is being received
	reading sync.Mutex    // of files
}

// NewJobs returns an empty list of imports.
func NewJobs() *Jobs { return &Jobs{uploads: make(chan struct{}, maxImports)} }

// add keeps a new import. It removes the user's former one unless that runs and, when
// all places are taken, the oldest that is done. It returns false if there is no place,
// since unfinished imports of others are not removed.
func (all *Jobs) add(j *importJob, now time.Time) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.jobs = slices.DeleteFunc(all.jobs, func(other *importJob) bool {
		stage, seen := other.state()
		return !stage.runs() && (other.user == j.user || now.Sub(seen) > importTime)
	})
	if len(all.jobs) >= maxImports {
		i := slices.IndexFunc(all.jobs,
			func(other *importJob) bool { stage, _ := other.state(); return stage == written })
		if i < 0 {
			return false
		}
		all.jobs = slices.Delete(all.jobs, i, i+1)
	}
	j.id, j.seen = rand.Text(), now
	all.jobs = append(all.jobs, j)
	return true
}

// get returns an import of a user.
func (all *Jobs) get(id string, user int64, now time.Time) (*importJob, error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, j := range all.jobs {
		stage, seen := j.state()
		if j.id == id && j.user == user && (stage.runs() || now.Sub(seen) <= importTime) {
			j.mu.Lock()
			j.seen = now
			j.mu.Unlock()
			return j, nil
		}
	}
	return nil, front.Fault(http.StatusNotFound,
		"this import is no longer held: a file is kept for an hour, once written until others need the room, and never over a restart; the activity tells what was written")
}

// remove forgets an import.
func (all *Jobs) remove(j *importJob) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.jobs = slices.DeleteFunc(all.jobs, func(other *importJob) bool { return other == j })
}

// state returns how far the import is, and when the person last looked.
func (j *importJob) state() (stage, time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.stage, j.seen
}

// run works on the import in a goroutine of its own, and ends with a stage. It does
// nothing when another request has started that already.
func (j *importJob) run(d *desk.Desk, during, after stage, work func(context.Context,
	*imports.Import) (*imports.Report, error)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stage.runs() || during == writing && j.stage != checked {
		return
	}
	plan := j.plan
	plan.Progress = func(done, _ int) {
		j.mu.Lock()
		j.done = done
		j.mu.Unlock()
	}
	ended := make(chan struct{})
	j.stage, j.done, j.fault, j.ended = during, 0, message.Text{}, ended
	j.cancel = d.Background(func(ctx context.Context) {
		defer close(ended)
		report, err := work(ctx, &plan)
		j.mu.Lock()
		defer j.mu.Unlock()
		j.stage = after
		if report != nil {
			j.report = report
		}
		if err != nil {
			j.fault = message.Of(page.Translate(err))
			if ctx.Err() != nil {
				j.fault = message.New("the import was stopped")
			}
			if report == nil {
				j.stage = matching
			}
		}
	})
}

// shortly is how long a request waits for the server to be done with the work, so
// that short files need no progress page.
const shortly = 400 * time.Millisecond

// wait waits until the server is done, but not long.
func (j *importJob) wait(ctx context.Context) {
	j.mu.Lock()
	ended := j.ended
	j.mu.Unlock()
	if ended == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, shortly)
	defer cancel()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}
