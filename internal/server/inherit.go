package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// nodeFile is the file in the data folder with the name under which its server does jobs. The server has the file's lock,
// so that whoever gets the lock knows that the one before is dead: nothing else keeps two servers of a PostgreSQL database
// out of one folder.
const nodeFile = "node"

// maxNode is how much of that file is read: more than any name has.
const maxNode = 1000

// inherit lets the jobs go on at once that the server before this one has left because it died. On SQLite the lock of the
// database says that all others are dead.
func (h *installation) inherit(ctx context.Context) (err error) {
	if !h.store.Shared() {
		return h.jobs.Inherit(ctx, "")
	}
	h.node, err = lockFile(filepath.Join(h.data, nodeFile))
	if errors.Is(err, errLocked) {
		return errors.New("another server runs on the same data folder; each node needs one of its own")
	}
	if err != nil {
		return err
	}
	dead, err := io.ReadAll(io.LimitReader(h.node, maxNode))
	if err == nil {
		err = h.jobs.Inherit(ctx, string(dead))
	}
	if err != nil {
		return err
	}
	return write(h.node, h.jobs.Node())
}

// write makes a text all that a file has.
func write(f *os.File, text string) error {
	if err := f.Truncate(0); err != nil {
		return fmt.Errorf("note the name of this node: %w", err)
	}
	if _, err := f.WriteAt([]byte(text), 0); err != nil {
		return fmt.Errorf("note the name of this node: %w", err)
	}
	return nil
}
