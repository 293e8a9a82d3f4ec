//go:build full && volume

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const (
	cuts = 20
	// betweenCuts is how many writes are acknowledged between two of them.
	betweenCuts = 100
	imageSize   = 512 << 20
)

// TestFaultPowerCuts cuts the power of the database's disk again and again
// while clients write: ext4 forgets all that was not made to last. What was
// acknowledged before must be there.
func TestFaultPowerCuts(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		d := newExt4(t, imageSize)
		f := &folder{t: t, dir: d.folder, env: []string{"MUSTER_RATE_LIMIT=0"}}
		cutPower(t, f, f.data("muster.db"), d, func() {}, func() {})
	})
	t.Run("postgres", func(t *testing.T) {
		d := newExt4(t, imageSize)
		c := newCluster(t, d)
		f := newFolder(t)
		f.env = []string{"MUSTER_RATE_LIMIT=0", "MUSTER_DATABASE=" + c.address}
		cutPower(t, f, c.address, d, c.stop, c.start)
	})
}

// newExt4 returns an ext4 disk in a file, made with further options.
func newExt4(t *testing.T, size int64, options ...string) *disk {
	t.Helper()
	image := filepath.Join(t.TempDir(), "image")
	write(t, image, "")
	if err := os.Truncate(image, size); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("/sbin/mkfs.ext4", append(options, "-q", "-F", image)...).CombinedOutput(); err != nil {
		t.Fatalf("mkfs.ext4: %v\n%s", err, out)
	}
	return newDisk(t, "-t", "ext4", "-o", "loop", image)
}

// cutPower runs the ledger; before and after the disk is mounted again, the
// database's own server is stopped and started.
func cutPower(t *testing.T, f *folder, database string, d *disk, stop, start func()) {
	t.Helper()
	s := f.serveReady()
	l := newLedger(t, s.password)
	l.between = betweenCuts
	for range cuts {
		l.write(s, func() {
			l.cut.Store(true)
			d.cut()
			s.kill()
		})
		stop()
		d.unmount()
		d.mount()
		start()
		l.cut.Store(false)
		begun := time.Now()
		s = f.serveReady()
		l.restarted(s, time.Since(begun))
	}
	l.check(s, database)
	l.report("power cuts")
}

// Of Linux: EXT4_IOC_SHUTDOWN, and that not even the journal is written.
const (
	ioctlShutdown = 0x8004587d
	noLogFlush    = 2
)

// cut makes the disk forget what is not on it yet, and refuse everything until
// it is mounted again.
func (d *disk) cut() {
	folder, err := os.Open(d.folder)
	if err != nil {
		d.t.Errorf("cut the power: %v", err)
		return
	}
	defer folder.Close()
	if err := unix.IoctlSetPointerInt(int(folder.Fd()), ioctlShutdown, noLogFlush); err != nil {
		d.t.Errorf("cut the power: %v", err)
	}
}

// TestFaultCutForgets makes sure that a power cut would show a write that was
// acknowledged too early.
func TestFaultCutForgets(t *testing.T) {
	d := newExt4(t, 16<<20)
	file := filepath.Join(d.folder, "file")
	write(t, file, "kept")
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(" forgotten"); err != nil {
		t.Fatal(err)
	}
	d.cut()
	_ = f.Close() // or it could not be unmounted
	d.unmount()
	d.mount()
	if got := read(t, file); got != "kept" {
		t.Errorf("after a power cut: got %q, want kept", got)
	}
}

// TestFaultFullExt4 is TestFullDisk on a file system that gives a file its
// blocks late, and on one on which they must be written to be had.
func TestFaultFullExt4(t *testing.T) {
	t.Run("extents", func(t *testing.T) { testFullDisk(t, newExt4(t, 96<<20)) })
	t.Run("no extents", func(t *testing.T) { testFullDisk(t, newExt4(t, 96<<20, "-O", "^extent,^64bit")) })
}
