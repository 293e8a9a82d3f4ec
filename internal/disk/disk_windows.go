package disk

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// Room returns the room on the file system of a file or folder.
func Room(path string) (Space, error) {
	s := Space{Files: true}
	name, err := windows.UTF16PtrFromString(path)
	if err == nil {
		err = windows.GetDiskFreeSpaceEx(name, &s.Free, &s.Total, nil)
	}
	if err != nil {
		return Space{}, fmt.Errorf("look for free space at %s: %w", path, err)
	}
	return s, nil
}

// IsFull reports whether an error says that a disk is full.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// IsOne reports whether two files or folders are on one drive.
func IsOne(a, b string) (bool, error) {
	a, wrong := filepath.Abs(a)
	b, err := filepath.Abs(b)
	return strings.EqualFold(filepath.VolumeName(a), filepath.VolumeName(b)), errors.Join(wrong, err)
}
