package store

import (
	"context"

	"muster/internal/kind"
)

// allRecords is more than a table has.
const allRecords = 1 << 31

// IDs returns the ids of all records that match the query, in its order,
// whatever page it asks for. They come from memory as lists do.
func (s *Store) IDs(ctx context.Context, k *kind.Schema, q *kind.Query) (ids []int64, err error) {
	whole := *q
	whole.Page, whole.PerPage, whole.ByID = 1, allRecords, false
	if glance := s.Glance(ctx, k); glance != nil {
		if _, hits, ok := glance.Find(k, &whole); ok {
			ids = make([]int64, len(hits))
			for i, h := range hits {
				ids[i] = h.ID
			}
			return ids, nil
		}
	}
	err = s.View(ctx, func(tx *Tx) error {
		_, ids, err = tx.Find(ctx, k, &whole)
		return err
	})
	return ids, err
}
