// Command suite runs the tests of a make target: it installs what they need, shows
// their progress, and ends with one line that counts them. Which tests a target runs is
// in stages.go; tests themselves belong beside the code that they test.
//
//	go run ./scripts/suite test
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"muster/internal/disk"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "suite:", err)
		stop()
		os.Exit(1)
	}
}

// run runs the stages of targets, and returns an error unless all tests have passed.
func run(ctx context.Context, names []string) error {
	stages, err := stagesOf(names)
	if err != nil {
		return err
	}
	start := time.Now()
	if err := prepare(ctx, stages); err != nil {
		return err
	}
	var all tally
	for _, s := range stages {
		if err := s.run(ctx, &all); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	all.report(os.Stdout, time.Since(start))
	switch {
	case all.failed > 0:
		return errors.New("tests have failed")
	case all.skipped > 0:
		return errors.New("a skipped test proves nothing: make it run, or move it to a target where it does")
	}
	return nil
}

// prepare looks whether the stages can run here, and installs what they need.
func prepare(ctx context.Context, stages []stage) error {
	needsTools := false
	for _, s := range stages {
		needsTools = needsTools || s.tools
		if s.root && os.Geteuid() != 0 {
			return fmt.Errorf("the tests of %s mount disks and give files to other users: run them as root", s.name)
		}
		if _, err := s.room(); err != nil {
			return err
		}
	}
	if needsTools {
		fmt.Println("=== tools: looking for what the tests need, and installing what is missing")
		install := exec.CommandContext(ctx, "scripts/install-test-tools")
		install.Stdout, install.Stderr = os.Stdout, os.Stderr
		if err := install.Run(); err != nil {
			return fmt.Errorf("the tools of the tests are not there: %w", err)
		}
	}
	return nil
}

// Where temporary files are, unless TMPDIR says it.
const (
	inMemory = "/dev/shm" // on Linux: databases of tests are several times faster there
	onDisk   = "/var/tmp" // on Linux: /tmp may be in memory
)

// room returns the folder where the stage has its temporary files: in memory, unless the
// stage is about disks or there is too little of it.
func (s *stage) room() (folder string, err error) {
	needed := uint64(1) << 30 // they take less
	if s.postgres {
		needed *= 3
	}
	folders := []string{os.TempDir()}
	switch {
	case os.Getenv("TMPDIR") != "":
	case s.disk:
		folders = []string{onDisk, os.TempDir()}
	default:
		folders = []string{inMemory, os.TempDir()}
	}
	var free uint64
	for _, folder = range folders {
		space, err := disk.Room(folder)
		if err == nil && space.Free >= needed {
			return folder, nil
		}
		free = space.Free
	}
	return "", fmt.Errorf("%s has room for %d MB, and the tests need %d MB: make room there, or set TMPDIR", folder,
		free>>20, needed>>20)
}

// temporary makes the folder for the files of a stage, and removes those of suites that
// were killed.
func (s *stage) temporary() (folder string, err error) {
	parent, err := s.room()
	if err != nil {
		return "", err
	}
	const name = "mt%d-" // a short one: sockets have paths of a hundred bytes
	left, err := filepath.Glob(filepath.Join(parent, "mt*-*"))
	if err != nil {
		return "", err
	}
	for _, old := range left {
		var id int
		if _, err := fmt.Sscanf(filepath.Base(old), name, &id); err == nil && !runs(id) {
			os.RemoveAll(old)
		}
	}
	if folder, err = os.MkdirTemp(parent, fmt.Sprintf(name, os.Getpid())); err != nil {
		return "", err
	}
	return folder, os.Chmod(folder, 0o755) // PostgreSQL runs as another user
}

// runs reports whether a process runs.
func runs(id int) bool {
	p, err := os.FindProcess(id)
	return err == nil && !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// command returns what runs the tests of a stage.
func (s *stage) command(ctx context.Context, folder string) *exec.Cmd {
	args := append([]string{"go"}, s.args()...)
	if s.postgres {
		args = append([]string{"scripts/with-postgres"}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "TMPDIR="+folder, "GOTMPDIR="+folder, "MUSTER_TEST_FOLDER="+folder)
	if !s.disk {
		cmd.Env = append(cmd.Env, "GOGC=400") // memory for time; what starts the program itself takes it out
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // which stops the database too
	cmd.WaitDelay = time.Minute
	return cmd
}

// run runs a stage and adds what it did to a tally.
func (s *stage) run(ctx context.Context, all *tally) error {
	start := time.Now()
	fmt.Printf("=== %s: %s\n", s.name, s.what)
	folder, err := s.temporary()
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	cmd := s.command(ctx, folder)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	before := *all
	readErr := all.read(out, os.Stdout, s.measures)
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted")
	case readErr != nil:
		return fmt.Errorf("read what go test prints: %w", readErr)
	case err != nil && all.failed == before.failed:
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	case all.passed+all.failed+all.skipped == before.passed+before.failed+before.skipped:
		return errors.New("there is no such test")
	}
	all.stages = append(all.stages, took{s.name, time.Since(start)})
	return nil
}

// root returns whether the suite is run where it belongs, at the top of the tree.
func root() error {
	if _, err := os.Stat(filepath.Join("scripts", "suite", "main.go")); err != nil {
		return errors.New("run it at the top of the tree, as make does")
	}
	return nil
}
