package server

import (
	"errors"
	"os"
	"syscall"
)

// allocate gives a new file its blocks on the disk: all of them at once where
// the file system can do that, else by writing.
func allocate(f *os.File, size int64) error {
	err := syscall.EINTR
	for err == syscall.EINTR { // the Go runtime interrupts its threads now and then
		err, _ = syscall.Fallocate(int(f.Fd()), 0, 0, size).(syscall.Errno)
	}
	switch {
	case err == 0:
		return nil
	case errors.Is(err, errors.ErrUnsupported):
		return fill(f, size)
	}
	return &os.PathError{Op: "fallocate", Path: f.Name(), Err: err}
}
