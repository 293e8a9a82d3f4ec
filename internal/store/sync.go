package store

import (
	"context"
	"fmt"
	"slices"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// sync creates the table of a kind, or adds the columns and indexes that it lacks, so that a new field needs no
// migration. Any other change of a table does.
func (tx *Tx) sync(ctx context.Context, t *mapping.Table) error {
	have, err := tx.names(ctx, tx.Dialect().Columns, t.Name)
	if err != nil {
		return err
	}
	follows, isNew := false, len(have) == 0
	if isNew {
		if err := tx.ddl(ctx, mapping.CreateTable(t.Name, "{id}", t.AllColumns())); err != nil {
			return err
		}
	}
	if have, err = tx.syncApart(ctx, t, have); err != nil {
		return err
	}
	if !isNew {
		follows, err = tx.addColumns(ctx, t.Name, t.AllColumns(), have)
	}
	if err != nil {
		return err
	}
	if err := tx.syncIndexes(ctx, t); err != nil {
		return err
	}
	// of the existing records
	layouts, err := tx.names(ctx, "SELECT layout FROM layouts WHERE kind = $1", t.Kind.Item)
	if err != nil {
		return err
	}
	addedValues, err := tx.addValues(ctx, t, layouts)
	if err != nil {
		return err
	}
	if err := tx.addLinks(ctx, t); err != nil {
		return err
	}
	if err := tx.addLayout(ctx, t); err != nil {
		return err
	}
	if (follows || addedValues) && !isNew {
		if err := tx.unguard(ctx, t); err != nil {
			return err
		}
		if err := tx.refill(ctx, t); err != nil {
			return err
		}
	}
	if err := tx.addSearch(ctx, t, have, layouts); err != nil || t.Chain == nil {
		return err
	}
	return tx.syncChain(ctx, t, isNew || slices.Contains(have, mapping.HashColumn))
}

// syncChain creates the additional tables of a chained kind, and the hashes of records that have none yet.
func (tx *Tx) syncChain(ctx context.Context, t *mapping.Table, hashed bool) error {
	have, err := tx.names(ctx, tx.Dialect().Columns, t.Chain.Pending)
	if err != nil {
		return err
	}
	if len(have) == 0 {
		err = tx.ddl(ctx, mapping.CreateTable(t.Chain.Pending, "{id}", t.Columns))
	} else {
		_, err = tx.addColumns(ctx, t.Chain.Pending, t.Columns, have)
	}
	if err != nil {
		return err
	}
	if err := tx.addTies(ctx, t); err != nil {
		return err
	}
	if !hashed {
		if err := tx.rehash(ctx, t); err != nil {
			return err
		}
	}
	if err := tx.guard(ctx, t); err != nil || tx.store.frozen || tx.store.Shared() {
		return err
	}
	return tx.chainAll(ctx, t)
}

// names returns the names that a statement of the dialect selects for a table, none if it is missing.
func (tx *Tx) names(ctx context.Context, sql, table string) (names []string, err error) {
	err = tx.Query(ctx, sql, []any{table}, func(r sqldb.Row) error {
		names = append(names, string(r.Bytes(0, nil)))
		return nil
	})
	return names, err
}

// addColumns adds the declared columns that a table lacks, and reports whether one of them has a value in
// existing records. A column that the kind does not declare is from a newer version.
func (tx *Tx) addColumns(ctx context.Context, table string, columns []mapping.Column,
	have []string) (follows bool, err error) {
	known := []string{"id"}
	for _, c := range columns {
		known = append(known, c.Name)
		if slices.Contains(have, c.Name) {
			continue
		}
		follows = follows || c.Follows(have)
		if err := tx.ddl(ctx, fmt.Sprintf("ALTER TABLE %s ADD COLUMN %s %s", table, c.Name,
			c.Definition())); err != nil {
			return follows, err
		}
	}
	for _, name := range have {
		if !slices.Contains(known, name) {
			return follows, TooNew(fmt.Sprintf("%s has a column %s that this program does not know", table, name))
		}
	}
	return follows, nil
}

// syncIndexes adds the indexes that the table lacks, also on existing columns, and removes those that are not
// needed any more.
func (tx *Tx) syncIndexes(ctx context.Context, t *mapping.Table) error {
	dialect := tx.Dialect()
	have, err := tx.names(ctx, dialect.Indexes, t.Name)
	if err != nil {
		return err
	}
	for _, c := range t.Columns {
		wanted := c.Indexing(dialect)
		for _, way := range mapping.Indexings {
			name := t.Name + "_" + c.Name + way.Suffix()
			switch is := slices.Contains(have, name); {
			case way == wanted && !is:
				err = tx.ddl(ctx, way.Create(name, t.Name, c.Name))
			case way != wanted && is:
				err = tx.ddl(ctx, "DROP INDEX "+name)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// addValues creates the tables of nested values, and reports whether existing records may have some: they were
// written with these fields.
func (tx *Tx) addValues(ctx context.Context, t *mapping.Table, layouts []string) (added bool, err error) {
	for _, vt := range t.Values {
		have, err := tx.names(ctx, tx.Dialect().Columns, vt.Name)
		if err != nil {
			return added, err
		}
		if len(have) > 0 {
			continue
		}
		added = added || kind.LayoutsHave(layouts, vt.List.Name, vt.Field.Name)
		if err := tx.ddl(ctx, fmt.Sprintf("CREATE TABLE %s (id BIGINT NOT NULL, folded {text} NOT NULL, PRIMARY KEY (id, folded))", vt.Name)); err != nil {
			return added, err
		}
		if err := tx.ddl(ctx, fmt.Sprintf("CREATE INDEX %s_folded ON %s (folded)", vt.Name, vt.Name)); err != nil {
			return added, err
		}
	}
	return added, nil
}

// addLinks creates the tables of linked records.
func (tx *Tx) addLinks(ctx context.Context, t *mapping.Table) error {
	for _, lt := range t.Links {
		have, err := tx.names(ctx, tx.Dialect().Columns, lt.Name)
		if err != nil {
			return err
		}
		if len(have) > 0 {
			continue
		}
		for _, sql := range lt.Statements() {
			if err := tx.ddl(ctx, sql); err != nil {
				return err
			}
		}
	}
	return nil
}

// addLayout stores the layout in which this program writes the nested collections of a kind, if it is a new
// one.
func (tx *Tx) addLayout(ctx context.Context, t *mapping.Table) error {
	if err := tx.loadLayouts(ctx, t); err != nil || len(t.Kind.Parts.Lists) == 0 || t.Layout != 0 {
		return err
	}
	if err := tx.alter(ctx); err != nil {
		return err
	}
	if len(t.Unpack) > 0 { // servers that run would lose what they do not know of
		if err := tx.overtake(ctx); err != nil {
			return err
		}
	}
	err := tx.Exec(ctx, "INSERT INTO layouts (number, kind, layout) SELECT coalesce(max(number), 0) + 1, $1, $2 FROM layouts",
		t.Kind.Item, t.Kind.Parts.Layout())
	if err != nil {
		return err
	}
	return tx.loadLayouts(ctx, t)
}

// loadLayouts reads all layouts in which nested collections of the kind are stored. It replaces those that were
// read before, which may have been undone. The last one is of the newest version that has been here.
func (tx *Tx) loadLayouts(ctx context.Context, t *mapping.Table) error {
	current, unknown := t.Kind.Parts.Layout(), ""
	t.Layout = 0
	clear(t.Unpack)
	err := tx.Query(ctx, "SELECT number, layout FROM layouts WHERE kind = $1 ORDER BY number", []any{t.Kind.Item},
		func(r sqldb.Row) error {
			layout := string(r.Bytes(1, nil))
			unpacker, err := t.Kind.Parts.Unpacker(layout)
			if err != nil {
				return err
			}
			t.Unpack[r.Int(0)] = unpacker
			if layout == current {
				t.Layout = r.Int(0)
			}
			unknown = unpacker.Unknown()
			return nil
		})
	if err == nil && unknown != "" {
		return TooNew(fmt.Sprintf("its %s have %s, which this program does not know", t.Kind.Nouns, unknown))
	}
	return err
}

// refill writes every record of a table again, to set what is derived from its values: folded forms, nested
// values, and defaults of new fields.
func (tx *Tx) refill(ctx context.Context, t *mapping.Table) error {
	var ids []int64
	err := tx.Query(ctx, "SELECT id FROM "+t.Name, nil, func(r sqldb.Row) error {
		ids = append(ids, r.Int(0))
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		rec, err := tx.Get(ctx, t.Kind, id)
		if err != nil {
			return err
		}
		t.Kind.SetDefaults(rec)
		for _, vt := range t.Values {
			if err := tx.Exec(ctx, "DELETE FROM "+vt.Name+" WHERE id = $1", id); err != nil {
				return err
			}
		}
		if err := tx.must(ctx, t.Update, append(t.Args(rec, t.Changed), id, t.Kind.Meta(rec).Version),
			nothing); err != nil {
			return err
		}
		if err := tx.writeValues(ctx, t, rec, nil); err != nil {
			return err
		}
	}
	return nil
}
