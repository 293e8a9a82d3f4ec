package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// An apartTable holds the fields of a kind that are apart: one narrow row for
// each record. Its key is its only index, so that PostgreSQL can write a new
// state of a row beside the old one, without a word to any index.
type apartTable struct {
	name    string
	owner   *kind.Schema
	columns []column
	insert  string
}

// apartName returns the name of the table of a kind's fields that are apart.
func apartName(k *kind.Schema) string { return k.Path() + "_apart" }

// newApartTable returns nil for a kind without such fields.
func newApartTable(k *kind.Schema) *apartTable {
	at := &apartTable{name: apartName(k), owner: k}
	var names []string
	for _, f := range k.Fields {
		if !f.Apart {
			continue
		}
		if k.Chained || !f.Stored() || shownColumns(f) != nil || f.Folded() || f.Unique || f.Default != "" {
			panic(fmt.Sprintf("store: %s: %s cannot be apart", k.Item, f.Name))
		}
		at.columns = append(at.columns, column{f.Column(), isValue, f})
		names = append(names, f.Column())
	}
	if names == nil {
		return nil
	}
	at.insert = fmt.Sprintf("INSERT INTO %s (%s, id) VALUES (%s)", at.name, strings.Join(names, ", "), sqldb.Placeholders(len(names)+1))
	return at
}

// stored returns the column of a field, of the record r or of what is apart
// of it, a.
func stored(f *kind.Field) string {
	if f.Apart {
		return "a." + f.Column()
	}
	return "r." + f.Column()
}

// selected returns how a field of the record r is read that refers to no other
// record. What is apart is looked up by its key, not joined: PostgreSQL would
// rather read the whole table of some thousands than 250 rows of it.
func selected(k *kind.Schema, f *kind.Field) string {
	if f.Apart {
		return fmt.Sprintf("(SELECT a.%s FROM %s a WHERE a.id = r.id)", f.Column(), apartName(k))
	}
	return stored(f)
}

// joinApart adds what is apart of all records r, for a list that looks at it.
func joinApart(k *kind.Schema) string { return " LEFT JOIN " + apartName(k) + " a ON a.id = r.id" }

// insertApart stores what is apart of a new record.
func (tx *Tx) insertApart(ctx context.Context, t *table, rec any) error {
	if t.apart == nil {
		return nil
	}
	return tx.exec(ctx, t.apart.insert, append(t.args(rec, t.apart.columns), t.kind.Meta(rec).ID)...)
}

// SetApart stores fields of rec that are apart, all of them when none is given,
// and nothing else: neither its version nor its time of change. The rest of rec
// but its id is not looked at. It returns ErrNotFound when there is no such
// record.
func (tx *Tx) SetApart(ctx context.Context, k *kind.Schema, rec any, fields ...*kind.Field) error {
	t := tx.table(k)
	columns := t.apart.columns
	if len(fields) > 0 {
		columns = slices.DeleteFunc(slices.Clone(columns), func(c column) bool { return !slices.Contains(fields, c.field) })
	}
	sets := make([]string, len(columns))
	for i, c := range columns {
		sets[i] = fmt.Sprintf("%s = $%d", c.name, i+1)
	}
	sql := fmt.Sprintf("UPDATE %s SET %s WHERE id = $%d RETURNING id", t.apart.name, strings.Join(sets, ", "), len(sets)+1)
	sql = tx.touchIn(t, k.Meta(rec).ID, sql, len(sets)+1)
	return tx.one(ctx, sql, append(t.args(rec, columns), k.Meta(rec).ID), nothing)
}

// syncApart makes the table of what is apart, or adds the columns that it lacks.
// Fields that were columns of the records before are moved there. It returns
// the columns that the table of records has after it.
func (tx *Tx) syncApart(ctx context.Context, t *table, have []string) ([]string, error) {
	if t.apart == nil {
		return have, nil
	}
	there, err := tx.names(ctx, tx.store.database.Dialect().Columns, t.apart.name)
	if err != nil {
		return nil, err
	}
	if len(there) > 0 {
		_, err = tx.addColumns(ctx, t.apart.name, t.apart.columns, there)
	} else {
		err = tx.createApart(ctx, t, len(have) == 0)
	}
	if err != nil {
		return nil, err
	}
	for _, c := range t.apart.columns {
		if !slices.Contains(have, c.name) {
			continue
		}
		sql := fmt.Sprintf("UPDATE %[1]s SET %[2]s = (SELECT r.%[2]s FROM %[3]s r WHERE r.id = %[1]s.id)", t.apart.name, c.name, t.name)
		if err := tx.ddl(ctx, sql); err != nil {
			return nil, err
		}
		if have, err = tx.dropColumns(ctx, t.name, have, c.name, c.name+"_folded"); err != nil {
			return nil, err
		}
	}
	return have, nil
}

// createApart makes the table of what is apart, with a row for each record.
func (tx *Tx) createApart(ctx context.Context, t *table, isNew bool) error {
	err := tx.ddl(ctx, create(t.apart.name, "{key} REFERENCES "+t.name+" (id)", t.apart.columns))
	if err != nil || isNew {
		return err
	}
	return tx.ddl(ctx, fmt.Sprintf("INSERT INTO %s (id) SELECT id FROM %s", t.apart.name, t.name))
}

// dropColumns removes those of some columns that a table has, with their
// indexes, and returns the others that it has.
func (tx *Tx) dropColumns(ctx context.Context, table string, have []string, columns ...string) ([]string, error) {
	indexes, err := tx.names(ctx, tx.store.database.Dialect().Indexes, table)
	if err != nil {
		return nil, err
	}
	for _, name := range columns {
		if !slices.Contains(have, name) {
			continue
		}
		for _, way := range indexings {
			index := table + "_" + name + way.suffix()
			if !slices.Contains(indexes, index) {
				continue
			}
			if err := tx.ddl(ctx, "DROP INDEX "+index); err != nil {
				return nil, err
			}
		}
		if err := tx.ddl(ctx, fmt.Sprintf("ALTER TABLE %s DROP COLUMN %s", table, name)); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(have, func(name string) bool { return slices.Contains(columns, name) }), nil
}
