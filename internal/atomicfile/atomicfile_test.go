package atomicfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"muster/internal/atomicfile"
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
		{"create", atomicfile.Create, "one", nil, "one"},
		{"create again", atomicfile.Create, "two", fs.ErrExist, "one"},
		{"replace", atomicfile.Replace, "three", nil, "three"},
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
	if err := atomicfile.Create(filepath.Join(dir, "missing", "x"), nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a missing folder: got %v, want %v", err, fs.ErrNotExist)
	}
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	for _, step := range []string{"made", "there"} {
		if err := atomicfile.Folder(dir); err != nil {
			t.Errorf("%s: got %v, want none", step, err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode() != fs.ModeDir|0o700 {
			t.Errorf("%s: got %v, %v, want a folder of mode 0700", step, info, err)
		}
	}
}

// TestReplaceBy leaves the file as it was when the new one cannot be written.
func TestReplaceBy(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.backup")
	failed := errors.New("failed")
	fill := func(err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, wrote := io.WriteString(w, "new")
			return errors.Join(wrote, err)
		}
	}
	for _, step := range []struct {
		err  error
		want []string
	}{{failed, nil}, {nil, []string{"a.backup: new"}}, {failed, []string{"a.backup: new"}}} {
		if err := atomicfile.ReplaceBy(file, fill(step.err), 0o600); !errors.Is(err, step.err) {
			t.Errorf("got the error %v, want %v", err, step.err)
		}
		if got := contents(t, dir); !slices.Equal(got, step.want) {
			t.Errorf("in the folder: got %q, want %q", got, step.want)
		}
	}
}

// TestSwap keeps what it replaces, and replaces nothing that it cannot keep.
func TestSwap(t *testing.T) {
	dir := t.TempDir()
	fresh, file, kept := filepath.Join(dir, "fresh"), filepath.Join(dir, "file"), filepath.Join(dir, "kept")
	for _, step := range []struct {
		data string
		err  error
		want []string
	}{
		{"one", nil, []string{"file: one"}},
		{"two", nil, []string{"file: two", "kept: one"}},
		{"three", fs.ErrExist, []string{"file: two", "fresh: three", "kept: one"}},
	} {
		if err := os.WriteFile(fresh, []byte(step.data), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := atomicfile.Swap(fresh, file, kept); !errors.Is(err, step.err) {
			t.Errorf("swap %s: got the error %v, want %v", step.data, err, step.err)
		}
		if got := contents(t, dir); !slices.Equal(got, step.want) {
			t.Errorf("swap %s: got %q, want %q", step.data, got, step.want)
		}
	}
	if err := atomicfile.Swap(filepath.Join(dir, "none"), file, kept); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("swap a missing file: got %v, want %v", err, fs.ErrNotExist)
	}
}

// contents returns the files of a folder with their contents.
func contents(t *testing.T, dir string) (files []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, e.Name()+": "+string(data))
	}
	return files
}
