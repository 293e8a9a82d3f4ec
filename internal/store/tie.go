package store

import (
	"context"
	"fmt"

	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// addTies creates the tables of ties. They have no foreign keys: a tie stays when the other record is deleted.
func (tx *Tx) addTies(ctx context.Context, t *mapping.Table) error {
	for _, name := range t.TieTables() {
		have, err := tx.names(ctx, tx.Dialect().Columns, name)
		if err != nil {
			return err
		}
		if len(have) > 0 {
			continue
		}
		for _, sql := range []string{
			fmt.Sprintf("CREATE TABLE %s (id BIGINT NOT NULL, tied_id BIGINT NOT NULL, PRIMARY KEY (id, tied_id))",
				name),
			fmt.Sprintf("CREATE INDEX %s_tied_id ON %s (tied_id, id)", name, name),
		} {
			if err := tx.ddl(ctx, sql); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeTies stores the ties of new records.
func (tx *Tx) writeTies(ctx context.Context, t *mapping.Table, recs []any) error {
	for _, f := range t.Ties {
		var pairs []any
		for _, rec := range recs {
			for _, id := range mapping.TiedIDs(t.Kind, f, rec) {
				pairs = append(pairs, t.Kind.Meta(rec).ID, id)
			}
		}
		for len(pairs) > 0 {
			n := sqldb.FittingRows(len(pairs) / 2)
			sql := fmt.Sprintf("INSERT INTO %s (id, tied_id) VALUES %s", f.TieTable(), sqldb.Tuples(n, 2))
			if err := tx.Exec(ctx, sql, pairs[:2*n]...); err != nil {
				return err
			}
			pairs = pairs[2*n:]
		}
	}
	return nil
}
