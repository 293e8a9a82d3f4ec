//go:build full

package main_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// A disk is a small file system of its own.
type disk struct {
	t       *testing.T
	folder  string
	options []string // of mount
	mounted bool
}

// newTmpfs returns a disk in memory.
func newTmpfs(t *testing.T, size string) *disk {
	t.Helper()
	return newDisk(t, "-t", "tmpfs", "-o", "mode=755,size="+size, "muster-test")
}

// newDisk mounts a disk until the test ends.
func newDisk(t *testing.T, options ...string) *disk {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "muster-disk") // PostgreSQL, which has a user of its own, must reach it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(folder) })
	d := &disk{t: t, folder: folder, options: options}
	t.Cleanup(d.unmount)
	d.mount()
	return d
}

func (d *disk) mount() {
	d.t.Helper()
	if out, err := exec.Command("mount", append(d.options, d.folder)...).CombinedOutput(); err != nil {
		d.t.Fatalf("mount %v: %v\n%s\nThis test mounts small disks: run it as root, where mount and loop devices are allowed.", d.options, err, out)
	}
	d.mounted = true
}

// unmount waits for nobody: who still uses the disk would have stayed behind
// after the test.
func (d *disk) unmount() {
	if !d.mounted {
		return
	}
	d.mounted = false
	if out, err := exec.Command("umount", d.folder).CombinedOutput(); err != nil {
		d.t.Errorf("umount: %v\n%s", err, out)
		_ = syscall.Unmount(d.folder, syscall.MNT_DETACH) // the next test needs no less than this
	}
}

// fill takes all room on the disk, and returns the file that takes it.
func (d *disk) fill(name string) string {
	d.t.Helper()
	file := filepath.Join(d.folder, name)
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int64{1 << 20, 1 << 10, 1} { // down to the last byte
		for err = nil; err == nil; {
			_, err = io.CopyN(f, zeros{}, size)
		}
		if !errors.Is(err, syscall.ENOSPC) {
			d.t.Fatalf("fill the disk: %v", err)
		}
	}
	_ = f.Sync() // may return once more that the disk is full
	return file
}

// zeros are as many as anybody reads.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
