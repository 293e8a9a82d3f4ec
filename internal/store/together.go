package store

import (
	"context"
	"fmt"
	"slices"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// TakenTogether returns the id of a record other than rec with the same values in all fields that are unique
// together, or 0.
func (tx *Tx) TakenTogether(ctx context.Context, k *kind.Schema, rec any) (id int64, err error) {
	sql := fmt.Sprintf("SELECT id FROM %s WHERE %s = $1 AND id <> $2", k.Path(), mapping.UniqueColumn)
	hash := mapping.UniqueHashOf(k, rec)
	err = tx.Query(ctx, sql, []any{hash[:], k.Meta(rec).ID}, func(r sqldb.Row) error {
		id = r.Int(0)
		return nil
	})
	return id, err
}

// FindTogether sets the ids of the records that are stored, by the fields that are unique together, and 0 for
// the others.
func (tx *Tx) FindTogether(ctx context.Context, k *kind.Schema, recs []any) error {
	known, sought := tx.recall(), map[mapping.UniqueHash][]any{}
	var hashes [][]byte
	for _, rec := range recs {
		hash := mapping.UniqueHashOf(k, rec)
		if k.Meta(rec).ID = known.id(k, hash); k.Meta(rec).ID != 0 {
			continue
		}
		if sought[hash] == nil {
			hashes = append(hashes, slices.Clone(hash[:]))
		}
		sought[hash] = append(sought[hash], rec)
	}
	for chunk := range slices.Chunk(hashes, sqldb.Batches[len(sqldb.Batches)-1]) {
		args := sqldb.Batched(chunk)
		sql := fmt.Sprintf("SELECT id, %s FROM %s WHERE %s IN (%s)", mapping.UniqueColumn, k.Path(),
			mapping.UniqueColumn, sqldb.Placeholders(len(args)))
		err := tx.Query(ctx, sql, args, func(r sqldb.Row) error {
			hash := mapping.UniqueHash(r.Bytes(1, nil))
			for _, rec := range sought[hash] {
				k.Meta(rec).ID = r.Int(0)
			}
			known.note(k, hash, r.Int(0))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
