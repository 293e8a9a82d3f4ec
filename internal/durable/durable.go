// Package durable writes files that must survive a crash whole: afterwards
// there is the old file or the new one, never a part of it.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Replace writes a file, in place of the one that is there if any.
func Replace(file string, data []byte, mode fs.FileMode) error {
	return write(file, data, mode, os.Rename)
}

// Create writes a file that must not be there yet; if it is, the error is
// fs.ErrExist.
func Create(file string, data []byte, mode fs.FileMode) error {
	return write(file, data, mode, os.Link)
}

// write writes a temporary file beside the other and puts it in its place.
func write(file string, data []byte, mode fs.FileMode, put func(from, to string) error) error {
	dir, name := filepath.Split(file)
	if dir == "" {
		dir = "."
	}
	f, err := os.CreateTemp(dir, "."+name+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after a rename, as it should
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
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
