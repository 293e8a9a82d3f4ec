//go:build full && volume

package main_test

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// loadFrozen: while PostgreSQL says nothing more, all requests are refused in
// time, and soon after it goes on they are not.
func loadFrozen(t *testing.T, g *figures) {
	address, signal := ownPostgres(t)
	f := newFolder(t)
	f.env = []string{"MUSTER_DATABASE=" + address, "MUSTER_RATE_LIMIT=0"}
	s := f.serve("--demo")
	w := &observer{t: t}
	var all sync.WaitGroup
	stop := make(chan struct{})
	for i, c := range s.callers(t, 400, s.password) { // more than are let in and wait
		all.Go(func() { w.call(c, i, stop) })
	}
	eventually(t, "answers", func() bool { return w.answers(http.StatusOK) > 100 })
	signal(syscall.SIGSTOP)
	frozen := time.Now()
	eventually(t, "refusals", func() bool { return time.Since(frozen) > 12*time.Second })
	signal(syscall.SIGCONT)
	thawed := time.Now()
	before := w.answers(http.StatusOK)
	eventually(t, "answers again", func() bool { return w.answers(http.StatusOK) > before+100 })
	g.atMost(t, "PostgreSQL goes on: answers again after", secondsSince(thawed), 5, "s")
	close(stop)
	all.Wait()
	g.atMost(t, "PostgreSQL stands still: the longest wait for an answer", w.longest.Seconds(), 10, "s")
	g.note("PostgreSQL stands still: requests refused", float64(w.answers(http.StatusServiceUnavailable)), "")
}

// An observer counts answers.
type observer struct {
	t        *testing.T
	mu       sync.Mutex
	statuses map[int]int
	longest  time.Duration
}

func (w *observer) answers(status int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.statuses[status]
}

// call makes one request after another, as a polite client that waits a little
// after it was refused.
func (w *observer) call(c *caller, seed int, stop <-chan struct{}) {
	for i := seed; ; i++ {
		method, target, body := mixed(i)
		begin := time.Now()
		resp, err := c.do(method, target, body)
		if err != nil {
			w.t.Errorf("%s %s: %v", method, target, err)
			return
		}
		w.note(resp, time.Since(begin))
		pause := time.Duration(0)
		if resp.StatusCode == http.StatusServiceUnavailable {
			pause = 100 * time.Millisecond
		}
		select {
		case <-stop:
			return
		case <-time.After(pause):
		}
	}
}

func (w *observer) note(resp *http.Response, took time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.statuses == nil {
		w.statuses = map[int]int{}
	}
	w.statuses[resp.StatusCode]++
	w.longest = max(w.longest, took)
	if s := resp.StatusCode; s != http.StatusOK &&
		(s != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "") {
		w.t.Errorf("got %s with Retry-After %q, want 200, or 503 with it", resp.Status, resp.Header.Get("Retry-After"))
	}
}

// ownPostgres starts a PostgreSQL for this test alone, and returns its address
// and what sends a signal to all its processes.
func ownPostgres(t *testing.T) (address string, signal func(syscall.Signal)) {
	t.Helper()
	cmd := exec.Command("../../scripts/with-postgres", "sh", "-c", "echo $MUSTER_TEST_POSTGRES; cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close() // which is the sign to end
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("start PostgreSQL: %v", err)
	}
	address = strings.TrimSpace(line)
	cfg, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(read(t, filepath.Join(cfg.Host, "data", "postmaster.pid")), "\n")
	return address, func(sig syscall.Signal) { signalFamily(t, first, sig) }
}

// signalFamily sends a signal to a process and its children.
func signalFamily(t *testing.T, parent string, sig syscall.Signal) {
	t.Helper()
	family := []string{parent}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range stats {
		stat, err := os.ReadFile(file) // it may have ended
		if fields := strings.Fields(string(stat)); err == nil && len(fields) > 3 && fields[3] == parent {
			family = append(family, fields[0])
		}
	}
	for _, member := range family {
		pid, err := strconv.Atoi(member)
		if err != nil {
			t.Fatal(err)
		}
		_ = syscall.Kill(pid, sig) // it may have ended
	}
}
