//go:build full && linux

package main_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTerminal: on a terminal the log is text for people.
func TestTerminal(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	master, terminal := openTerminal(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := f.command(ctx, "serve", "--listen", "localhost:0")
	cmd.Stderr = terminal
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = terminal.Close()
	log := bufio.NewScanner(master)
	for log.Scan() && !strings.Contains(log.Text(), "serving") { // other lines may come before it
	}
	if !strings.Contains(log.Text(), `level=INFO msg=serving address=127.0.0.1:`) {
		t.Errorf("the log on a terminal: got %q, %v, want text", log.Text(), log.Err())
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("muster serve on a terminal: %v", err)
	}
}

// openTerminal returns both sides of a new terminal.
func openTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = master.Close() })
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatalf("unlock the terminal: %v", err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatalf("number of the terminal: %v", err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, terminal
}
