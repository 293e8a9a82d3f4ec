//go:build unix

package server

import (
	"math"
	"syscall"
)

// maxFiles returns how many files and connections the process may have open. Go
// has raised the limit to what the system allows.
func maxFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || uint64(limit.Cur) > math.MaxInt32 {
		return math.MaxInt32
	}
	return int(limit.Cur)
}
