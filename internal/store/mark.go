package store

import (
	"context"
	"crypto/sha256"
	"fmt"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A Mark is a head with the id of its last record, so that the record is found without counting. The mark of an
// empty chain is zero.
type Mark struct {
	Head
	ID int64
}

// Marked reports for each mark whether the chain has it, and returns the mark of the chain's end. It relies on
// the stored hashes, which Verify checks.
func (tx *Tx) Marked(ctx context.Context, k *kind.Schema, marks []Mark) (there []bool, end Mark, err error) {
	t := tx.table(k)
	if end.ID, end.Head, err = tx.last(ctx, t); err != nil {
		return nil, end, err
	}
	if there, err = tx.marked(ctx, t, marks); err != nil {
		return nil, end, err
	}
	var known Mark // the count continues from here
	for i, mark := range marks {
		if there[i] && mark.ID >= known.ID {
			known = mark
		}
	}
	sql := fmt.Sprintf("SELECT count(*) FROM %s WHERE id > $1", t.Name)
	err = tx.One(ctx, sql, []any{known.ID}, func(r sqldb.Row) error {
		end.Count = known.Count + r.Int(0)
		return nil
	})
	return there, end, err
}

// marked reports for each mark whether its record has its hash.
func (tx *Tx) marked(ctx context.Context, t *mapping.Table, marks []Mark) ([]bool, error) {
	if len(marks) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(marks))
	for i, mark := range marks {
		ids[i] = mark.ID
	}
	hashes := map[int64][sha256.Size]byte{0: {}} // 0 is before the first record
	args := sqldb.Batched(ids)
	sql := fmt.Sprintf("SELECT id, %s FROM %s WHERE id IN (%s)", mapping.HashColumn, t.Name,
		sqldb.Placeholders(len(args)))
	err := tx.Query(ctx, sql, args, func(r sqldb.Row) error {
		var hash [sha256.Size]byte
		copy(hash[:], r.Bytes(1, nil))
		hashes[r.Int(0)] = hash
		return nil
	})
	there := make([]bool, len(marks))
	for i, mark := range marks {
		hash, ok := hashes[mark.ID]
		there[i] = ok && hash == mark.Hash
	}
	return there, err
}
