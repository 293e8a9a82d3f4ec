//go:build full && volume

package main_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
	"muster/internal/store/queue"
	"muster/internal/store/sqldb"
)

// Of nodes that die while there are jobs: how many jobs, over which time they are due, and how often a node is killed.
const (
	dueJobs   = 5_000
	dueWithin = 3 * time.Minute
	killEvery = 5 * time.Second
)

// TestFaultJobs kills a node every five seconds while three do jobs, or the one there is on SQLite. Half of them come back,
// and go on with their jobs; the others are replaced, and their jobs go on when the leases have ended. Each step of each job
// is done once, and none is lost.
func TestFaultJobs(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		t.Parallel()
		w := &workers{t: t, folder: t.TempDir(), database: db.New(t)}
		number := 1
		if db.Name == mustertest.Postgres.Name {
			number = 3
		}
		w.plan()
		for range number {
			w.nodes = append(w.nodes, w.launch(w.newData()))
		}
		w.killAll()
		mustertest.Within(t, 5*time.Minute, "all jobs are done", func() bool { return w.unfinished() == 0 })
		for _, n := range w.nodes {
			n.kill()
		}
		w.check()
	})
}

// workers are nodes over one database.
type workers struct {
	t                *testing.T
	folder, database string
	nodes            []*worker
	folders, kills   int
	ids              []int64 // of the jobs
}

// A worker is a node, the test's own binary in another process.
type worker struct {
	cmd  *exec.Cmd
	data string
}

func (n *worker) kill() {
	_ = n.cmd.Process.Kill() // it may have ended
	_ = n.cmd.Wait()
}

// newData returns a data folder that nobody had.
func (w *workers) newData() string {
	w.folders++
	return filepath.Join(w.folder, fmt.Sprint(w.folders))
}

// open opens the installation in this process, and lets it do no jobs.
func (w *workers) open() *server.Server {
	w.t.Helper()
	s, err := startNode(w.newData(), w.database, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// close stops a server of this process.
func (w *workers) close(s *server.Server) {
	w.t.Helper()
	if err := s.Stop(context.Background()); err != nil {
		w.t.Error(err)
	}
}

// plan adds the jobs, which are due one after the other.
func (w *workers) plan() {
	w.t.Helper()
	ctx, s := context.Background(), w.open()
	defer w.close(s)
	begin := time.Now()
	err := s.Store().Update(ctx, func(tx *store.Tx) error {
		for n := range dueJobs {
			j := queue.Job{Handler: counted.Name, Origin: "rule", Payload: []byte("null"), Total: countedSteps, Created: begin,
				DueAt: begin.Add(dueWithin * time.Duration(n) / dueJobs)}
			if _, err := queue.Add(ctx, tx, &j); err != nil {
				return err
			}
			w.ids = append(w.ids, j.ID)
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// launch starts a node and waits until it does jobs.
func (w *workers) launch(data string) *worker {
	w.t.Helper()
	out := newOutput()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), nodeVariable+"="+data, "MUSTER_DATABASE="+w.database)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	n := &worker{cmd, data}
	w.t.Cleanup(n.kill)
	mustertest.Eventually(w.t, "a node starts", func() bool { _, ok := out.line("started"); return ok })
	return n
}

// killAll kills one node after the other. Every second one comes back, the others' places are taken by new ones.
func (w *workers) killAll() {
	w.t.Helper()
	random := rand.New(rand.NewPCG(25, 2))
	tick := time.NewTicker(killEvery)
	defer tick.Stop()
	for end := time.Now().Add(dueWithin); time.Now().Before(end); w.kills++ {
		<-tick.C
		n := &w.nodes[random.IntN(len(w.nodes))]
		(*n).kill()
		data := (*n).data
		if w.kills%2 == 1 {
			data = w.newData()
		}
		*n = w.launch(data)
	}
}

// unfinished returns how many jobs wait or run, or have failed.
func (w *workers) unfinished() (n int64) {
	w.t.Helper()
	place := server.Place{Data: w.nodes[0].data}
	res, err := place.Job(context.Background(), server.JobCommand{Do: "list"})
	if err != nil {
		w.t.Fatal(err)
	}
	n = res.Left
	for _, j := range res.Jobs {
		if j.Handler == counted.Name {
			n++
		}
	}
	return n
}

// check compares what jobs have done with what they were to do.
func (w *workers) check() {
	w.t.Helper()
	ctx, s := context.Background(), w.open()
	defer w.close(s)
	times, turns := map[string]int64{}, int64(0)
	err := s.Store().View(ctx, func(tx *store.Tx) error {
		err := tx.Query(ctx, "SELECT name, count(*) FROM hardwares GROUP BY name", nil, func(r sqldb.Row) error {
			times[string(r.Bytes(0, nil))] = r.Int(1)
			return nil
		})
		for _, id := range w.ids {
			j, look := queue.Look(ctx, tx, id)
			if look != nil || j.State != queue.Done || j.Done != countedSteps {
				w.t.Errorf("job %d: got %+v, %v, want it done", id, j, look)
			}
			turns += j.Turn
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, id := range w.ids {
		for step := range countedSteps {
			if got := times[countedName(id, step)]; got != 1 {
				w.t.Errorf("step %d of job %d: got it done %d times, want once", step, id, got)
			}
		}
	}
	interrupted := turns - dueJobs
	w.t.Logf("%d jobs, %d kills, after which %d jobs went on", dueJobs, w.kills, interrupted)
	if interrupted == 0 {
		w.t.Error("no kill has met a job")
	}
}
