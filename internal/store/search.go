package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// writeSearch stores the words of a record, if they differ from those of old.
func (tx *Tx) writeSearch(ctx context.Context, t *mapping.Table, rec, old any) error {
	id, text := t.Kind.Meta(rec).ID, mapping.WordsOf(t.Kind, rec)
	if old != nil && text == mapping.WordsOf(t.Kind, old) {
		return nil
	}
	if ok, err := tx.searches(ctx, t); !ok {
		return err
	}
	if old == nil {
		return tx.insertWords(ctx, t, []any{id, text})
	}
	tx.reword(t)
	value := fmt.Sprintf(tx.store.database.Dialect().Words, "$1")
	return tx.conn.Later(ctx, fmt.Sprintf("UPDATE %s SET words = %s WHERE rowid = $2", t.Search.Name, value),
		[]any{text, id})
}

// appendSearch stores the words of new records.
func (tx *Tx) appendSearch(ctx context.Context, t *mapping.Table, recs []any) error {
	if ok, err := tx.searches(ctx, t); !ok {
		return err
	}
	for chunk := range slices.Chunk(recs, sqldb.MostRows) {
		var args []any
		for _, rec := range chunk {
			args = append(args, t.Kind.Meta(rec).ID, mapping.WordsOf(t.Kind, rec))
		}
		if err := tx.insertWords(ctx, t, args); err != nil {
			return err
		}
	}
	return nil
}

// insertWords stores the words of records: an id and its words, and so on. On
// SQLite each record has a statement of its own: one with several rows makes FTS5
// write out all that it holds first, to be able to undo the statement.
func (tx *Tx) insertWords(ctx context.Context, t *mapping.Table, args []any) error {
	tx.reword(t)
	if !tx.store.Shared() {
		for one := range slices.Chunk(args, 2) {
			if err := tx.conn.Later(ctx, "INSERT INTO "+t.Search.Name+" (rowid, words) VALUES ($1, $2)",
				one); err != nil {
				return err
			}
		}
		return nil
	}
	tuples := make([]string, len(args)/2)
	for i := range tuples {
		value := fmt.Sprintf(tx.store.database.Dialect().Words, fmt.Sprintf("$%d", 2*i+2))
		tuples[i] = fmt.Sprintf("($%d, %s)", 2*i+1, value)
	}
	sql := "INSERT INTO " + t.Search.Name + " (rowid, words) VALUES " + strings.Join(tuples, ", ")
	if t.Chain != nil { // words that somebody has left who cut off the end must not keep the chain from going on
		sql += " ON CONFLICT (rowid) DO UPDATE SET words = excluded.words"
	}
	return tx.conn.Later(ctx, sql, args)
}

// deleteSearch removes the words of a record.
func (tx *Tx) deleteSearch(ctx context.Context, t *mapping.Table, id int64) error {
	if ok, err := tx.searches(ctx, t); !ok {
		return err
	}
	tx.reword(t)
	return tx.conn.Later(ctx, "DELETE FROM "+t.Search.Name+" WHERE rowid = $1", []any{id})
}

// searches reports whether the words of records are kept. After a restore they
// are not, until a server has made them of all records; whoever changes one
// before keeps servers from beginning with it.
func (tx *Tx) searches(ctx context.Context, t *mapping.Table) (bool, error) {
	if t.Search.IsMade {
		return true, nil
	}
	if err := tx.lock(ctx); err != nil {
		return false, err
	}
	return tx.hasSearch(ctx, t)
}
