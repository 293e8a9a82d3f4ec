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

// LinkedBy is the tie of records of one kind to a record that links them.
func LinkedBy(k, target *kind.Schema, id int64) kind.Tie {
	return kind.Tie{Table: mapping.LinkName(k, target), Own: "linked_id", Other: "id", ID: id}
}

// readLinks sets the linked records of records, with their present names.
func (tx *Tx) readLinks(ctx context.Context, t *mapping.Table, recs []any) error {
	if len(t.Links) == 0 || len(recs) == 0 {
		return nil
	}
	place, ids := map[int64]any{}, make([]int64, len(recs))
	for i, rec := range recs {
		ids[i] = t.Kind.Meta(rec).ID
		place[ids[i]] = rec
	}
	args := sqldb.Batched(ids)
	for _, lt := range t.Links {
		sql := fmt.Sprintf("SELECT l.id, l.linked_id, n.name FROM %s l JOIN %s n ON n.id = l.linked_id WHERE l.id IN (%s) ORDER BY l.id, l.linked_id",
			lt.Name, lt.Target.Path(), sqldb.Placeholders(len(args)))
		err := tx.Query(ctx, sql, args, func(r sqldb.Row) error {
			links := t.Kind.Values(place[r.Int(0)]).Links(lt.Field)
			*links = append(*links,
				kind.Linked{Item: lt.Target.Item, ID: kind.Some(r.Int(1)), Name: string(r.Bytes(2, nil))})
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeLinks stores the linked records of a record, if they differ from those
// of old.
func (tx *Tx) writeLinks(ctx context.Context, t *mapping.Table, rec, old any) error {
	for _, lt := range t.Links {
		var had []int64
		now := lt.IDs(rec)
		if old != nil {
			had = lt.IDs(old)
		}
		if slices.Equal(now, had) {
			continue
		}
		id := t.Kind.Meta(rec).ID
		if len(had) > 0 {
			if err := tx.Exec(ctx, "DELETE FROM "+lt.Name+" WHERE id = $1", id); err != nil {
				return err
			}
		}
		if err := tx.link(ctx, lt, id, now); err != nil {
			return err
		}
	}
	return nil
}

// link adds linked records to one record.
func (tx *Tx) link(ctx context.Context, lt *mapping.LinkTable, id int64, linked []int64) error {
	for chunk := range slices.Chunk(linked, sqldb.Batches[len(sqldb.Batches)-1]) {
		args, tuples := []any{id}, make([]string, len(chunk))
		for i, other := range chunk {
			args = append(args, other)
			tuples[i] = fmt.Sprintf("($1, $%d)", i+2)
		}
		if err := tx.Exec(ctx, "INSERT INTO "+lt.Name+" (id, linked_id) VALUES "+strings.Join(tuples, ", "),
			args...); err != nil {
			return err
		}
	}
	return nil
}
