package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"muster/internal/witness"
)

// hasModes reports whether the machine has owners and modes of files as we know
// them.
const hasModes = runtime.GOOS != "windows"

// folder looks at the data folder, and reports whether there is one that can be
// looked into.
func (e *examiner) folder() bool {
	const check = "data folder"
	info, err := os.Stat(e.Data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.problem(check, "For a new installation start muster serve, which makes it. For another, name its folder with --data.",
			"There is no data folder %s.", e.Data)
		return false
	case err != nil:
		e.problem(check, "Run muster doctor as the user that the server runs as, or as root.",
			"The data folder cannot be looked at: %v.", err)
		return false
	case !info.IsDir():
		e.problem(check, "Name the installation's folder with --data.", "%s is a file, not a folder.", e.Data)
		return false
	case !hasModes:
		e.ok(check, "%s is there.", e.Data)
		return true
	}
	e.folderMode(info)
	_, err = os.Stat(e.Socket)
	e.shut = errors.Is(err, fs.ErrPermission)
	return true
}

// folderMode checks who may use the data folder.
func (e *examiner) folderMode(info fs.FileInfo) {
	const check = "data folder"
	mode, owner := info.Mode().Perm(), ownerOf(info)
	private := fmt.Sprintf("Run: chmod 700 %s", e.Data)
	switch me := os.Geteuid(); {
	case me != 0 && owner != me:
		e.problem(check, fmt.Sprintf("Run commands as %s, such as: sudo -u %s muster doctor.", userName(owner),
			userName(owner)),
			"The data folder %s belongs to %s, and you are %s, so not everything can be checked.", e.Data,
			userName(owner), userName(me))
	case mode&0o700 != 0o700:
		e.problem(check, private, "The owner of the data folder %s may not use it (its mode is %#o).", e.Data, mode)
	case mode&0o022 != 0:
		e.problem(check, private, "Others than its owner can write into the data folder %s (its mode is %#o).",
			e.Data, mode)
	case mode&0o055 != 0:
		e.warn(check, private, "Others than its owner can look into the data folder %s (its mode is %#o).",
			e.Data, mode)
	default:
		e.ok(check, "%s belongs to %s, the only user who can use it.", e.Data, userName(owner))
	}
}

// A file is one that only its owner should have access to.
type file struct {
	path string
	what string
	need fs.FileMode // of the owner
	deny fs.FileMode // to others
}

// files looks at the owner and the mode of each file.
func (e *examiner) files() {
	if !hasModes {
		return
	}
	all := []file{
		{e.Key, "seals the passwords in the database", 0o400, 0o077},
		{filepath.Join(e.Data, witness.FileName), "vouches for the end of the audit trail", 0o600, 0o022},
		{e.Socket, "takes commands, such as those that add administrators", 0o600, 0o077},
	}
	if !e.postgres() {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			all = append(all, file{e.Database + suffix, "holds all records", 0o600, 0o077})
		}
	}
	if e.AddressFile != "" {
		// a group of the server's is usual
		all = append(all, file{e.AddressFile, "may have the password of the database", 0, 0o007})
	}
	if e.ObserveTokenFile != "" {
		all = append(all, file{e.ObserveTokenFile, "has the token for metrics", 0, 0o007})
	}
	if e.CertFile != "" {
		// a group for certificates is usual
		all = append(all, file{e.CertKey, "is the private key of the certificate", 0, 0o007})
	} else if !e.PlainHTTP {
		for _, name := range []string{"ca.key", "tls.key"} {
			all = append(all, file{filepath.Join(e.Data, name), "is a private key", 0o400, 0o077})
		}
	}
	before := len(e.findings)
	for _, f := range all {
		e.file(f)
	}
	if len(e.findings) == before {
		e.ok("permissions", "Keys, database and socket can be used by their owner alone.")
	}
}

// file looks at one file, if it is there.
func (e *examiner) file(f file) {
	const check = "permissions"
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		e.problem(check, "Run muster doctor as the user that the server runs as, or as root.",
			"A file cannot be looked at: %v.", err)
		return
	}
	mode := info.Mode().Perm()
	private := fmt.Sprintf("Run: chmod 600 %s", f.path)
	switch {
	case mode&f.deny != 0:
		e.problem(check, private, "Others than its owner can use %s, which %s (its mode is %#o).", f.path, f.what, mode)
	case mode&f.need != f.need:
		e.problem(check, private, "The owner of %s may not use it as the server must (its mode is %#o).", f.path, mode)
	}
	folder, err := os.Stat(e.Data)
	if err == nil && filepath.Dir(f.path) == filepath.Clean(e.Data) && ownerOf(info) != ownerOf(folder) {
		owner := userName(ownerOf(folder))
		e.problem(check, fmt.Sprintf("Run, as root: chown %s %s", owner, f.path),
			"%s belongs to %s, but the data folder to %s: a command was run as another user than the server.", f.path,
			userName(ownerOf(info)), owner)
	}
}
