package imports

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"muster/internal/desk"
	"muster/internal/sheet"
	"muster/internal/store"
)

// tables reads files one at a time, since unpacking takes memory, and keeps the one that was read last: the pages of an
// import follow each other.
type tables struct {
	mu   sync.Mutex
	id   int64
	last *sheet.Table
}

// Read reads a file that somebody has sent.
func (s *Service) Read(file []byte) (*sheet.Table, error) {
	s.tables.mu.Lock()
	defer s.tables.mu.Unlock()
	return sheet.Read(file)
}

// table returns the file of an import. Nobody changes it.
func (s *Service) table(ctx context.Context, id int64) (*sheet.Table, error) {
	s.tables.mu.Lock()
	defer s.tables.mu.Unlock()
	if s.tables.id == id {
		return s.tables.last, nil
	}
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
	table, err := sheet.Read(content)
	if err == nil {
		s.tables.id, s.tables.last = id, table
	}
	return table, err
}

// drop forgets the file that was read last, when nobody needs it soon.
func (s *Service) drop(id int64) {
	s.tables.mu.Lock()
	defer s.tables.mu.Unlock()
	if s.tables.id == id {
		s.tables.id, s.tables.last = 0, nil
	}
}
