//go:build full && linux

package main_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"muster/internal/doctor"
	"muster/internal/mustertest"
)

// nobody is a user without rights.
const nobody = 65534

// TestDoctorOwner: a command that root has run may leave files that the server
// cannot use.
func TestDoctorOwner(t *testing.T) {
	t.Parallel()
	f, s := installed(t, mustertest.SQLite)
	s.stop()
	if err := os.Chown(f.data("muster.db"), nobody, nobody); err != nil {
		t.Fatalf("this test needs root: %v", err)
	}
	f.doctor().says(t, "another's database", doctor.Problem, "permissions", "muster.db", "belongs to nobody",
		"chown root")
}

// TestDoctorOtherUser: a run as another user than the server's is reported.
func TestDoctorOtherUser(t *testing.T) {
	t.Parallel()
	f, _ := installed(t, mustertest.SQLite)
	for dir := f.dir; len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(program), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := f.command(context.Background(), "doctor")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // its status is looked at
	if cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("got status %d, output %s and error %s, want 1", cmd.ProcessState.ExitCode(), &out, &errs)
	}
	for _, text := range []string{"belongs to root, and you are nobody", "sudo -u root", "not everything can be checked"} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("got\n%swant %q in it", &out, text)
		}
	}
	if strings.Contains(out.String(), "remove ca.pem") || !strings.Contains(errs.String(), "there is a problem") {
		t.Errorf("got\n%s%swant one problem, and no word of files that could not be looked at", &out, &errs)
	}
}

// TestDoctorFull: a disk that is nearly full is a warning, a full one a
// problem; the doctor needs no room itself.
func TestDoctorFull(t *testing.T) {
	t.Parallel()
	f := patient(t)
	if err := os.Mkdir(f.data(""), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", f.data(""), "tmpfs", 0, "size=128m,mode=0700"); err != nil {
		t.Fatalf("mount a small disk, for which this test needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(f.data(""), 0); err != nil {
			t.Error(err)
		}
	})
	s := f.serve()
	f.doctor().says(t, "128 MB", doctor.Warning, "disk", "nearly full", "507")
	filler, err := os.Create(f.data("filler"))
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 1<<20)
	for err == nil {
		_, err = filler.Write(block)
	}
	if err := filler.Close(); err != nil {
		t.Fatal(err)
	}
	f.doctor().says(t, "no room", doctor.Problem, "disk", "is full: ", "507")
	s.stop()
	f.doctor().says(t, "no room and no server", doctor.Problem, "disk", "is full")
}
