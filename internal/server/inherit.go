package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// nodeFile is the file in the data folder that says which server runs on it: the name under which it does jobs. The server
// has the file's lock, so that whoever gets the lock knows that the one before is dead. While a server starts, the name of
// the one before stands in front of its own.
const nodeFile = "node"

// maxNode is how much of that file is read: more than any names have.
const maxNode = 1000

// A hold keeps other servers out of a data folder, whatever their databases are: they would take each other's socket away.
type hold struct {
	file *os.File // locked, nil where that is not possible
	dead string   // name of the server before, whose jobs nobody does
}

// holdFolder keeps other servers out of the data folder, or says which one is there.
func (p *Place) holdFolder() (*hold, error) {
	if err := p.prepare(); err != nil {
		return nil, err
	}
	file, err := lockFile(p.path(nodeFile))
	if errors.Is(err, errLocked) {
		return nil, fmt.Errorf("another server runs on the data folder %s%s: stop it, or give this one a folder of its own "+
			"with --data", absolute(p.Data), p.holder())
	}
	if err != nil {
		p.Log.Warn("a second server on the data folder would not be noticed, and the jobs of the one before this go on a "+
			"minute later", "error", err)
		return &hold{}, nil
	}
	h := &hold{file: file}
	if err := h.begin(); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

// begin reads the name of the server before, and adds this process.
func (h *hold) begin() error {
	names, err := io.ReadAll(io.LimitReader(h.file, maxNode))
	if err != nil {
		return fmt.Errorf("read the name of this node: %w", err)
	}
	for name := range strings.Lines(string(names)) {
		if name = strings.TrimSpace(name); strings.Count(name, "/") > 1 { // one that has done jobs
			h.dead = name
		}
	}
	// A full disk keeps no server from reading. It is said when the database is opened, or by inherit.
	_ = h.write(strings.TrimSpace(fmt.Sprintf("%s\n%s/%d", h.dead, node(), os.Getpid())))
	return nil
}

// write makes a text all that the file has.
func (h *hold) write(text string) error {
	if err := h.file.Truncate(0); err != nil {
		return fmt.Errorf("note the name of this node: %w", err)
	}
	if _, err := h.file.WriteAt([]byte(text), 0); err != nil {
		return fmt.Errorf("note the name of this node: %w", err)
	}
	return nil
}

// close lets others in.
func (h *hold) close() {
	if h != nil && h.file != nil {
		_ = h.file.Close()
	}
}

// holder says which process runs on the data folder, nothing where that cannot be read.
func (p *Place) holder() string {
	names, err := os.ReadFile(p.path(nodeFile))
	if err != nil || len(names) == 0 || len(names) > maxNode {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(names)), "\n")
	parts := strings.Split(lines[len(lines)-1], "/")
	if len(parts) < 2 {
		return ""
	}
	return fmt.Sprintf(" (process %s on %s)", parts[1], parts[0])
}

// inherit lets the jobs go on at once that the server before this one has left because it died. On SQLite the lock of the
// database says that all others are dead.
func (h *installation) inherit(ctx context.Context) error {
	dead := ""
	if h.store.Shared() {
		dead = h.hold.dead
	}
	if err := h.jobs.Inherit(ctx, dead); err != nil || h.hold.file == nil {
		return err
	}
	return h.hold.write(h.jobs.Node())
}
