// Package atomicfile writes files that must survive a crash whole: afterwards there is the old file or the new
// one, never a part of it. What is in the files does not belong here.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Replace writes a file, in place of the one that is there if any.
func Replace(file string, data []byte, mode fs.FileMode) error {
	return write(file, whole(data), mode, os.Rename)
}

// ReplaceBy is Replace for a file that is too large for memory: fill writes it.
func ReplaceBy(file string, fill func(io.Writer) error, mode fs.FileMode) error {
	return write(file, fill, mode, os.Rename)
}

// Create writes a file that must not be there yet; if it is, the error is
// fs.ErrExist.
func Create(file string, data []byte, mode fs.FileMode) error {
	return write(file, whole(data), mode, os.Link)
}

func whole(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// Swap puts a finished file in the place of another, which is kept under a
// third name if it is there. All are in one folder. Whenever it is interrupted,
// there is the old file or the new one.
func Swap(fresh, file, kept string) error {
	if err := syncFile(fresh); err != nil {
		return err
	}
	if err := os.Link(file, kept); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, file); err != nil {
		return err
	}
	return syncDir(filepath.Dir(file))
}

// syncFile flushes a file to disk.
func syncFile(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Folder makes a folder for its owner only, unless it is there.
func Folder(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(dir))
}

// write writes a temporary file beside the other and puts it in its place.
func write(file string, fill func(io.Writer) error, mode fs.FileMode, put func(from, to string) error) error {
	dir, name := filepath.Split(file)
	if dir == "" {
		dir = "."
	}
	f, err := os.CreateTemp(dir, "."+name+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after a rename, as it should
	if err = errors.Join(fill(f), f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if err := put(f.Name(), file); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes a new name in dir last; Windows neither needs it nor allows it.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
