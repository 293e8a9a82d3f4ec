package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// Get returns one record with all its fields, or ErrNotFound.
func (tx *Tx) Get(ctx context.Context, k *kind.Schema, id int64) (any, error) {
	return tx.get(ctx, k, id, "")
}

// GetShared is Get in an Update. Nobody can change the record before the Update ends.
func (tx *Tx) GetShared(ctx context.Context, k *kind.Schema, id int64) (any, error) {
	return tx.get(ctx, k, id, tx.Dialect().Share)
}

// GetLocked is GetShared with an exclusive lock, for a record that the Update is going to change, or that
// guards something else.
func (tx *Tx) GetLocked(ctx context.Context, k *kind.Schema, id int64) (any, error) {
	return tx.get(ctx, k, id, tx.Dialect().ForUpdate)
}

// LockedRow is GetLocked with only the fields that lists show, without links. It is not for a record that is
// itself going to be changed.
func (tx *Tx) LockedRow(ctx context.Context, k *kind.Schema, id int64) (any, error) {
	t := tx.table(k)
	return tx.pick(ctx, t, &t.Listed, id, tx.Dialect().ForUpdate)
}

func (tx *Tx) get(ctx context.Context, k *kind.Schema, id int64, lock string) (any, error) {
	t := tx.table(k)
	rec, err := tx.pick(ctx, t, &t.Single, id, lock)
	if err != nil {
		return nil, err
	}
	k.Loaded(rec)
	return rec, tx.readLinks(ctx, t, []any{rec})
}

// pick returns the selected fields of one record, or ErrNotFound.
func (tx *Tx) pick(ctx context.Context, t *mapping.Table, from *mapping.Selection, id int64, lock string) (any, error) {
	rec := t.Kind.Empty(1)[0]
	s := mapping.Scanner{Table: t, Selection: from}
	err := tx.One(ctx, from.Sql+"r.id = $1"+lock, []any{id}, func(r sqldb.Row) error { return s.Scan(r, rec) })
	if err != nil {
		return nil, err
	}
	return rec, nil
}

// Get is Tx.Get for code that knows the kind.
func Get[T any](ctx context.Context, tx *Tx, k kind.Kind[T], id int64) (*T, error) {
	rec, err := tx.Get(ctx, k.Schema, id)
	if err != nil {
		return nil, err
	}
	return rec.(*T), nil
}

// Insert stores a new record and sets its id, version and times. A time of creation that is set already is
// kept. The id of a chained record may be set later, see Chain.
func (tx *Tx) Insert(ctx context.Context, k *kind.Schema, rec any, now time.Time) error {
	t, meta := tx.table(k), k.Meta(rec)
	if t.Chain != nil {
		return tx.Append(ctx, k, []any{rec}, now)
	}
	stamp(meta, now)
	err := tx.One(ctx, t.Insert, t.Args(rec, t.Columns), func(r sqldb.Row) error {
		meta.ID = r.Int(0)
		return nil
	})
	if err != nil {
		return err
	}
	tx.touchAll(t, rec)
	if err := tx.insertSideRows(ctx, t, rec); err != nil {
		return err
	}
	return tx.writeSearch(ctx, t, rec, nil)
}

// stamp sets the version and times of a new record. A time of creation that is set already is kept.
func stamp(meta *kind.Record, now time.Time) {
	meta.Version, meta.UpdatedAt = 1, seconds(now)
	if meta.CreatedAt.IsZero() {
		meta.CreatedAt = now
	}
	meta.CreatedAt = seconds(meta.CreatedAt)
}

// insertSideRows stores the parts of a new record that have their own tables, except its words.
func (tx *Tx) insertSideRows(ctx context.Context, t *mapping.Table, rec any) error {
	if err := tx.insertApart(ctx, t, rec); err != nil {
		return err
	}
	if err := tx.writeValues(ctx, t, rec, nil); err != nil {
		return err
	}
	return tx.writeLinks(ctx, t, rec, nil)
}

// Update stores the new state of a record that was read as old in the same transaction, and sets its version
// and time of change. Apart fields are not changed, see SetApart.
func (tx *Tx) Update(ctx context.Context, k *kind.Schema, rec, old any, now time.Time) error {
	t, meta := tx.table(k), k.Meta(rec)
	meta.Version, meta.UpdatedAt = k.Meta(old).Version+1, seconds(now)
	return tx.rewrite(ctx, t, rec, old)
}

// rewrite stores a record without changing its version and times.
func (tx *Tx) rewrite(ctx context.Context, t *mapping.Table, rec, old any) error {
	was := t.Kind.Meta(old)
	tx.touchAll(t, old)
	tx.touchAll(t, rec)
	tx.recall().forget(t.Kind)
	args := append(t.Args(rec, t.Changed), was.ID, was.Version)
	err := tx.must(ctx, t.Update, args, func(r sqldb.Row) error {
		t.ScanKept(r, rec)
		return nil
	})
	if err != nil {
		return err
	}
	return tx.writeParts(ctx, t, rec, old)
}

// writeParts stores the parts of a record that have their own tables.
func (tx *Tx) writeParts(ctx context.Context, t *mapping.Table, rec, old any) error {
	if err := tx.writeValues(ctx, t, rec, old); err != nil {
		return err
	}
	if err := tx.writeLinks(ctx, t, rec, old); err != nil {
		return err
	}
	return tx.writeSearch(ctx, t, rec, old)
}

// Delete removes a record that was read in the same transaction.
func (tx *Tx) Delete(ctx context.Context, k *kind.Schema, rec any) error {
	t, meta := tx.table(k), k.Meta(rec)
	tx.touchAll(t, rec)
	tx.recall().forget(k)
	for _, name := range t.SideTables() {
		if err := tx.Exec(ctx, "DELETE FROM "+name+" WHERE id = $1", meta.ID); err != nil {
			return err
		}
	}
	if err := tx.must(ctx, t.Remove, []any{meta.ID, meta.Version}, nothing); err != nil {
		return err
	}
	return tx.deleteSearch(ctx, t, meta.ID)
}

// DeleteBelow removes all records of a kind that belong to a parent.
func (tx *Tx) DeleteBelow(ctx context.Context, k *kind.Schema, parent int64) error {
	t := tx.table(k)
	var ids []int64
	sql := fmt.Sprintf("DELETE FROM %s WHERE %s_id = $1 RETURNING id", t.Name, k.Parent().Column())
	err := tx.Query(ctx, sql, []any{parent}, func(r sqldb.Row) error {
		ids = append(ids, r.Int(0))
		return nil
	})
	if err != nil || len(ids) == 0 {
		return err
	}
	tx.touch(t, ids...)
	tx.mark(tx.table(k.Parent().Target.Stored()), shownTouch|wordsTouch, []int64{parent})
	tx.recall().forget(k)
	for chunk := range slices.Chunk(ids, sqldb.Batches[len(sqldb.Batches)-1]) {
		params, args := sqldb.InBatch(nil, chunk)
		for _, name := range t.SideTables() {
			if err := tx.Exec(ctx, "DELETE FROM "+name+" WHERE id IN ("+params+")", args...); err != nil {
				return err
			}
		}
		if err := tx.deleteSearch(ctx, t, chunk...); err != nil {
			return err
		}
	}
	return nil
}

// must runs a statement that changes exactly the record that was read. If another transaction has changed or
// deleted it, this one is run again.
func (tx *Tx) must(ctx context.Context, sql string, args []any, each func(sqldb.Row) error) error {
	err := tx.One(ctx, sql, args, each)
	if err == ErrNotFound {
		return ErrAgain
	}
	return err
}

// nothing ignores a row.
func nothing(sqldb.Row) error { return nil }

// writeValues stores the values of filterable nested fields, if they differ from those of old.
func (tx *Tx) writeValues(ctx context.Context, t *mapping.Table, rec, old any) error {
	id := t.Kind.Meta(rec).ID
	for _, vt := range t.Values {
		now := vt.Folded(t.Kind, rec)
		if old != nil {
			if strings.Join(now, "\n") == strings.Join(vt.Folded(t.Kind, old), "\n") {
				continue
			}
			if err := tx.Exec(ctx, "DELETE FROM "+vt.Name+" WHERE id = $1", id); err != nil {
				return err
			}
		}
		for chunk := range slices.Chunk(now, sqldb.Batches[len(sqldb.Batches)-1]) {
			if err := tx.insertValues(ctx, vt, id, chunk); err != nil {
				return err
			}
		}
	}
	return nil
}

// insertValues stores values of the nested field of one record.
func (tx *Tx) insertValues(ctx context.Context, vt *mapping.ValueTable, id int64, values []string) error {
	args, tuples := []any{id}, make([]string, len(values))
	for i, text := range values {
		args = append(args, text)
		tuples[i] = fmt.Sprintf("($1, $%d)", i+2)
	}
	return tx.Exec(ctx, "INSERT INTO "+vt.Name+" (id, folded) VALUES "+strings.Join(tuples, ", "), args...)
}

// Taken returns the id of a record other than the given one with the value of a unique field, or 0.
func (tx *Tx) Taken(ctx context.Context, k *kind.Schema, f *kind.Field, value string,
	except int64) (id int64, err error) {
	err = tx.Query(ctx, fmt.Sprintf("SELECT id FROM %s WHERE %s_folded = $1 AND id <> $2", k.Path(), f.Column()),
		[]any{mapping.Fold(value), except}, func(r sqldb.Row) error {
			id = r.Int(0)
			return nil
		})
	return id, err
}

// mostHaving is the limit of Having: a value that more records have identifies none.
const mostHaving = 100

// Having returns the sorted ids of records with the value of a filterable text, ignoring case.
func (tx *Tx) Having(ctx context.Context, k *kind.Schema, f *kind.Field, value string) (ids []int64, err error) {
	sql := fmt.Sprintf("SELECT id FROM %s WHERE %s_folded = $1 ORDER BY id LIMIT %d", k.Path(), f.Column(), mostHaving)
	err = tx.Query(ctx, sql, []any{mapping.Fold(value)}, func(r sqldb.Row) error {
		ids = append(ids, r.Int(0))
		return nil
	})
	return ids, err
}

// Paths returns the paths of up to 1000 records, without those that do not exist.
func (tx *Tx) Paths(ctx context.Context, k *kind.Schema, ids []int64) (paths map[int64]string, err error) {
	parent := "CAST(0 AS BIGINT)"
	if f := k.Parent(); f != nil {
		parent = f.Column() + "_id"
	}
	args := sqldb.Batched(ids)
	paths = map[int64]string{}
	sql := fmt.Sprintf("SELECT id, %s FROM %s WHERE id IN (%s)", parent, k.Path(), sqldb.Placeholders(len(args)))
	err = tx.Query(ctx, sql, args, func(r sqldb.Row) error {
		paths[r.Int(0)] = k.PathTo(r.Int(0), r.Int(1))
		return nil
	})
	return paths, err
}

// seconds cuts a time to whole seconds, as documents show it.
func seconds(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// SetTime sets one time of a record, but neither its version nor its time of change.
func (tx *Tx) SetTime(ctx context.Context, k *kind.Schema, id int64, f *kind.Field, t time.Time) error {
	tx.touch(tx.table(k), id)
	return tx.Exec(ctx, fmt.Sprintf("UPDATE %s SET %s = $1 WHERE id = $2", k.Path(), f.Column()), mapping.TimeArg(t),
		id)
}
