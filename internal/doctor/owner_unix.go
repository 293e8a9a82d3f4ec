//go:build unix

package doctor

import (
	"io/fs"
	"os/user"
	"strconv"
	"syscall"
)

// ownerOf returns the number of the user whose a file is.
func ownerOf(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid)
	}
	return -1
}

// userName returns the name of a user, or the number of one without.
func userName(id int) string {
	if u, err := user.LookupId(strconv.Itoa(id)); err == nil {
		return u.Username
	}
	return "user " + strconv.Itoa(id)
}
