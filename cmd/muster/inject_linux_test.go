//go:build full && volume

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// faults are calls of the disk and what goes wrong with them, in the words of
// strace, which counts the calls of each thread by itself.
var faults = map[string][2]string{
	"sync fails":          {"fsync,fdatasync", "error=EIO:when=2+3"},
	"every sync fails":    {"fsync,fdatasync", "error=EIO"},
	"sync finds it full":  {"fsync,fdatasync", "error=ENOSPC:when=2+3"},
	"write fails":         {"pwrite64", "error=EIO:when=20+401"},
	"every write fails":   {"pwrite64", "error=EIO"},
	"write finds it full": {"pwrite64", "error=ENOSPC:when=20+401"},
	"no write finds room": {"pwrite64", "error=ENOSPC"},
}

// TestFaultInjected: while calls of the disk fail, changes are answered with an
// error or are made; afterwards all go on without a restart. After a crash what
// was acknowledged is there.
func TestFaultInjected(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			injected(t, func(s *service) (end func()) { return inject(t, s, fault) })
		})
	}
	t.Run("file size limit", func(t *testing.T) {
		injected(t, func(s *service) func() {
			limitFiles(t, s, 3<<20)
			return func() { limitFiles(t, s, unix.RLIM_INFINITY) }
		})
	})
}

// injected runs the ledger on a server whose disk fails for some time.
func injected(t *testing.T, begin func(*service) (end func())) {
	f := newFolder(t)
	f.env = []string{"MUSTER_RATE_LIMIT=0"}
	s := f.serveReady()
	l := newLedger(t, s.password)
	l.work(s, 5)
	l.faulty.Store(true)
	end := begin(s)
	l.work(s, 25)
	end()
	l.faulty.Store(false)
	if l.doubts == 0 {
		t.Error("every change was made, want some that met the fault")
	}
	before := l.acknowledged.Load()
	l.work(s, 10)
	if l.acknowledged.Load() == before {
		t.Errorf("no change was made after the disk is well again:\n%s", s.log)
	}
	s.kill()
	begun := time.Now()
	s = f.serveReady()
	l.restarted(s, time.Since(begun))
	l.check(s, f.data("muster.db"))
	l.report("kills")
}

// work has all writers write a number of computers each.
func (l *ledger) work(s *service, computers int) {
	l.t.Helper()
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			w := writer{l, s.client(admin, l.password), s.address}
			for range computers {
				w.computer()
			}
		})
	}
	all.Wait()
}

// inject makes system calls of a server fail until end is called.
func inject(t *testing.T, s *service, fault [2]string) (end func()) {
	t.Helper()
	strace := exec.Command("strace", "-f", "-qq", "-o", os.DevNull, "-e", "trace="+fault[0], "-e",
		"inject="+fault[0]+":"+fault[1],
		"-p", strconv.Itoa(s.cmd.Process.Pid))
	strace.Stderr = os.Stderr
	if err := strace.Start(); err != nil {
		t.Fatalf("strace: %v; run scripts/install-test-tools", err)
	}
	ended := make(chan struct{})
	go func() {
		_ = strace.Wait() // it ends by the signal
		close(ended)
	}()
	end = sync.OnceFunc(func() {
		_ = strace.Process.Signal(syscall.SIGINT) // it may have ended
		<-ended
	})
	t.Cleanup(end)
	eventually(t, "strace is attached", func() bool { return traced(t, s.cmd.Process.Pid) })
	return end
}

// traced reports whether all threads of a process are under strace.
func traced(t *testing.T, pid int) bool {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil || len(threads) == 0 {
		t.Fatalf("the threads of the server: got %v, %v", threads, err)
	}
	for _, thread := range threads {
		if text, err := os.ReadFile(thread); err == nil && strings.Contains(string(text), "TracerPid:\t0\n") {
			return false
		}
	}
	return true
}

// limitFiles sets how long files of a server may become.
func limitFiles(t *testing.T, s *service, bytes uint64) {
	t.Helper()
	if err := unix.Prlimit(s.cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY},
		nil); err != nil {
		t.Fatal(err)
	}
}
