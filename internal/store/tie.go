package store

import (
	"context"
	"fmt"
	"slices"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// tieTables returns the names of the tables of a kind's ties.
func (t *table) tieTables() (names []string) {
	for _, f := range t.ties {
		names = append(names, f.TieTable())
	}
	return names
}

// addTies makes the tables of ties. They refer to nothing: a tie stays when what
// it names is gone.
func (tx *Tx) addTies(ctx context.Context, t *table) error {
	for _, name := range t.tieTables() {
		have, err := tx.names(ctx, tx.store.database.Dialect().Columns, name)
		if err != nil {
			return err
		}
		if len(have) > 0 {
			continue
		}
		for _, sql := range []string{
			fmt.Sprintf("CREATE TABLE %s (id BIGINT NOT NULL, tied_id BIGINT NOT NULL, PRIMARY KEY (id, tied_id))", name),
			fmt.Sprintf("CREATE INDEX %s_tied_id ON %s (tied_id, id)", name, name),
		} {
			if err := tx.ddl(ctx, sql); err != nil {
				return err
			}
		}
	}
	return nil
}

// tied returns the ids that a record is tied to, each once, in order.
func tied(k *kind.Schema, f *kind.Field, rec any) (ids []int64) {
	for _, tie := range *k.Values(rec).Tied(f) {
		ids = append(ids, tie.ID.V)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// writeTies stores the ties of new records.
func (tx *Tx) writeTies(ctx context.Context, t *table, recs []any) error {
	for _, f := range t.ties {
		var pairs []any
		for _, rec := range recs {
			for _, id := range tied(t.kind, f, rec) {
				pairs = append(pairs, t.kind.Meta(rec).ID, id)
			}
		}
		for len(pairs) > 0 {
			n := sqldb.FittingRows(len(pairs) / 2)
			sql := fmt.Sprintf("INSERT INTO %s (id, tied_id) VALUES %s", f.TieTable(), sqldb.Tuples(n, 2))
			if err := tx.exec(ctx, sql, pairs[:2*n]...); err != nil {
				return err
			}
			pairs = pairs[2*n:]
		}
	}
	return nil
}
