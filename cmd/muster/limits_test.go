//go:build full

package main_test

import (
	"context"
	"os/exec"
	"strings"
	"testing"
)

// TestFewFiles: where the system allows too few open files for the connections
// that are wanted, fewer are taken, and the log says so.
func TestFewFiles(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := f.command(ctx, "serve", "--listen", "localhost:0", "--max-connections", "1000")
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path, cmd.Args = shell, append([]string{"sh", "-c", `ulimit -n 300 && exec "$0" "$@"`}, cmd.Args...)
	log := newOutput()
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server says what it takes",
		func() bool { return strings.Contains(log.String(), `"wanted":1000,"connections":172`) })
	cancel()
	_ = cmd.Wait() // it was killed
}
