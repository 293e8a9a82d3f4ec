package store

import (
	"context"
	"fmt"

	"muster/internal/kind"
)

// A Referrer is a field by which records refer to another.
type Referrer struct {
	Kind  *kind.Schema
	Field *kind.Field
	Count int64
}

// Referrers returns by which fields other records refer to a record, those that
// are merely linked to it left out.
func (tx *Tx) Referrers(ctx context.Context, k *kind.Schema, id int64) (all []Referrer, err error) {
	for _, other := range tx.store.kinds {
		for _, f := range other.Fields {
			if shownColumns(f) == nil || referred(f) != k.Path() {
				continue
			}
			ref := Referrer{Kind: other, Field: f}
			for _, table := range tx.table(other).holding() {
				sql := fmt.Sprintf("SELECT count(*) FROM %s WHERE %s_id = $1", table, f.Column())
				if err := tx.one(ctx, sql, []any{id}, func(r row) error { ref.Count += r.int(0); return nil }); err != nil {
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

// holding returns the tables in which records of the kind are.
func (t *table) holding() []string {
	if t.chain == nil {
		return []string{t.name}
	}
	return []string{t.name, t.chain.pending}
}

// A Link is a record that is linked to another, by one of its fields.
type Link struct {
	Kind  *kind.Schema
	Field *kind.Field
	ID    int64
}

// Links returns which records are linked to a record, in the order of kinds and
// ids.
func (tx *Tx) Links(ctx context.Context, k *kind.Schema, id int64) (links []Link, err error) {
	for _, other := range tx.store.kinds {
		for _, lt := range tx.table(other).links {
			if lt.target != k {
				continue
			}
			err := tx.conn.query(ctx, "SELECT id FROM "+lt.name+" WHERE linked_id = $1 ORDER BY id", []any{id}, func(r row) error {
				links = append(links, Link{other, lt.field, r.int(0)})
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return links, nil
}
