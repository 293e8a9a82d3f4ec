//go:build unix

package server

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// adopt gives files that root has made in a data folder to the folder's owner,
// who could not read them otherwise.
func adopt(dir string) {
	info, err := os.Stat(dir)
	if err != nil || os.Geteuid() != 0 {
		return
	}
	owner := info.Sys().(*syscall.Stat_t)
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // who starts the server is told of what is left
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Sys().(*syscall.Stat_t).Uid == 0 {
			_ = os.Lchown(path, int(owner.Uid), int(owner.Gid))
		}
		return nil
	})
}
