package store

import (
	"context"

	"muster/internal/index"
	"muster/internal/kind"
)

// allRecords is more records than a table can have.
const allRecords = 1 << 31

// IDs returns the ids of all records that match the query, in its order, ignoring its page. It is answered as
// lists are.
func (s *Store) IDs(ctx context.Context, k *kind.Schema, q *kind.Query) ([]int64, error) {
	whole := *q
	whole.Page, whole.PerPage, whole.ByID = 1, allRecords, false
	asked := &idsQuestion{kind: k, query: &whole}
	why, err := s.ask(ctx, k, &whole, nil, asked)
	if err == nil {
		s.count(why)
	}
	return asked.ids, err
}

// An idsQuestion asks for the ids of all records of a list.
type idsQuestion struct {
	kind  *kind.Schema
	query *kind.Query
	ids   []int64
}

func (i *idsQuestion) readsRows() bool { return false }

func (i *idsQuestion) inIndex(x *index.Index, q *kind.Query, among *chosen) bool {
	_, hits, ok := among.find(x, q)
	i.ids = make([]int64, len(hits))
	for at, h := range hits {
		i.ids[at] = h.ID
	}
	return ok
}

func (i *idsQuestion) read(context.Context, *Tx) (bool, error) { return true, nil }

func (i *idsQuestion) inTables(ctx context.Context, tx *Tx) (err error) {
	_, i.ids, err = tx.Find(ctx, i.kind, i.query)
	return err
}
