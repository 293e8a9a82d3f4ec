package durable_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"muster/internal/durable"
)

func TestCreateAndReplace(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "server.key")
	steps := []struct {
		name  string
		write func(string, []byte, fs.FileMode) error
		data  string
		err   error
		want  string
	}{
		{"create", durable.Create, "one", nil, "one"},
		{"create again", durable.Create, "two", fs.ErrExist, "one"},
		{"replace", durable.Replace, "three", nil, "three"},
	}
	for _, step := range steps {
		if err := step.write(file, []byte(step.data), 0o600); !errors.Is(err, step.err) {
			t.Errorf("%s: got the error %v, want %v", step.name, err, step.err)
		}
		got, err := os.ReadFile(file)
		if string(got) != step.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", step.name, got, err, step.want)
		}
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("got %v, %v, want a file of mode 0600", info, err)
	}
	entries, err := os.ReadDir(dir)
	if len(entries) != 1 || err != nil {
		t.Errorf("got %v, %v in the folder, want the file alone", entries, err)
	}
	if err := durable.Create(filepath.Join(dir, "missing", "x"), nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a missing folder: got %v, want %v", err, fs.ErrNotExist)
	}
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	for _, step := range []string{"made", "there"} {
		if err := durable.Folder(dir); err != nil {
			t.Errorf("%s: got %v, want none", step, err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode() != fs.ModeDir|0o700 {
			t.Errorf("%s: got %v, %v, want a folder of mode 0700", step, info, err)
		}
	}
}
