package imports

import (
	"context"

	"muster/internal/store"
)

// Limit sets how many bytes of a person's files are kept.
func (s *Service) Limit(bytes int64) { s.most = bytes }

// Note lets what becomes of rows be stored elsewhere than in the report of Write, as jobs do.
func (i *Import) Note(to map[int]Row) {
	i.note = func(_ context.Context, _ *store.Tx, rows []int, fates []Row) error {
		for n, at := range rows {
			to[at] = fates[n]
		}
		return nil
	}
	i.noted = func(_ context.Context, _ *store.Tx, at int) (Row, error) { return to[at], nil }
}
