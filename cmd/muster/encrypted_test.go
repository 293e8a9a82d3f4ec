//go:build full

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEncryptedBackup is read with its keys, and with no others.
func TestEncryptedBackup(t *testing.T) {
	t.Parallel()
	f, elsewhere := newFolder(t), newFolder(t)
	s := f.serve("--demo", "--rate-limit", "0")
	want := documents(t, s, s.password)
	first, second := f.backupKey("first.key"), f.backupKey("second.key")
	f.backupKey("other.key")
	file := filepath.Join(f.dir, "a.backup.age")
	out := f.must("backup", file, "--for", first, "--for", second)
	if !strings.HasSuffix(out, "It is encrypted: keep the private key elsewhere, since nobody reads the file without it.\n") {
		t.Errorf("backup --for: got %q", out)
	}
	for _, plain := range []string{read(t, f.data("server.key")), "CREATE TABLE", "hardwares"} {
		if strings.Contains(read(t, file), plain) {
			t.Errorf("the encrypted backup has %q", plain)
		}
	}
	s.stop()

	for _, args := range [][]string{{"restore", file}, {"restore", "--check", file}} {
		f.refused(args, "a.backup.age is encrypted: name the file with its key by --backup-key")
		f.refused(append(args, "--backup-key", "other.key"), "a.backup.age is encrypted to another key than that of", "other.key")
		f.refused(append(args, "--backup-key", "none.key"), "--backup-key", "none.key")
		f.refused(append(args, "--backup-key", file), "--backup-key", "has no private key for backups")
	}
	for _, key := range []string{"first.key", "second.key"} {
		if out := f.must("restore", "--check", file, "--backup-key", key); !strings.Contains(out, "a.backup.age is whole: ") {
			t.Errorf("restore --check: got %q", out)
		}
	}
	elsewhere.must("restore", file, "--backup-key", filepath.Join(f.dir, "second.key"))
	elsewhere.serves(want, s.password)
}

// backupKey makes a pair of keys, and returns the public one.
func (f *folder) backupKey(name string) string {
	f.t.Helper()
	got := f.run("backup-key", name)
	public := strings.TrimSpace(got.out)
	if got.status != 0 || !strings.HasPrefix(public, "age1") {
		f.t.Fatalf("backup-key: got %d, %q, %q, want a public key", got.status, got.out, got.err)
	}
	file := filepath.Join(f.dir, name)
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 || !strings.Contains(read(f.t, file), public) {
		f.t.Errorf("%s: got %v, %v, want mode 0600 and the public key", name, info, err)
	}
	return public
}

// TestBackupKeys: what is no key is refused before anything is written, and no key is overwritten.
func TestBackupKeys(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.serve().stop()
	public := f.backupKey("a.key")
	before := read(t, filepath.Join(f.dir, "a.key"))
	f.refused([]string{"backup-key", "a.key"}, "a.key already exists: choose another name")
	if read(t, filepath.Join(f.dir, "a.key")) != before {
		t.Error("the private key was overwritten")
	}
	for _, wrong := range []string{"anna@example.com", public + "x", strings.ToUpper(public[:10]), "ssh-ed25519 AAAA", "AGE-SECRET-KEY-1"} {
		f.refused([]string{"backup", "a.backup", "--for", wrong}, "--for", "is no public key for backups: one begins with age1")
	}
	if _, err := os.Stat(filepath.Join(f.dir, "a.backup")); err == nil {
		t.Error("got a backup for a key that is none")
	}
	f.must("backup", "a.backup.age", "--for", public)
	whole := []byte(read(t, filepath.Join(f.dir, "a.backup.age")))
	for name, file := range map[string][]byte{
		"flipped in the middle": flip(whole, len(whole)/2), "flipped at the end": flip(whole, len(whole)-1),
		"cut off": whole[:len(whole)-100], "cut in its head": whole[:60],
	} {
		write(t, filepath.Join(f.dir, "bad.age"), string(file))
		f.refused([]string{"restore", "--check", "bad.age", "--backup-key", "a.key"}, "bad.age: the backup is damaged")
		if t.Failed() {
			t.Fatal(name)
		}
	}
}
