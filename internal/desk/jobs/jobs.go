// Package jobs does what takes longer than a request, or happens by itself. A job is a row of the database, see package
// store/queue: it outlives the process that does it, any process of the installation goes on with it, and nothing that
// it does is done twice. What a job of each sort does belongs in the packages above.
package jobs

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"muster/internal/desk"
	"muster/internal/disk"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// A Handler does the jobs of one sort.
type Handler struct {
	Name string // in the table, in metrics and commands
	// Title says what a job does.
	Title func(payload []byte) message.Text
	// Do does a job. Each change is made in a transaction of Run.Change, and what must not be repeated is noted there:
	// Do is called again when the process has died, or when it returned an error that may pass. A refusal, such as a
	// *desk.Error, ends the job as failed.
	Do func(ctx context.Context, r *Run) error
	// Said says what became of a job that has ended; nil where its state says enough.
	Said func(note []byte) message.Text
	// Ended is called in the transaction in which a job ends; nil for nothing more to do.
	Ended func(ctx context.Context, tx *store.Tx, j *queue.Job) error
	// Stopped is called in the transaction in which a person stops a job, before it ends; nil for nothing more to do.
	Stopped func(ctx context.Context, tx *store.Tx, who desk.Caller, j *queue.Job) error
	// Retried is called in the transaction in which a person lets a job be tried again, which an error refuses; nil for
	// nothing more to ask.
	Retried func(ctx context.Context, tx *store.Tx, who desk.Caller, j *queue.Job) error
	// Keeps is for how long the steps and the file of a job are kept after its end, and a draft; 0 for as long as the job.
	Keeps time.Duration
	// Needed reports whether the steps and the file of a job that has ended are still needed after that time; nil for never.
	Needed func(ctx context.Context, tx *store.Tx, j *queue.Job) (bool, error)
	// Anew says that each try does all of the work again, rather than going on from what is noted. The steps and the file of
	// a try that came to nothing are removed.
	Anew bool
	// AtOnce is how many of its jobs are done at the same time, by all processes together; 0 for any number.
	AtOnce int
	// Outside says that its jobs reach beyond the installation, as mails do. They are held in a restored database.
	Outside bool
}

// Limits of jobs.
const (
	lease      = time.Minute      // for which a process has a job
	renewEvery = 10 * time.Second // how often it is renewed
	lookEvery  = time.Second      // how often a process looks for jobs that others have added
	firstWait  = 5 * time.Second  // before it is tried again
	longWait   = 6 * time.Hour    // the longest such wait
	keptFor    = 30 * 24 * time.Hour
)

// MostTries is after how many tries a job has failed.
const MostTries = 20

// A Service adds jobs to those of a desk, tells of them, and does them.
type Service struct {
	desk     *desk.Desk
	node     string
	handlers map[string]*Handler
	dailies  []Daily
	wake     chan struct{}
	waited   sync.WaitGroup
	mu       sync.Mutex
	running  map[int64]context.CancelFunc // jobs of this process
	quiet    quiet
	room     func() (disk.Space, error) // of the database, nil where that is not known
}

// New returns the service of a desk. It does nothing by itself until Start.
func New(d *desk.Desk) *Service {
	host, _ := os.Hostname() // a node without a name has its number alone
	s := &Service{desk: d, node: fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text()[:6]),
		handlers: map[string]*Handler{}, wake: make(chan struct{}, 1), running: map[int64]context.CancelFunc{}}
	s.Handle(&Handler{Name: "tidy", Do: s.tidy,
		Title: func([]byte) message.Text { return message.New("Remove old jobs") }})
	s.Daily(Daily{Handler: "tidy", At: func() (time.Duration, bool) { return 2 * time.Hour, true }})
	return s
}

// Node returns the name under which this process does jobs, which no other has.
func (s *Service) Node() string { return s.node }

// Handle lets a handler do the jobs of its name. It is called before Start.
func (s *Service) Handle(h *Handler) { s.handlers[h.Name] = h }

// Handlers returns the names of all handlers.
func (s *Service) Handlers() []string { return slices.Sorted(maps.Keys(s.handlers)) }

// A Job says what is to be done.
type Job struct {
	Handler string
	Key     string // that no two unfinished jobs have, "" for none
	Once    bool   // nor any that has ended
	Payload any
	Total   int64 // steps that it has, 0 where that is not known
}

// Add adds a job in the transaction of what causes it, on behalf of the caller. Where an unfinished job has its key,
// that one is returned with false. Wake is to be called when the transaction has ended.
func (s *Service) Add(ctx context.Context, tx *store.Tx, who desk.Caller, n Job) (j queue.Job, added bool, err error) {
	if j, err = s.newJob(who, n); err != nil {
		return j, false, err
	}
	added, err = queue.Add(ctx, tx, &j)
	return j, added, err
}

// Writing says how the person writes who asked for a job: it has no browser to say so.
type Writing struct {
	Language string `json:"language,omitempty"`
	Country  string `json:"country,omitempty"` // the name of its conventions
	Zone     string `json:"zone,omitempty"`
}

// newJob returns a job as it is stored, on behalf of the caller.
func (s *Service) newJob(who desk.Caller, n Job) (j queue.Job, err error) {
	if s.handlers[n.Handler] == nil {
		return j, fmt.Errorf("nothing handles jobs %q", n.Handler)
	}
	payload, err := json.Marshal(n.Payload)
	now := s.desk.Now()
	j = queue.Job{Handler: n.Handler, Key: n.Key, Once: n.Once, Payload: payload, Total: n.Total, Origin: who.Origin,
		Created: now, DueAt: now}
	if who.User != nil {
		j.UserID = who.User.ID
	}
	return j, err
}

// Wake lets this process look for jobs at once.
func (s *Service) Wake() {
	s.quiet.forget()
	select {
	case s.wake <- struct{}{}:
	default: // it is about to look
	}
}

// Begin adds a job and lets a process do it. One whose key an unfinished job has is refused with busy.
func (s *Service) Begin(ctx context.Context, who desk.Caller, n Job, prepare func(*store.Tx, int64) error, busy error,
) (j queue.Job, err error) {
	err = s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		j, err = s.add(ctx, tx, who, n, prepare, busy)
		return err
	})
	if err == nil {
		s.Wake()
	}
	return j, err
}

// BeginHere is Begin of a job that is short: it has ended when BeginHere returns, unless its process or the database
// fails; then it goes on as others do.
func (s *Service) BeginHere(ctx context.Context, who desk.Caller, n Job, prepare func(*store.Tx, int64) error, busy error,
) (j queue.Job, err error) {
	err = s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		if j, err = s.add(ctx, tx, who, n, prepare, busy); err != nil {
			return err
		}
		return queue.TakeNew(ctx, tx, &j, s.taker(nil), s.desk.Now())
	})
	if err != nil {
		return j, err
	}
	s.quiet.forget()
	s.do(context.WithoutCancel(ctx), j)
	return s.look(ctx, j.ID)
}

// add adds a job, and what prepare adds to it.
func (s *Service) add(ctx context.Context, tx *store.Tx, who desk.Caller, n Job, prepare func(*store.Tx, int64) error,
	busy error) (queue.Job, error) {
	j, added, err := s.Add(ctx, tx, who, n)
	if err == nil && !added {
		err = busy
	}
	if err == nil && prepare != nil {
		err = prepare(tx, j.ID)
	}
	return j, err
}

// ErrPark is returned by Handler.Do for a job that goes on when a person says so, by Submit.
var ErrPark = errors.New("a person has the next word")

// Draft adds a job that waits for a person, with what prepare adds to it.
func (s *Service) Draft(ctx context.Context, who desk.Caller, n Job, prepare func(*store.Tx, int64) error) (j queue.Job, err error) {
	if j, err = s.newJob(who, n); err != nil {
		return j, err
	}
	err = s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		if err := queue.AddDraft(ctx, tx, &j); err != nil {
			return err
		}
		return prepare(tx, j.ID)
	})
	return j, err
}

// Submit lets a job that waits for a person, or that was stopped or failed, be done as another says, of which the payload
// and the key count. Where an unfinished job has the key, it is refused with busy.
func (s *Service) Submit(ctx context.Context, id int64, n Job, busy error) error {
	err := s.reorder(ctx, id, n.Payload, func(ctx context.Context, tx *store.Tx, document []byte) (bool, error) {
		return s.submit(ctx, tx, id, document, n.Key, busy)
	})
	s.Wake()
	return err
}

// submit is Submit in a transaction.
func (s *Service) submit(ctx context.Context, tx *store.Tx, id int64, payload []byte, key string, busy error) (bool, error) {
	if key != "" {
		switch other, err := queue.With(ctx, tx, key); {
		case err == nil && other.ID != id:
			return false, busy
		case err != nil && !errors.Is(err, store.ErrNotFound):
			return false, err
		}
	}
	return queue.Submit(ctx, tx, id, payload, key, s.desk.Now())
}

// SubmitHere is Submit of a job that this process does at once, whether or not it does others. It returns when the job has
// ended or waits for a person.
func (s *Service) SubmitHere(ctx context.Context, id int64, n Job, busy error) (j queue.Job, err error) {
	err = s.reorder(ctx, id, n.Payload, func(ctx context.Context, tx *store.Tx, document []byte) (bool, error) {
		found, err := s.submit(ctx, tx, id, document, n.Key, busy)
		if err != nil || !found {
			return found, err
		}
		if j, err = queue.Look(ctx, tx, id); err != nil {
			return false, err
		}
		return true, queue.TakeNew(ctx, tx, &j, s.taker(nil), s.desk.Now())
	})
	if err != nil {
		return j, err
	}
	s.do(ctx, j)
	return s.look(context.WithoutCancel(ctx), id)
}

// Redraft lets a job that is not under way wait for a person, with a payload.
func (s *Service) Redraft(ctx context.Context, id int64, payload any) error {
	return s.reorder(ctx, id, payload, func(ctx context.Context, tx *store.Tx, document []byte) (bool, error) {
		return queue.Redraft(ctx, tx, id, document)
	})
}

// reorder gives a job that is not under way another payload.
func (s *Service) reorder(ctx context.Context, id int64, payload any,
	do func(context.Context, *store.Tx, []byte) (bool, error)) error {
	document, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	return s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		found, err := do(ctx, tx, document)
		if err == nil && !found {
			err = desk.Refuse(desk.Conflict, "the job %d is under way or done", id)
		}
		return err
	})
}

// HasRoom says how much room the disk of the database has. It is called before Start.
func (s *Service) HasRoom(room func() (disk.Space, error)) { s.room = room }

// CheckRoom refuses a file of so many bytes for which the database has no room beside what must stay free, as far as that
// is known.
func (s *Service) CheckRoom(size int64) error {
	if s.room == nil {
		return nil
	}
	space, err := s.room()
	if err == nil && !space.Fits(size) {
		err = desk.Refuse(desk.Conflict, "the disk of the database has only %d MB free: make room for the file", space.Free>>20)
	}
	return err
}

// File returns the file of a job, or store.ErrNotFound.
func (s *Service) File(ctx context.Context, id int64) ([]byte, error) {
	var b bytes.Buffer
	err := queue.File(ctx, s.desk.Store(), id, &b)
	return b.Bytes(), err
}

// Finish does a job that is due, whether or not this process does others, unless another has it.
func (s *Service) Finish(ctx context.Context, id int64) error {
	var j queue.Job
	err := s.desk.Store().Update(ctx, func(tx *store.Tx) (err error) {
		j, err = queue.TakeOne(ctx, tx, id, s.taker(nil), s.desk.Now())
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err == nil {
		s.do(ctx, j)
	}
	return err
}

// awaitEvery is how often Await looks.
const awaitEvery = 20 * time.Millisecond

// Await waits until a job has ended or waits for a person, but only for so long.
func (s *Service) Await(ctx context.Context, id int64, most time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	tick := time.NewTicker(awaitEvery)
	defer tick.Stop()
	for {
		j, err := s.look(ctx, id)
		if err != nil || j.State.Ended() || j.State == queue.Draft {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Discard removes a job that waits for a person or has come to nothing. One that goes on again is refused so.
func (s *Service) Discard(ctx context.Context, id int64, goesOn error) error {
	err := s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		idle, err := queue.Idle(ctx, tx, id)
		if err == nil && !idle {
			err = goesOn
		}
		if err != nil {
			return err
		}
		return queue.Remove(ctx, tx, id)
	})
	if err == nil {
		err = s.Clear(ctx, id)
	}
	return err
}

// Clear removes what is left of a job that was removed, as tidy does at night.
func (s *Service) Clear(ctx context.Context, id int64) error {
	return inParts(ctx, s.desk.Store().Update, id, queue.ClearSteps, queue.ClearFile)
}

// inParts removes what may be much, each part in a transaction of its own.
func inParts(ctx context.Context, update func(context.Context, func(*store.Tx) error) error, id int64,
	parts ...func(context.Context, *store.Tx, int64) (bool, error)) error {
	for _, clear := range parts {
		for more := true; more; {
			err := update(ctx, func(tx *store.Tx) (err error) {
				more, err = clear(ctx, tx, id)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// look returns the job with an id.
func (s *Service) look(ctx context.Context, id int64) (j queue.Job, err error) {
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		j, err = queue.Look(ctx, tx, id)
		return err
	})
	return j, err
}

// Title says what a job does.
func (s *Service) Title(j *queue.Job) message.Text {
	if h := s.handlers[j.Handler]; h != nil {
		return h.Title(j.Payload)
	}
	return message.Plain(j.Handler) // of a newer version
}

// Said says what became of a job: what its handler says, or why it failed; nothing for one that has no more to say.
func (s *Service) Said(j *queue.Job) message.Text {
	if fault := Fault(j); !fault.IsZero() && j.State != queue.Done {
		return fault
	}
	if h := s.handlers[j.Handler]; h != nil && h.Said != nil && j.Note != nil {
		return h.Said(j.Note)
	}
	return message.Text{}
}

// Fault returns why a job failed, or is tried again; nothing for one that is well.
func Fault(j *queue.Job) (why message.Text) {
	if j.Fault == nil {
		return why
	}
	if err := json.Unmarshal(j.Fault, &why); err != nil {
		return message.Plain(string(j.Fault))
	}
	return why
}
