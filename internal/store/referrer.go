package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A Referrer is a field by which records refer to another.
type Referrer struct {
	Kind  *kind.Schema
	Field *kind.Field
	Count int64
	Tie   kind.Tie // of these records to the other
}

// Referrers returns the fields by which other records refer to a record, except links.
func (tx *Tx) Referrers(ctx context.Context, k *kind.Schema, id int64) (all []Referrer, err error) {
	for _, other := range tx.store.kinds {
		for _, f := range other.Fields {
			if mapping.ShownColumns(f) == nil || mapping.Referred(f) != k.Path() {
				continue
			}
			ref := Referrer{
				Kind: other, Field: f, Tie: kind.Tie{
					Table: tx.table(other).Name, Own: "id", Other: f.Column() + "_id", ID: id,
				},
			}
			for _, table := range tx.table(other).RecordTables() {
				sql := fmt.Sprintf("SELECT count(*) FROM %s WHERE %s_id = $1", table, f.Column())
				if err := tx.One(ctx, sql, []any{id},
					func(r sqldb.Row) error { ref.Count += r.Int(0); return nil }); err != nil {
					return nil, err
				}
			}
			if ref.Count > 0 {
				all = append(all, ref)
			}
		}
	}
	return all, nil
}

// FirstTied returns the first records of a kind that are tied to another, ordered by id, with the fields that
// lists show.
func (tx *Tx) FirstTied(ctx context.Context, k *kind.Schema, t kind.Tie, most int) ([]any, error) {
	var ids []int64
	sql := fmt.Sprintf("SELECT %s FROM %s WHERE %s = $1 ORDER BY %s LIMIT $2", t.Own, t.Table, t.Other, t.Own)
	err := tx.Query(ctx, sql, []any{t.ID, int64(most)}, func(r sqldb.Row) error {
		ids = append(ids, r.Int(0))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tx.Rows(ctx, k, ids)
}

// A Relinked is the former state of a record whose links have changed, with the fields that lists show.
type Relinked struct {
	Kind  *kind.Schema
	Field *kind.Field // the field with the links
	Old   any
}

// Relink removes a record from the links of all others, and links another one in its place, unless that is
// linked already; 0 is none. It returns the changed records, ordered by kind and id.
func (tx *Tx) Relink(ctx context.Context, k *kind.Schema, from, to int64, now time.Time) (all []Relinked, err error) {
	for _, other := range tx.store.kinds {
		for _, lt := range tx.table(other).Links {
			if lt.Target != k {
				continue
			}
			old, err := tx.relink(ctx, lt, from, to, now)
			if err != nil {
				return nil, err
			}
			for _, rec := range old {
				all = append(all, Relinked{other, lt.Field, rec})
			}
		}
	}
	return all, nil
}

// relink is Relink for one table of links. The records are changed first, which locks their links. If another
// transaction has just changed them, this one is run again.
func (tx *Tx) relink(ctx context.Context, lt *mapping.LinkTable, from, to int64, now time.Time) (old []any, err error) {
	sql := fmt.Sprintf("UPDATE %s SET %[2]s = %[2]s + 1, updated_at = $1 WHERE id IN (SELECT id FROM %[3]s WHERE linked_id = $2) RETURNING id",
		lt.Owner.Path(), mapping.VersionColumn, lt.Name)
	ids, err := tx.ids(ctx, sql, seconds(now).Unix(), from)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	tx.touch(tx.table(lt.Owner), ids...)
	if old, err = tx.Rows(ctx, lt.Owner, ids); err != nil {
		return nil, err
	}
	if to != 0 {
		sql := fmt.Sprintf("INSERT INTO %[1]s (id, linked_id) SELECT id, CAST($2 AS BIGINT) FROM %[1]s WHERE linked_id = $1 ON CONFLICT DO NOTHING", lt.Name)
		if err := tx.Exec(ctx, sql, from, to); err != nil {
			return nil, err
		}
	}
	linked, err := tx.ids(ctx, "DELETE FROM "+lt.Name+" WHERE linked_id = $1 RETURNING id", from)
	if err == nil && !slices.Equal(linked, ids) {
		err = ErrAgain
	}
	return old, err
}

// ids returns the ids that a statement selects, in its order.
func (tx *Tx) ids(ctx context.Context, sql string, args ...any) (ids []int64, err error) {
	err = tx.Query(ctx, sql, args, func(r sqldb.Row) error {
		ids = append(ids, r.Int(0))
		return nil
	})
	slices.Sort(ids)
	return ids, err
}

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
			if err := tx.One(ctx, sql, []any{id},
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
