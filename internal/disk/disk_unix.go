//go:build unix

package disk

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// Room returns the room on the file system of a file or folder.
func Room(path string) (Space, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return Space{}, fmt.Errorf("look for free space at %s: %w", path, err)
	}
	block := uint64(s.Bsize)
	// Some file systems have no fixed number of files, and say 0 of both.
	return Space{Free: uint64(max(0, int64(s.Bavail))) * block, Total: uint64(s.Blocks) * block, Files: s.Files == 0 ||
		s.Ffree > 0}, nil
}

// IsFull reports whether an error says that a disk is full, or that its user may write no more.
func IsFull(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

// IsOne reports whether two files or folders are on one file system.
func IsOne(a, b string) (bool, error) {
	var of [2]unix.Stat_t
	for i, path := range []string{a, b} {
		if err := unix.Stat(path, &of[i]); err != nil {
			return false, fmt.Errorf("look for the file system of %s: %w", path, err)
		}
	}
	return of[0].Dev == of[1].Dev, nil
}
