package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"muster/internal/archive"
	"muster/internal/desk/backup"
	"muster/internal/desk/seal"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/copy"
)

// drillName is the throw-away database of a drill, in the data folder.
const drillName = "drill.db"

// drillGrowth is how many times the bytes of the rows of a backup a database takes at most, with its indexes.
const drillGrowth = 3

// Drill proves that a backup can be restored: it is loaded into a throw-away SQLite file in the data folder, every row
// is read again and compared with the backup's, and the file is removed. The server may be running.
func (p *Place) Drill(ctx context.Context, from Source, progress archive.Progress) (*Restored, error) {
	lock, err := lockFile(p.path(drillName + ".lock"))
	switch {
	case errors.Is(err, errLocked):
		return nil, message.Errorf("another drill is under way in %s", p.Data)
	case errors.Is(err, fs.ErrNotExist):
		return nil, message.Errorf("there is no data folder %s, in which a drill is done", p.Data)
	case err != nil:
		return nil, err
	}
	defer lock.Close()
	contents, err := Verify(ctx, from, progress)
	if err != nil {
		return nil, err
	}
	if err := backup.CheckRoom(p.Data, contents.Bytes*drillGrowth); err != nil {
		return nil, err
	}
	tables, err := p.drill(ctx, from, contents, progress)
	return &Restored{Head: contents.Head, Tables: tables}, backup.Explain(err, p.Data)
}

// sweepDrill removes what a drill has left whose process died, unless another drill is under way.
func (p *Place) sweepDrill() error {
	lock, err := lockFile(p.path(drillName + ".lock"))
	if errors.Is(err, errLocked) {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	return copy.Sweep(p.path(drillName))
}

// drill loads a backup into the throw-away file.
func (p *Place) drill(ctx context.Context, from Source, contents archive.Contents, progress archive.Progress,
) ([]copy.Loaded, error) {
	key, err := p.keyFor(contents.Files)
	if err != nil {
		return nil, err
	}
	plain, file, err := from.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in, err := archive.NewReader(plain)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from.File, err)
	}
	defer in.Close()
	return copy.Import{
		Progress: progress,
		Finish:   func(ctx context.Context, tx *store.Tx) error { return seal.CheckKey(ctx, tx, key) },
	}.Drill(ctx, p.path(drillName), in)
}
