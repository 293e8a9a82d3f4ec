//go:build unix

package server

import (
	"io/fs"
	"os"
	"syscall"
)

// adopt gives files that root has made in a data folder to the folder's owner,
// who could not read them otherwise. The owner may have put anything there: so
// no link is followed out of the folder, and no file is given away that has a
// second name elsewhere.
func adopt(dir string) {
	if os.Geteuid() != 0 {
		return
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return // there is no folder yet
	}
	defer root.Close()
	info, err := root.Stat(".")
	if err != nil {
		return
	}
	owner := info.Sys().(*syscall.Stat_t)
	// errors are ignored: the start of the server reports files that it cannot use
	_ = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && isRoots(info) {
			_ = root.Lchown(path, int(owner.Uid), int(owner.Gid))
		}
		return nil
	})
}

// isRoots reports whether a file or folder belongs to root and has no other
// name.
func isRoots(info fs.FileInfo) bool {
	stat := info.Sys().(*syscall.Stat_t)
	return stat.Uid == 0 && (info.IsDir() || info.Mode().IsRegular() && stat.Nlink == 1)
}
