package server

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muster/internal/archive"
	"muster/internal/atomicfile"
)

// Copies that are made before an upgrade are in a folder of the data folder.
const (
	copyFolder  = "backups"
	copyPattern = "upgrade-*.backup"
	copiesKept  = 3
)

// copyBeforeUpgrade keeps the database as it is before this version alters its
// tables, for Rollback.
func (p *Place) copyBeforeUpgrade(ctx context.Context) error {
	folder := p.path(copyFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	file := filepath.Join(folder, strings.Replace(copyPattern, "*", p.stamp(), 1))
	p.Log.Info("copying the database before it is brought up to date", "file", file)
	write := func(w io.Writer) error {
		_, err := p.export(ctx, w, false, func(string, int64, int64) {})
		return err
	}
	if err := atomicfile.ReplaceBy(file, write, 0o600); err != nil {
		return err
	}
	copies, err := p.copies()
	for len(copies) > copiesKept && err == nil {
		err = os.Remove(copies[0])
		copies = copies[1:]
	}
	return err
}

// copies returns the copies that were made before upgrades, the oldest first.
func (p *Place) copies() ([]string, error) {
	copies, err := filepath.Glob(filepath.Join(p.path(copyFolder), copyPattern))
	slices.Sort(copies)
	return copies, err
}

// Rollback restores the copy that was made before the last upgrade.
func (p *Place) Rollback(ctx context.Context, progress archive.Progress) (*Restored, error) {
	copies, err := p.copies()
	if err != nil {
		return nil, err
	}
	if len(copies) == 0 {
		return nil, fmt.Errorf("there is no copy in %s: no server with this data folder has upgraded the database; of several servers on one database, only one has the copy", p.path(copyFolder))
	}
	last := copies[len(copies)-1]
	if err := p.isOurs(last); err != nil {
		return nil, err
	}
	return p.Restore(ctx, Source{File: last}, progress)
}

// isOurs refuses a copy that was made of another database than the one that
// would be replaced, such as the one from before a move.
func (p *Place) isOurs(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := archive.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	defer in.Close()
	if in.Head.Database != p.origin() {
		return fmt.Errorf("the last copy, %s, is of the database %s and not of %s: name that database with --database, or put the copy here with muster restore",
			file, in.Head.Database, p.origin())
	}
	return nil
}
