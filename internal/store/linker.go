package store

import (
	"context"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// Linkers returns the fields by which other records link a record, and how many do.
func (tx *Tx) Linkers(ctx context.Context, k *kind.Schema, id int64) (all []Referrer, err error) {
	for _, other := range tx.store.kinds {
		for _, lt := range tx.table(other).Links {
			if lt.Target != k {
				continue
			}
			ref := Referrer{
				Kind: other, Field: lt.Field, Tie: kind.Tie{Table: lt.Name, Own: "id", Other: "linked_id", ID: id},
			}
			sql := "SELECT count(*) FROM " + lt.Name + " WHERE linked_id = $1"
			if err := tx.one(ctx, sql, []any{id},
				func(r sqldb.Row) error { ref.Count = r.Int(0); return nil }); err != nil {
				return nil, err
			}
			if ref.Count > 0 {
				all = append(all, ref)
			}
		}
	}
	return all, nil
}
