package server

import (
	"context"
	"io"
	"regexp"
	"runtime"
	"strings"

	"muster/internal/agentsetup"
	"muster/internal/archive"
	"muster/internal/desk/backup"
	"muster/internal/store"
)

// backups returns the place as that of backups by schedule. They have the keys: a backup without them is of no use on a
// new machine, and who can read the folder of the backups can read the keys beside it, unless the backups are
// encrypted.
func (p *Place) backups() backup.Place {
	return backup.Place{
		Data: p.Data,
		Export: func(ctx context.Context, out io.Writer, progress archive.Progress) (archive.Head, error) {
			return p.export(ctx, out, false, progress)
		},
		Drill: func(ctx context.Context, file string, progress archive.Progress) error {
			_, err := p.Drill(ctx, Source{File: file}, progress)
			return err
		},
		Sweep:   p.sweepDrill,
		Command: p.restoreCommand,
	}
}

// restoreCommand returns the command that restores a backup. The address of PostgreSQL, which may have a password, is
// not in it.
func (p *Place) restoreCommand(file string, encrypted bool) string {
	lines := []string{"muster restore --data " + shellPath(p.Data)}
	if p.Database != "" && !store.IsPostgres(p.Database) {
		lines = append(lines, "--database "+shellPath(p.Database))
	}
	if p.KeyFile != "" {
		lines = append(lines, "--key-file "+shellPath(p.KeyFile))
	}
	if encrypted {
		lines = append(lines, "--backup-key FILE")
	}
	lines = append(lines, shellPath(file))
	if runtime.GOOS == "windows" {
		return strings.Join(lines, " ")
	}
	return strings.Join(lines, " \\\n  ")
}

// plainPath is a path that means the same to a shell without quotes.
var plainPath = regexp.MustCompile(`^[\w./:@+-]+$`)

// shellPath returns a path as a shell reads it from every folder.
func shellPath(path string) string {
	if path = absolute(path); plainPath.MatchString(path) {
		return path
	}
	return agentsetup.ShellQuote(path)
}
