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
	tx.mark(t, wordsTouch, []int64{id})
	if ok, err := tx.searches(ctx, t); !ok {
		return err
	}
	if old == nil {
		return tx.insertWords(ctx, t, []any{id, text})
	}
	value := fmt.Sprintf(tx.Dialect().Words, "$1")
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
			tx.mark(t, wordsTouch, []int64{t.Kind.Meta(rec).ID})
			args = append(args, t.Kind.Meta(rec).ID, mapping.WordsOf(t.Kind, rec))
		}
		if err := tx.insertWords(ctx, t, args); err != nil {
			return err
		}
	}
	return nil
}

// insertWords stores words, given as an id and its words in turn. On SQLite each record has a separate
// statement: before a statement with several rows FTS5 flushes its buffer, to be able to undo the statement.
func (tx *Tx) insertWords(ctx context.Context, t *mapping.Table, args []any) error {
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
		value := fmt.Sprintf(tx.Dialect().Words, fmt.Sprintf("$%d", 2*i+2))
		tuples[i] = fmt.Sprintf("($%d, %s)", 2*i+1, value)
	}
	sql := "INSERT INTO " + t.Search.Name + " (rowid, words) VALUES " + strings.Join(tuples, ", ")
	if t.Chain != nil { // words that are left from a truncated chain must not stop it
		sql += " ON CONFLICT (rowid) DO UPDATE SET words = excluded.words"
	}
	return tx.conn.Later(ctx, sql, args)
}

// deleteSearch removes the words of records, of a batch at most.
func (tx *Tx) deleteSearch(ctx context.Context, t *mapping.Table, ids ...int64) error {
	if ok, err := tx.searches(ctx, t); !ok {
		return err
	}
	tx.mark(t, wordsTouch, ids)
	params, args := sqldb.InBatch(nil, ids)
	return tx.conn.Later(ctx, "DELETE FROM "+t.Search.Name+" WHERE rowid IN ("+params+")", args)
}

// searches reports whether the words of records are stored. After a restore they are not, until a server has
// built the search table; a change of a record before that locks out this build.
func (tx *Tx) searches(ctx context.Context, t *mapping.Table) (bool, error) {
	if t.Search.IsMade {
		return true, nil
	}
	if err := tx.lock(ctx); err != nil {
		return false, err
	}
	return tx.hasSearch(ctx, t)
}
