//go:build full

// Package main_test runs the program as people and scripts do: the real binary
// as a child process, in a folder of its own, seen from outside.
package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// patience is how long anything may take before a test gives up; nothing takes
// nearly as long.
const patience = time.Minute

const (
	admin    = "admin@localhost"
	password = `pass:word "quoted" \ 12`
)

// program is the path of the binary.
var program string

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "muster")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "muster")
	if err := buildProgram(program, "2026-01-31"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// buildProgram builds the binary of a commit of some day.
func buildProgram(file, date string) error {
	build := exec.Command("go", "build", "-ldflags",
		"-X main.version=v0.0.0-test -X main.commit=abc -X main.date="+date, "-o", file, ".")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return nil
}

// A folder is where the program is run.
type folder struct {
	t   *testing.T
	dir string
	env []string // MUSTER_ variables
}

// newFolder makes a folder that is removed after the test. Its path is short, unlike that of t.TempDir: the data folder
// has a socket, whose path has a hundred bytes.
func newFolder(t *testing.T) *folder {
	t.Helper()
	dir, err := os.MkdirTemp("", "m")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return &folder{t: t, dir: dir}
}

// data returns the path of a file in the data folder.
func (f *folder) data(name string) string { return filepath.Join(f.dir, "muster-data", name) }

// exists reports whether there is such a file in the data folder.
func (f *folder) exists(name string) bool {
	_, err := os.Stat(f.data(name))
	return err == nil
}

// command returns the program with arguments, without MUSTER_ variables but
// the folder's own.
func (f *folder) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = f.dir
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "MUSTER_") {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	cmd.Env = append(cmd.Env, f.env...)
	return cmd
}

// An outcome is what a command that has ended leaves.
type outcome struct {
	out, err string
	status   int
}

// run runs a command to its end.
func (f *folder) run(args ...string) outcome {
	f.t.Helper()
	return f.feed("", args...)
}

// feed is run with standard input.
func (f *folder) feed(input string, args ...string) outcome {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := f.command(ctx, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended || ctx.Err() != nil {
		f.t.Fatalf("muster %s: %v\n%s", strings.Join(args, " "), err, &errs)
	}
	return outcome{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// must runs a command that is to succeed and returns what it printed.
func (f *folder) must(args ...string) string {
	f.t.Helper()
	got := f.run(args...)
	if got.status != 0 {
		f.t.Fatalf("muster %s: got status %d and %q, want 0", strings.Join(args, " "), got.status, got.err)
	}
	return got.out
}

// refused runs a command that is to fail with one line that contains all texts.
func (f *folder) refused(args []string, texts ...string) {
	f.t.Helper()
	f.refusal(f.run(args...), args, texts...)
}

// refusal checks the outcome of a command that is to fail.
func (f *folder) refusal(got outcome, args []string, texts ...string) {
	f.t.Helper()
	name := "muster " + strings.Join(args, " ")
	if got.status != 1 || got.out != "" || !strings.HasPrefix(got.err, "muster: ") ||
		strings.Contains(got.err, "goroutine") {
		f.t.Errorf("%s: got status %d, output %q and error %q, want status 1, no output and a text", name, got.status,
			got.out, got.err)
	}
	for _, text := range texts {
		if !strings.Contains(got.err, text) {
			f.t.Errorf("%s: got %q, want a text with %q", name, got.err, text)
		}
	}
}

// A service is a running `muster serve`.
type service struct {
	f        *folder
	cmd      *exec.Cmd
	out, log *output
	base     string // where it says that it serves
	address  string // https://localhost and the port, whatever the base URL is
	curl     string // the line that it prints
	password string // of the administrator, "" when it printed none
	ended    chan struct{}
}

// serve starts a server on a free port and waits until it serves.
func (f *folder) serve(args ...string) *service {
	f.t.Helper()
	s := f.launch(args...)
	s.greeting()
	return s
}

// launch starts a server on a free port.
func (f *folder) launch(args ...string) *service {
	f.t.Helper()
	s := &service{f: f, out: newOutput(), log: newOutput(), ended: make(chan struct{})}
	if given := strings.Join(slices.Concat(f.env, args), " "); !strings.Contains(given, "LISTEN=") &&
		!strings.Contains(given, "--listen") {
		args = append([]string{"--listen", "localhost:0"}, args...)
	}
	s.cmd = f.command(context.Background(), append([]string{"serve"}, args...)...)
	s.cmd.Stdout, s.cmd.Stderr = s.out, s.log
	if err := s.cmd.Start(); err != nil {
		f.t.Fatalf("start muster serve: %v", err)
	}
	go func() {
		_ = s.cmd.Wait() // the status is in ProcessState
		close(s.ended)
	}()
	f.t.Cleanup(s.kill)
	return s
}

// greeting reads what the server says at its start.
func (s *service) greeting() {
	s.f.t.Helper()
	s.curl = s.await(s.out, "curl --digest ")
	for line := range strings.Lines(s.out.String()) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "Muster serves its API at "); ok {
			s.base = strings.TrimSuffix(rest, "/api.xml")
		}
		if rest, ok := strings.CutPrefix(line, "password "); ok {
			s.password = strings.TrimSpace(rest)
		}
	}
	var entry struct{ Address string }
	if err := json.Unmarshal([]byte(s.await(s.log, `"msg":"serving"`)), &entry); err != nil {
		s.f.t.Fatalf("the log: %v", err)
	}
	scheme, _, _ := strings.Cut(s.base, "://")
	s.address = scheme + "://localhost" + entry.Address[strings.LastIndexByte(entry.Address, ':'):]
}

// await returns the first line with a text.
func (s *service) await(o *output, text string) string {
	s.f.t.Helper()
	deadline := time.After(patience)
	for {
		changed := o.changes()
		if line, ok := o.line(text); ok {
			return line
		}
		select {
		case <-changed:
		case <-s.ended:
			if line, ok := o.line(text); ok {
				return line
			}
			s.f.t.Fatalf("muster serve ended with %v before it printed %q:\n%s%s", s.cmd.ProcessState, text,
				s.out, s.log)
		case <-deadline:
			s.f.t.Fatalf("muster serve did not print %q:\n%s%s", text, s.out, s.log)
		}
	}
}

// account returns how a user reaches the server; without a user name, anybody.
func (s *service) account(user, password string) mustertest.Account {
	a := mustertest.Account{Base: s.address, User: user, Password: password}
	if strings.HasPrefix(s.address, "https:") {
		a.CA = s.f.data("ca.pem")
	}
	return a
}

// client returns a client of the server.
func (s *service) client(user, password string) *mustertest.Client {
	s.f.t.Helper()
	return mustertest.Connect(s.f.t, s.account(user, password))
}

// admin returns a client of the administrator whose password was printed.
func (s *service) admin() *mustertest.Client { s.f.t.Helper(); return s.client(admin, s.password) }

// stop stops the server and returns its exit status.
func (s *service) stop() int {
	s.f.t.Helper()
	s.signal(syscall.SIGTERM)
	return s.wait()
}

// wait waits for the server's end and returns its exit status.
func (s *service) wait() int {
	s.f.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(patience):
		s.f.t.Fatalf("muster serve did not stop:\n%s", s.log)
	}
	return s.cmd.ProcessState.ExitCode()
}

func (s *service) signal(sig os.Signal) {
	s.f.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.f.t.Fatalf("signal muster serve: %v", err)
	}
}

// kill ends the server as a crash would.
func (s *service) kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	<-s.ended
}

// An output keeps what a process writes and notifies when there is more.
type output struct {
	mu   sync.Mutex
	text []byte
	more chan struct{}
}

func newOutput() *output { return &output{more: make(chan struct{})} }

// Write adds to the output.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text = append(o.text, b...)
	close(o.more)
	o.more = make(chan struct{})
	return len(b), nil
}

// String returns all output so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.text)
}

// changes returns a channel that is closed when there is more.
func (o *output) changes() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.more
}

// line returns the first whole line with a text, without its end.
func (o *output) line(text string) (string, bool) {
	for line := range strings.Lines(o.String()) {
		if strings.Contains(line, text) && strings.HasSuffix(line, "\n") {
			return strings.TrimSuffix(line, "\n"), true
		}
	}
	return "", false
}

// eventually waits until a condition is true.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	mustertest.Eventually(t, what, condition)
}

// freePort returns a port that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	_, port, err := net.SplitHostPort(mustertest.FreeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	return port
}
