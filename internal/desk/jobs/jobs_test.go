package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/queue"
	"muster/internal/store/sqldb"
)

// A place is an office with jobs that write into the names of vendors what they do.
type place struct {
	*mustertest.Office
	who  desk.Caller
	jobs *jobs.Service
}

func openPlace(t *testing.T, db mustertest.Database) *place {
	t.Helper()
	o := mustertest.OpenOffice(t, db)
	return &place{o, o.Administrator(t), jobs.New(o.Desk)}
}

// node returns another process of the installation, with the same handlers.
func (p *place) node(t *testing.T, handlers ...*jobs.Handler) *jobs.Service {
	t.Helper()
	s := jobs.New(p.NewDesk(t))
	for _, h := range handlers {
		s.Handle(h)
	}
	return s
}

func title([]byte) message.Text { return message.Plain("a job") }

// begin adds a job with the next number as its payload.
func (p *place) begin(t *testing.T, s *jobs.Service, job jobs.Job) queue.Job {
	t.Helper()
	j, err := s.Begin(context.Background(), p.who, job, nil, errors.New("busy"))
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// state returns how far a job is.
func (p *place) state(t *testing.T, id int64) queue.Job {
	t.Helper()
	j, err := p.jobs.Of(context.Background(), desk.Caller{}, id)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// ends waits until a job has ended, and returns it.
func (p *place) ends(t *testing.T, id int64) queue.Job {
	t.Helper()
	mustertest.Eventually(t, fmt.Sprintf("job %d ends", id), func() bool { return p.state(t, id).State.Ended() })
	return p.state(t, id)
}

// addVendor stores a vendor in a transaction of a job.
func addVendor(tx *store.Tx, name string) error {
	v := inventory.Vendors.New()
	v.Name = name
	return tx.Insert(context.Background(), inventory.Vendors.Schema, v, mustertest.NewClock().Now())
}

// vendors returns how many vendors there are.
func (p *place) vendors(t *testing.T) int64 {
	t.Helper()
	page, err := p.List(context.Background(), p.who, inventory.Vendors.Schema, &kind.Query{Page: 1, PerPage: 1})
	if err != nil {
		t.Fatal(err)
	}
	return int64(page.Total)
}

// TestJob does a job in steps, each noted in the transaction of its effect, and another when it is due.
func TestJob(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		p := openPlace(t, db)
		p.jobs.Handle(&jobs.Handler{Name: "steps", Title: title, Do: func(ctx context.Context, r *jobs.Run) error {
			done := 0
			if err := r.Noted(&done); err != nil {
				return err
			}
			for ; done < 5; done++ {
				err := r.Update(ctx, func(tx *store.Tx, who desk.Caller) error {
					if who.User.Email != p.who.User.Email {
						return fmt.Errorf("got a job of %s", who.User.Email)
					}
					if err := addVendor(tx, fmt.Sprint("v", done)); err != nil {
						return err
					}
					return r.Note(ctx, tx, int64(done+1), 5, done+1)
				})
				if err != nil {
					return err
				}
			}
			return nil
		}})
		p.jobs.Start(2)
		j := p.ends(t, p.begin(t, p.jobs, jobs.Job{Handler: "steps", Total: 5}).ID)
		if j.State != queue.Done || j.Done != 5 || j.Total != 5 || j.Tries != 1 {
			t.Errorf("got %+v, want it done after 5 steps and one try", j)
		}
		if n := p.vendors(t); n != 5 {
			t.Errorf("got %d effects, want 5", n)
		}
	})
}

// TestInherit lets the jobs of a process that is known to be dead go on at once, and leaves those of the living.
func TestInherit(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, p := context.Background(), openPlace(t, db)
		goOn := make(chan bool)
		defer close(goOn)
		hangs := &jobs.Handler{Name: "hangs", Title: title, Do: func(context.Context, *jobs.Run) error { <-goOn; return nil }}
		does := &jobs.Handler{Name: "hangs", Title: title, Do: func(context.Context, *jobs.Run) error { return nil }}
		begun := func(node *jobs.Service) int64 {
			j := p.begin(t, node, jobs.Job{Handler: "hangs"})
			node.Start(1)
			mustertest.Eventually(t, "the job runs", func() bool { return p.state(t, j.ID).State == queue.Running })
			return j.ID
		}
		dead, living := p.node(t, hangs), p.node(t, hangs)
		left, kept := begun(dead), begun(living)

		heir := p.node(t, does)
		if err := heir.Inherit(ctx, dead.Node()); err != nil {
			t.Fatal(err)
		}
		heir.Start(1)
		if j := p.ends(t, left); j.State != queue.Done || j.Node != heir.Node() || j.Turn != 2 {
			t.Errorf("the job of the dead: got %+v, want it done by its heir", j)
		}
		for _, name := range []string{heir.Node(), "nobody"} {
			if err := heir.Inherit(ctx, name); err != nil {
				t.Fatal(err)
			}
		}
		if j := p.state(t, kept); j.State != queue.Running || j.Node != living.Node() || j.Turn != 1 {
			t.Errorf("the job of the living: got %+v, want it there", j)
		}
		if err := heir.Inherit(ctx, ""); err != nil {
			t.Fatal(err)
		}
		if p.Store.Shared() {
			if j := p.state(t, kept); !j.DueAt.After(p.Clock.Now()) {
				t.Errorf("without a name, where there are other processes: got %+v, want nothing changed", j)
			}
			return
		}
		if j := p.ends(t, kept); j.State != queue.Done || j.Node != heir.Node() {
			t.Errorf("where there is no other process: got %+v, want it done", j)
		}
	})
}

// TestJobLost lets a job go on in another process when the first is taken for dead, and keeps the first from changing
// anything more.
func TestJobLost(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		p := openPlace(t, db)
		began, goOn, gone := make(chan bool), make(chan bool), make(chan error, 1)
		p.jobs.Handle(&jobs.Handler{Name: "slow", Title: title, Do: func(_ context.Context, r *jobs.Run) error {
			close(began)
			<-goOn
			err := r.Update(context.Background(), func(tx *store.Tx, _ desk.Caller) error { return addVendor(tx, "first") })
			gone <- err
			return err
		}})
		other := p.node(t, &jobs.Handler{Name: "slow", Title: title, Do: func(ctx context.Context, r *jobs.Run) error {
			return r.Update(ctx, func(tx *store.Tx, _ desk.Caller) error { return addVendor(tx, "second") })
		}})
		p.jobs.Start(1)
		j := p.begin(t, p.jobs, jobs.Job{Handler: "slow"})
		<-began
		p.Clock.Advance(2 * time.Minute) // nothing was heard of the first
		other.Start(1)
		if j = p.ends(t, j.ID); j.State != queue.Done || j.Turn != 2 {
			t.Errorf("got %+v, want it done by the second that took it", j)
		}
		close(goOn)
		if err := <-gone; !errors.Is(err, queue.ErrLost) {
			t.Errorf("a change of the process that lost the job: got %v, want %v", err, queue.ErrLost)
		}
		if n := p.vendors(t); n != 1 {
			t.Errorf("got %d effects, want 1", n)
		}
	})
}

// TestJobTries tries a job again that failed for a reason that may pass, later each time, and gives up at the end; a
// refusal ends it at once. Either can be retried.
func TestJobTries(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		p, ctx := openPlace(t, db), context.Background()
		var well atomic.Bool
		var tries atomic.Int64
		p.jobs.Handle(&jobs.Handler{Name: "fails", Title: title, Do: func(context.Context, *jobs.Run) error {
			if tries.Add(1); well.Load() {
				return nil
			}
			return errors.New("the other side is away")
		}})
		p.jobs.Handle(&jobs.Handler{Name: "refused", Title: title, Do: func(context.Context, *jobs.Run) error {
			return desk.Refuse(desk.Conflict, "there is no room")
		}})
		p.jobs.Start(1)
		refused := p.ends(t, p.begin(t, p.jobs, jobs.Job{Handler: "refused"}).ID)
		if why := jobs.Fault(&refused).String(); refused.State != queue.Failed || why != "there is no room" {
			t.Errorf("refused: got %s, %q", refused.State, why)
		}

		j := p.begin(t, p.jobs, jobs.Job{Handler: "fails"})
		var waits []time.Duration
		for n := int64(1); n < 20; n++ {
			mustertest.Eventually(t, "the try ends", func() bool {
				j = p.state(t, j.ID)
				return j.State == queue.Waiting && j.Tries == n
			})
			waits = append(waits, j.DueAt.Sub(p.Clock.Now().Truncate(time.Second)))
			p.Clock.Advance(7 * time.Hour)
			p.jobs.Wake()
		}
		if j = p.ends(t, j.ID); j.State != queue.Failed || j.Tries != 20 || jobs.Fault(&j).String() != "the other side is away" {
			t.Errorf("got %+v, want it failed after 20 tries", j)
		}
		if state, err := p.jobs.State(ctx); err != nil || state.Count(queue.Failed) != 2 || state.Latest() != 0 {
			t.Errorf("got the state %+v, %v, want two failed jobs, and none late", state, err)
		}
		if waits[0] != 5*time.Second || waits[1] != 10*time.Second || waits[18] != 6*time.Hour {
			t.Errorf("waits: got %v, want 5 s, 10 s, … 6 h", waits)
		}
		well.Store(true)
		if err := p.jobs.Retry(ctx, p.who, j.ID); err != nil {
			t.Fatal(err)
		}
		mustertest.Eventually(t, "it is done", func() bool { return p.state(t, j.ID).State == queue.Done })
		if err := p.jobs.Retry(ctx, p.who, j.ID); err == nil {
			t.Error("a job that is done was tried again")
		}
	})
}

// TestJobStopped ends a job that runs, and one that waits.
func TestJobStopped(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		p, ctx := openPlace(t, db), context.Background()
		began := make(chan bool)
		h := &jobs.Handler{Name: "long", Title: title, Do: func(ctx context.Context, _ *jobs.Run) error {
			close(began)
			<-ctx.Done()
			return ctx.Err()
		}}
		p.jobs.Handle(h)
		waiting := p.begin(t, p.jobs, jobs.Job{Handler: "long"})
		if err := p.jobs.Stop(ctx, p.who, waiting.ID); err != nil {
			t.Fatal(err)
		}
		if j := p.state(t, waiting.ID); j.State != queue.Stopped {
			t.Errorf("one that waited: got %s", j.State)
		}
		p.jobs.Start(1)
		j := p.begin(t, p.jobs, jobs.Job{Handler: "long"})
		<-began
		other := p.User(t, "tess@example.com", inventory.Technician)
		if err := p.jobs.Stop(ctx, other, j.ID); !isCode(err, desk.NotFound) {
			t.Errorf("somebody else's job: got %v, want that there is none", err)
		}
		if err := p.jobs.Stop(ctx, p.who, j.ID); err != nil {
			t.Fatal(err)
		}
		if j = p.ends(t, j.ID); j.State != queue.Stopped {
			t.Errorf("one that ran: got %s", j.State)
		}
		if err := p.jobs.Stop(ctx, p.who, j.ID); !isCode(err, desk.Conflict) {
			t.Errorf("one that has ended: got %v, want a conflict", err)
		}
	})
}

func isCode(err error, code desk.Code) bool {
	e, ok := errors.AsType[*desk.Error](err)
	return ok && e.Code == code
}

// TestJobOfNobody ends the job of a user who was disabled meanwhile.
func TestJobOfNobody(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		p := openPlace(t, db)
		p.jobs.Handle(&jobs.Handler{Name: "one", Title: title, Do: func(ctx context.Context, r *jobs.Run) error {
			return r.Update(ctx, func(tx *store.Tx, _ desk.Caller) error { return addVendor(tx, "never") })
		}})
		admin := p.who
		p.who = p.User(t, "tess@example.com", inventory.Technician)
		j := p.begin(t, p.jobs, jobs.Job{Handler: "one"})
		_, err := p.Update(context.Background(), admin,
			desk.Target{Kind: inventory.Users.Schema, ID: p.who.User.ID}, func() (*kind.Patch, error) {
				return inventory.Users.Schema.ReadForm(map[string][]string{"disabled": {"true"}}), nil
			})
		if err != nil {
			t.Fatal(err)
		}
		p.jobs.Start(1)
		j = p.ends(t, j.ID)
		if why := jobs.Fault(&j).String(); j.State != queue.Failed || why != "the user tess@example.com is disabled" {
			t.Errorf("got %s, %q", j.State, why)
		}
		p.who = admin
		if n := p.vendors(t); n != 0 {
			t.Errorf("got %d effects, want none", n)
		}
	})
}

// TestJobKey keeps one unfinished job with a key.
func TestJobKey(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		p := openPlace(t, db)
		busy := errors.New("busy")
		p.jobs.Handle(&jobs.Handler{Name: "one", Title: title, Do: func(context.Context, *jobs.Run) error { return nil }})
		add := func(once bool) (queue.Job, error) {
			return p.jobs.Begin(context.Background(), p.who, jobs.Job{Handler: "one", Key: "k", Once: once}, nil, busy)
		}
		first, err := add(false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := add(false); !errors.Is(err, busy) {
			t.Errorf("the same once more: got %v, want %v", err, busy)
		}
		p.jobs.Start(1)
		p.ends(t, first.ID)
		second, err := add(true)
		if err != nil {
			t.Fatalf("after the end: %v", err)
		}
		p.ends(t, second.ID)
		if _, err := add(true); !errors.Is(err, busy) {
			t.Errorf("once, after the end: got %v, want %v", err, busy)
		}
	})
}

// TestJobDaily does what happens by itself once a day, on however many nodes, and wherever their clocks jump.
func TestJobDaily(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		p := openPlace(t, db)
		var done atomic.Int64
		h := &jobs.Handler{Name: "daily", Title: title, Do: func(context.Context, *jobs.Run) error {
			done.Add(1)
			return nil
		}}
		for range 3 {
			s := p.node(t, h)
			s.Daily(jobs.Daily{Handler: "daily", At: func() (time.Duration, bool) { return 3 * time.Hour, true }})
			s.Start(2)
		}
		count := func(ended bool) int64 {
			_, n, err := p.jobs.List(context.Background(), desk.Caller{}, queue.Filter{Handler: "daily", Ended: ended, Most: 9})
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		planned := func(when string) {
			t.Helper()
			mustertest.Eventually(t, "the next one is planned "+when, func() bool { return count(false) == 1 })
		}
		planned("at the start")
		for day := int64(1); day <= 3; day++ {
			p.Clock.Advance(24 * time.Hour)
			mustertest.Eventually(t, "it is done", func() bool { return count(true) == day })
			planned("after a day")
		}
		p.Clock.Advance(-24 * time.Hour) // all of it was done already
		p.Clock.Advance(24 * time.Hour)
		planned("after a jump back")
		p.Clock.Advance(24 * time.Hour)
		mustertest.Eventually(t, "it is done", func() bool { return count(true) == 4 })
		if n := done.Load(); n != 4 {
			t.Errorf("it was done %d times in 4 days", n)
		}
	})
}

// TestJobHeld holds what reaches outside in a restored database, until it is told to go on.
func TestJobHeld(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		p, ctx := openPlace(t, db), context.Background()
		nothing := func(context.Context, *jobs.Run) error { return nil }
		p.jobs.Handle(&jobs.Handler{Name: "inside", Title: title, Do: nothing})
		p.jobs.Handle(&jobs.Handler{Name: "outside", Title: title, Do: nothing, Outside: true})
		if err := p.Store.Update(ctx, func(tx *store.Tx) error { return jobs.Hold(ctx, tx) }); err != nil {
			t.Fatal(err)
		}
		held := p.begin(t, p.jobs, jobs.Job{Handler: "outside"})
		p.Clock.Advance(time.Minute)
		state, err := p.jobs.State(ctx)
		if err != nil || !state.Held || state.Latest() != time.Minute || state.Count(queue.Waiting) != 1 || state.Taken != 0 {
			t.Errorf("got the state %+v, %v, want one job that is held and due for a minute", state, err)
		}
		p.jobs.Start(1)
		p.ends(t, p.begin(t, p.jobs, jobs.Job{Handler: "inside"}).ID)
		if j := p.state(t, held.ID); j.State != queue.Waiting {
			t.Errorf("held: got %s", j.State)
		}
		if err := p.jobs.Resume(ctx, p.User(t, "tess@example.com", inventory.Technician)); !isCode(err, desk.Forbidden) {
			t.Errorf("a technician resumes: got %v", err)
		}
		if err := p.jobs.Resume(ctx, p.who); err != nil {
			t.Fatal(err)
		}
		p.ends(t, held.ID)
	})
}

// TestJobsTidied removes old jobs, with steps and files of any number, as well as what is left of jobs that were removed.
func TestJobsTidied(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		p, ctx := openPlace(t, db), context.Background()
		p.jobs.Handle(&jobs.Handler{Name: "one", Title: title, Do: func(context.Context, *jobs.Run) error { return nil }})
		old, alone := p.addLarge(t, 2600), p.addLarge(t, 1)
		p.Clock.Advance(31 * 24 * time.Hour)
		kept, orphan := p.addLarge(t, 1), p.addLarge(t, 501)
		err := p.Store.Update(ctx, func(tx *store.Tx) error { return queue.Remove(ctx, tx, orphan) })
		if err != nil {
			t.Fatal(err)
		}
		p.jobs.Start(1)
		tidied := p.ends(t, p.begin(t, p.jobs, jobs.Job{Handler: "tidy"}).ID)
		if tidied.State != queue.Done {
			t.Fatalf("got %+v", tidied)
		}
		for _, id := range []int64{old, alone, orphan} {
			if _, err := p.jobs.Of(ctx, p.who, id); !isCode(err, desk.NotFound) {
				t.Errorf("job %d: got %v, want that it is gone", id, err)
			}
			if steps, parts := p.left(t, id); steps != 0 || parts != 0 {
				t.Errorf("job %d: got %d steps and %d parts of its file, want none", id, steps, parts)
			}
		}
		steps, parts := p.left(t, kept)
		if j := p.state(t, kept); j.State != queue.Done || steps != 1 || parts != 40 {
			t.Errorf("the new one: got %s with %d steps and %d parts", j.State, steps, parts)
		}
	})
}

// addLarge adds a job that is done, with so many steps and a file of 40 parts.
func (p *place) addLarge(t *testing.T, steps int) int64 {
	t.Helper()
	ctx := context.Background()
	j, err := p.jobs.BeginHere(ctx, p.who, jobs.Job{Handler: "one"}, func(tx *store.Tx, id int64) error {
		all := make([]queue.Step, steps)
		for n := range all {
			all[n] = queue.Step{Number: int64(3 * n), Document: []byte("{}")}
		}
		if err := queue.SetSteps(ctx, tx, id, all); err != nil {
			return err
		}
		return queue.PutFile(ctx, tx, id, make([]byte, 40*queue.PartSize))
	}, nil)
	if err != nil || j.State != queue.Done {
		t.Fatalf("got %s, %v", j.State, err)
	}
	return j.ID
}

// left returns how many steps and parts of a file there are of a job.
func (p *place) left(t *testing.T, id int64) (steps, parts int64) {
	t.Helper()
	ctx := context.Background()
	err := p.Store.View(ctx, func(tx *store.Tx) error {
		const sql = "SELECT (SELECT count(*) FROM job_steps WHERE job_id = $1), (SELECT count(*) FROM job_files WHERE job_id = $1)"
		return tx.One(ctx, sql, []any{id}, func(r sqldb.Row) error {
			steps, parts = r.Int(0), r.Int(1)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return steps, parts
}

// TestCleared removes much in parts, none of which is large.
func TestCleared(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		p, ctx := openPlace(t, db), context.Background()
		p.jobs.Handle(&jobs.Handler{Name: "one", Title: title, Do: func(context.Context, *jobs.Run) error { return nil }})
		id := p.addLarge(t, 1200)
		for _, test := range []struct {
			clear        func(context.Context, *store.Tx, int64) (bool, error)
			steps, parts int64
			more         bool
		}{
			{queue.ClearSteps, 700, 40, true}, {queue.ClearSteps, 200, 40, true}, {queue.ClearFile, 200, 8, true},
			{queue.ClearSteps, 0, 8, false}, {queue.ClearFile, 0, 0, false}, {queue.ClearSteps, 0, 0, false},
		} {
			var more bool
			err := p.Store.Update(ctx, func(tx *store.Tx) (err error) {
				more, err = test.clear(ctx, tx, id)
				return err
			})
			steps, parts := p.left(t, id)
			if err != nil || more != test.more || steps != test.steps || parts != test.parts {
				t.Errorf("got %d steps, %d parts, more %t, %v; want %+v", steps, parts, more, err, test)
			}
		}
	})
}

// TestJobKills ends a job as failed whose process dies each time, and none that comes further each time.
func TestJobKills(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		p, ctx := openPlace(t, db), context.Background()
		var calls atomic.Int64
		p.jobs.Handle(&jobs.Handler{Name: "dies", Title: title, Do: func(context.Context, *jobs.Run) error {
			calls.Add(1)
			return nil
		}})
		p.jobs.Handle(&jobs.Handler{Name: "creeps", Title: title, Do: func(ctx context.Context, r *jobs.Run) error {
			n := calls.Add(1)
			err := r.Update(ctx, func(tx *store.Tx, _ desk.Caller) error { return r.Progress(ctx, tx, n, 30) })
			if err == nil && n < 30 {
				err = errors.New("the other side is away")
			}
			return err
		}})
		dies := p.begin(t, p.jobs, jobs.Job{Handler: "dies"})
		for n := range 20 { // as if it were done by processes that die
			err := p.Store.Update(ctx, func(tx *store.Tx) error {
				_, err := queue.TakeOne(ctx, tx, dies.ID, queue.Taker{Node: fmt.Sprint("dead ", n), Lease: time.Minute}, p.Clock.Now())
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			p.Clock.Advance(2 * time.Minute)
		}
		p.jobs.Start(1)
		dies = p.ends(t, dies.ID)
		if why := jobs.Fault(&dies).String(); dies.State != queue.Failed || !strings.Contains(why, "ended 20 times") || calls.Load() != 0 {
			t.Errorf("got %s, %q after %d more tries, want it failed without another", dies.State, why, calls.Load())
		}
		creeps := p.begin(t, p.jobs, jobs.Job{Handler: "creeps"})
		for n := int64(1); n < 30; n++ {
			mustertest.Eventually(t, "the try ends", func() bool {
				creeps = p.state(t, creeps.ID)
				return creeps.Done == n && creeps.State == queue.Waiting
			})
			p.Clock.Advance(time.Minute)
			p.jobs.Wake()
		}
		if creeps = p.ends(t, creeps.ID); creeps.State != queue.Done || creeps.Tries != 1 {
			t.Errorf("got %+v, want it done", creeps)
		}
	})
}

// TestJobsAtOnce does no more jobs of a handler at the same time than it allows, and others meanwhile.
func TestJobsAtOnce(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		p := openPlace(t, db)
		var now atomic.Int64
		let := make(chan struct{})
		release := sync.OnceFunc(func() { close(let) })
		t.Cleanup(release)
		p.jobs.Handle(&jobs.Handler{Name: "narrow", Title: title, AtOnce: 2, Do: func(context.Context, *jobs.Run) error {
			if n := now.Add(1); n > 2 {
				t.Errorf("got %d at the same time, want 2", n)
			}
			defer now.Add(-1)
			<-let
			return nil
		}})
		p.jobs.Handle(&jobs.Handler{Name: "wide", Title: title, Do: func(context.Context, *jobs.Run) error { return nil }})
		p.jobs.Start(4)
		var ids []int64
		for range 6 {
			ids = append(ids, p.begin(t, p.jobs, jobs.Job{Handler: "narrow"}).ID)
		}
		p.ends(t, p.begin(t, p.jobs, jobs.Job{Handler: "wide"}).ID)
		mustertest.Eventually(t, "two are done at the same time", func() bool { return now.Load() == 2 })
		release()
		for _, id := range ids {
			p.ends(t, id)
		}
	})
}
