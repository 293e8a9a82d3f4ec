//go:build full && linux

package main_test

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// onTerminal runs a command whose errors go to a terminal, and returns what is
// seen there.
func (f *folder) onTerminal(stdout bool, args ...string) (string, error) {
	f.t.Helper()
	master, terminal := openTerminal(f.t)
	ctx, cancel := context.WithTimeout(f.t.Context(), patience)
	defer cancel()
	cmd := f.command(ctx, args...)
	cmd.Stderr = terminal
	if stdout {
		cmd.Stdout = terminal
	}
	err := cmd.Start()
	if err != nil {
		f.t.Fatal(err)
	}
	_ = terminal.Close()
	seen, _ := io.ReadAll(master) // ends with an error when the other side is closed
	return string(seen), cmd.Wait()
}

// TestBar shows on a terminal how far a command has come, and nothing when it
// is done.
func TestBar(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.serve("--demo").stop()
	f.must("backup", "a.backup")
	for _, c := range []struct{ first, args string }{
		{"\rbackup [", "backup b.backup"}, {"\rcheck [", "restore --check b.backup"},
		{"\rrestore [", "restore b.backup"},
	} {
		seen, err := f.onTerminal(false, strings.Fields(c.args)...)
		if err != nil || !strings.HasPrefix(seen, c.first) || !strings.Contains(seen, " % ") ||
			!strings.HasSuffix(seen, "\r\033[K") {
			t.Errorf("muster %s on a terminal: got %v and %q, want a bar that goes away", c.args, err, seen)
		}
	}
	for _, args := range []string{"backup c.backup", "restore --check c.backup", "restore c.backup"} {
		if got := f.run(strings.Fields(args)...); got.status != 0 || got.err != "" {
			t.Errorf("muster %s elsewhere: got %d and %q, want silence", args, got.status, got.err)
		}
	}
	seen, err := f.onTerminal(true, "backup", "-")
	if err == nil || !strings.HasPrefix(seen, "muster: a backup cannot be printed on a terminal") {
		t.Errorf("a backup to a terminal: got %v and %.100q, want that it is refused", err, seen)
	}
}

// TestAdopt: what root makes in the data folder of another user is that
// user's, but nothing that is elsewhere.
func TestAdopt(t *testing.T) {
	t.Parallel()
	const user = 65534
	f := newFolder(t)
	elsewhere, linked := f.dir+"/elsewhere", f.dir+"/linked"
	for _, file := range []string{elsewhere + "/secret", linked} {
		if err := os.MkdirAll(elsewhere, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, file, "of root")
	}
	f.serve("--demo").stop()
	f.must("backup", "a.backup")
	for _, err := range []error{
		os.Chown(f.data(""), user, user), os.Symlink(elsewhere, f.data("folder")),
		os.Symlink(elsewhere+"/secret", f.data("file")), os.Link(linked, f.data("second")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	older(t, f.data("muster.db"))
	f.serve().stop()
	f.must("restore", "a.backup")
	f.must("user", "add", "anna@example.com", "--role", "technician")
	want := map[string]uint32{
		f.data("folder"): 0, f.data("file"): 0, f.data("second"): 0, linked: 0, elsewhere: 0, elsewhere + "/secret": 0,
	}
	seen := 0
	err := filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		owner := uint32(user)
		if o, ok := want[path]; ok || !strings.HasPrefix(path, f.data("")) {
			owner = o
		}
		if got := info.Sys().(*syscall.Stat_t).Uid; got != owner {
			t.Errorf("%s belongs to %d, want %d", path, got, owner)
		}
		seen++
		return nil
	})
	if err != nil || seen < 15 {
		t.Errorf("got %d files, %v, want the whole folder", seen, err)
	}
}
