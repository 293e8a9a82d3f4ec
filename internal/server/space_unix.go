//go:build linux || darwin

package server

import (
	"os"
	"syscall"
)

// space returns how many bytes the disk of a folder has for us, and in all.
func space(folder string) (free, total int64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, 0, &os.PathError{Op: "statfs", Path: folder, Err: err}
	}
	return int64(s.Bavail) * int64(s.Bsize), int64(s.Blocks) * int64(s.Bsize), nil
}
