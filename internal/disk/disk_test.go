package disk_test

import (
	"os"
	"path/filepath"
	"testing"

	"muster/internal/disk"
)

func TestRoom(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, file} {
		s, err := disk.Room(path)
		if err != nil || s.Free == 0 || s.Total < s.Free || !s.Files {
			t.Errorf("%s: got %+v, %v, want some room", path, s, err)
		}
	}
	if s, err := disk.Room(filepath.Join(folder, "missing")); err == nil {
		t.Errorf("a missing folder: got %+v, want an error", s)
	}
}

func TestIsOne(t *testing.T) {
	folder := t.TempDir()
	below := filepath.Join(folder, "below")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	if one, err := disk.IsOne(folder, below); !one || err != nil {
		t.Errorf("a folder in another: got %v, %v, want one file system", one, err)
	}
	if one, err := disk.IsOne("/proc", folder); one && err == nil {
		t.Error("/proc and a temporary folder: got one file system")
	}
}
