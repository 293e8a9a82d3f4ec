package server

import (
	"os"

	"golang.org/x/sys/windows"
)

// space returns how many bytes the disk of a folder has for us, and in all.
func space(folder string) (free, total int64, err error) {
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, 0, err
	}
	var ours, all, unused uint64
	if err := windows.GetDiskFreeSpaceEx(name, &ours, &all, &unused); err != nil {
		return 0, 0, &os.PathError{Op: "free space", Path: folder, Err: err}
	}
	return int64(ours), int64(all), nil
}
