package imports

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"muster/internal/desk"
	"muster/internal/sheet"
	"muster/internal/store"
)

// Limits of the tables that are in memory for pages, which follow each other.
const (
	mostKept    = 128 << 20       // bytes of all that are kept: two people have the largest files there are
	tableKept   = 5 * time.Minute // after it was asked for last
	mostWaiting = 8               // pages that wait for the reading of a file
	pageWaits   = 10 * time.Second
)

// tables reads files one at a time, since unpacking takes memory, and keeps those that were asked for last.
type tables struct {
	turn    chan struct{} // has one while a file is read
	waiting chan struct{} // has one for each page that waits
	mu      sync.Mutex
	kept    []*keptTable // the one that was asked for last is the last
}

// A keptTable is the table of an import.
type keptTable struct {
	id    int64
	table *sheet.Table
	drop  *time.Timer
}

func newTables() *tables {
	return &tables{turn: make(chan struct{}, 1), waiting: make(chan struct{}, mostWaiting)}
}

// errReading is the answer to a page while others have files read.
var errReading = desk.Refuse(desk.Running, "other files are being read: try again in a moment")

// Read reads a file that somebody has sent.
func (s *Service) Read(ctx context.Context, file []byte) (*sheet.Table, error) {
	end, err := s.tables.beginSoon(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	return sheet.Read(file)
}

// begin waits for the turn to read a file.
func (t *tables) begin(ctx context.Context) (end func(), err error) {
	select {
	case t.turn <- struct{}{}:
		return func() { <-t.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// beginSoon is begin for a page, which keeps others from being shown while it waits.
func (t *tables) beginSoon(ctx context.Context) (end func(), err error) {
	select {
	case t.waiting <- struct{}{}:
		defer func() { <-t.waiting }()
	default:
		return nil, errReading
	}
	wait, cancel := context.WithTimeout(ctx, pageWaits)
	defer cancel()
	if end, err = t.begin(wait); err != nil && ctx.Err() == nil {
		err = errReading
	}
	return end, err
}

// table returns the file of an import, for which begin waits. Nobody changes it.
func (s *Service) table(ctx context.Context, id int64,
	begin func(context.Context) (func(), error)) (*sheet.Table, error) {
	if table := s.tables.find(id); table != nil {
		return table, nil
	}
	end, err := begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if table := s.tables.find(id); table != nil {
		return table, nil // others have waited for the same
	}
	table, err := s.load(ctx, id)
	if err == nil {
		s.tables.keep(id, table)
	}
	return table, err
}

// load reads the file of an import.
func (s *Service) load(ctx context.Context, id int64) (*sheet.Table, error) {
	content, err := s.jobs.File(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, desk.Refuse(desk.NotFound, "the file of this import is no longer kept")
	}
	if err != nil {
		return nil, err
	}
	if content, err = s.desk.Sealer().Open(content, purpose); err != nil {
		return nil, fmt.Errorf("open the file of an import: %w", err)
	}
	return sheet.Read(content)
}

// find returns a table that is kept, or nil.
func (t *tables) find(id int64) *sheet.Table {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.at(id)
	if at < 0 {
		return nil
	}
	found := t.kept[at]
	found.drop.Reset(tableKept)
	t.kept = append(slices.Delete(t.kept, at, at+1), found)
	return found.table
}

// at returns the place of a table among those that are kept, or -1.
func (t *tables) at(id int64) int {
	return slices.IndexFunc(t.kept, func(k *keptTable) bool { return k.id == id })
}

// keep keeps a table, and as many of the others as there is room for.
func (t *tables) keep(id int64, table *sheet.Table) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, &keptTable{id, table, time.AfterFunc(tableKept, func() { t.drop(id) })})
	size := 0
	for _, one := range t.kept {
		size += one.table.Size
	}
	for ; size > mostKept && len(t.kept) > 1; t.kept = slices.Delete(t.kept, 0, 1) {
		t.kept[0].drop.Stop()
		size -= t.kept[0].table.Size
	}
}

// drop forgets a table that nobody needs soon.
func (t *tables) drop(id int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := t.at(id); at >= 0 {
		t.kept[at].drop.Stop()
		t.kept = slices.Delete(t.kept, at, at+1)
	}
}
