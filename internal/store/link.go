package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// A linkTable holds which records of another kind the records of one are tied
// to.
type linkTable struct {
	name   string
	owner  *kind.Schema
	field  *kind.Field
	target *kind.Schema
}

// linkName returns the name of the table of links from one kind to another.
func linkName(k, target *kind.Schema) string { return k.Path() + "_" + target.Path() }

// LinkedBy is the condition that a record of one kind links records of another.
func LinkedBy(k, target *kind.Schema, id int64) kind.Tie {
	return kind.Tie{Table: linkName(k, target), Own: "linked_id", Other: "id", ID: id}
}

func newLinkTable(k *kind.Schema, f *kind.Field, target *kind.Schema) *linkTable {
	return &linkTable{linkName(k, target), k, f, target}
}

// create returns the statements that make the table.
func (lt *linkTable) create() []string {
	return []string{
		fmt.Sprintf("CREATE TABLE %s (id BIGINT NOT NULL REFERENCES %s (id), linked_id BIGINT NOT NULL REFERENCES %s (id), PRIMARY KEY (id, linked_id))",
			lt.name, lt.owner.Path(), lt.target.Path()),
		fmt.Sprintf("CREATE INDEX %s_linked_id ON %s (linked_id)", lt.name, lt.name),
	}
}

// beside returns the names of the tables that hold something of each record.
func (t *table) beside() (names []string) {
	for _, vt := range t.values {
		names = append(names, vt.name)
	}
	for _, lt := range t.links {
		names = append(names, lt.name)
	}
	if t.apart != nil {
		names = append(names, t.apart.name)
	}
	return names
}

// readLinks sets the linked records of records, with the names that they have
// now.
func (tx *Tx) readLinks(ctx context.Context, t *table, recs []any) error {
	if len(t.links) == 0 || len(recs) == 0 {
		return nil
	}
	place, ids := map[int64]any{}, make([]int64, len(recs))
	for i, rec := range recs {
		ids[i] = t.kind.Meta(rec).ID
		place[ids[i]] = rec
	}
	args := sqldb.Batched(ids)
	for _, lt := range t.links {
		sql := fmt.Sprintf("SELECT l.id, l.linked_id, n.name FROM %s l JOIN %s n ON n.id = l.linked_id WHERE l.id IN (%s) ORDER BY l.id, l.linked_id",
			lt.name, lt.target.Path(), sqldb.Placeholders(len(args)))
		err := tx.conn.Query(ctx, sql, args, func(r sqldb.Row) error {
			links := t.kind.Values(place[r.Int(0)]).Links(lt.field)
			*links = append(*links, kind.Linked{Item: lt.target.Item, ID: kind.Some(r.Int(1)), Name: string(r.Bytes(2, nil))})
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
func (tx *Tx) writeLinks(ctx context.Context, t *table, rec, old any) error {
	for _, lt := range t.links {
		var had []int64
		now := lt.ids(rec)
		if old != nil {
			had = lt.ids(old)
		}
		if slices.Equal(now, had) {
			continue
		}
		id := t.kind.Meta(rec).ID
		if len(had) > 0 {
			if err := tx.exec(ctx, "DELETE FROM "+lt.name+" WHERE id = $1", id); err != nil {
				return err
			}
		}
		if err := tx.link(ctx, lt, id, now); err != nil {
			return err
		}
	}
	return nil
}

// ids returns the ids of the linked records.
func (lt *linkTable) ids(rec any) (ids []int64) {
	for _, l := range *lt.owner.Values(rec).Links(lt.field) {
		if l.Item == lt.target.Item {
			ids = append(ids, l.ID.V)
		}
	}
	return ids
}

// link stores linked records of one record.
func (tx *Tx) link(ctx context.Context, lt *linkTable, id int64, linked []int64) error {
	for chunk := range slices.Chunk(linked, sqldb.Batches[len(sqldb.Batches)-1]) {
		args, tuples := []any{id}, make([]string, len(chunk))
		for i, other := range chunk {
			args = append(args, other)
			tuples[i] = fmt.Sprintf("($1, $%d)", i+2)
		}
		if err := tx.exec(ctx, "INSERT INTO "+lt.name+" (id, linked_id) VALUES "+strings.Join(tuples, ", "), args...); err != nil {
			return err
		}
	}
	return nil
}
