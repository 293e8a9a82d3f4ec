//go:build !linux

package server

import "os"

// allocate gives a new file its blocks on the disk, by writing.
func allocate(f *os.File, size int64) error { return fill(f, size) }
