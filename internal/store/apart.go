package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// insertApart stores the apart fields of a new record.
func (tx *Tx) insertApart(ctx context.Context, t *mapping.Table, rec any) error {
	if t.Apart == nil {
		return nil
	}
	return tx.Exec(ctx, t.Apart.Insert, append(t.Args(rec, t.Apart.Columns), t.Kind.Meta(rec).ID)...)
}

// SetApart stores apart fields of rec, all of them when none is given. It changes neither the version nor the
// time of change, uses nothing else of rec but its id, and returns ErrNotFound when there is no such record.
func (tx *Tx) SetApart(ctx context.Context, k *kind.Schema, rec any, fields ...*kind.Field) error {
	t := tx.table(k)
	columns := t.Apart.Columns
	if len(fields) > 0 {
		columns = slices.DeleteFunc(slices.Clone(columns),
			func(c mapping.Column) bool { return !slices.Contains(fields, c.Field) })
	}
	sets := make([]string, len(columns))
	for i, c := range columns {
		sets[i] = fmt.Sprintf("%s = $%d", c.Name, i+1)
	}
	sql := fmt.Sprintf("UPDATE %s SET %s WHERE id = $%d RETURNING %s", t.Apart.Name, strings.Join(sets, ", "),
		len(sets)+1, generationNow)
	sql = tx.touchIn(t, k.Meta(rec).ID, sql, len(sets)+1)
	found := false
	err := tx.Query(ctx, sql, append(t.Args(rec, columns), k.Meta(rec).ID), func(r sqldb.Row) error {
		found = true
		return tx.mayWrite(r.Int(0))
	})
	if err == nil && !found {
		return ErrNotFound
	}
	return err
}

// syncApart creates the table of apart fields, or adds the columns that it lacks, and moves fields there that
// were columns of the records before. It returns the columns that the table of records has afterwards.
func (tx *Tx) syncApart(ctx context.Context, t *mapping.Table, have []string) ([]string, error) {
	if t.Apart == nil {
		return have, nil
	}
	there, err := tx.names(ctx, tx.Dialect().Columns, t.Apart.Name)
	if err != nil {
		return nil, err
	}
	if len(there) > 0 {
		_, err = tx.addColumns(ctx, t.Apart.Name, t.Apart.Columns, there)
	} else {
		err = tx.createApart(ctx, t, len(have) == 0)
	}
	if err != nil {
		return nil, err
	}
	for _, c := range t.Apart.Columns {
		if !slices.Contains(have, c.Name) {
			continue
		}
		sql := fmt.Sprintf("UPDATE %[1]s SET %[2]s = (SELECT r.%[2]s FROM %[3]s r WHERE r.id = %[1]s.id)",
			t.Apart.Name, c.Name, t.Name)
		if err := tx.ddl(ctx, sql); err != nil {
			return nil, err
		}
		if have, err = tx.dropColumns(ctx, t.Name, have, c.Name, c.Name+"_folded"); err != nil {
			return nil, err
		}
	}
	return have, nil
}

// createApart creates the table of apart fields, with a row for each record.
func (tx *Tx) createApart(ctx context.Context, t *mapping.Table, isNew bool) error {
	err := tx.ddl(ctx, mapping.CreateTable(t.Apart.Name, "{key} REFERENCES "+t.Name+" (id)", t.Apart.Columns))
	if err != nil || isNew {
		return err
	}
	return tx.ddl(ctx, fmt.Sprintf("INSERT INTO %s (id) SELECT id FROM %s", t.Apart.Name, t.Name))
}

// dropColumns removes columns that a table has, with their indexes, and returns the table's other columns.
func (tx *Tx) dropColumns(ctx context.Context, table string, have []string, columns ...string) ([]string, error) {
	indexes, err := tx.names(ctx, tx.Dialect().Indexes, table)
	if err != nil {
		return nil, err
	}
	for _, name := range columns {
		if !slices.Contains(have, name) {
			continue
		}
		for _, way := range mapping.Indexings {
			index := table + "_" + name + way.Suffix()
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
