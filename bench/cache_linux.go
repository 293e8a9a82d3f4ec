package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// dropCache writes what a file has in memory to the disk, and drops it.
func dropCache(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED), f.Close())
}
