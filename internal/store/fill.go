package store

import (
	"context"
	"errors"
	"fmt"

	"muster/internal/archive"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// fillBatch is how many records are read and indexed for the search at a time.
const fillBatch = archive.ProgressEvery

// hasSearch reports whether the search table of a kind exists in the present form. It may not be filled yet.
func (tx *Tx) hasSearch(ctx context.Context, t *mapping.Table) (bool, error) {
	have, err := tx.names(ctx, tx.Dialect().Columns, t.Search.Name)
	if err != nil || len(have) == 0 {
		return false, err
	}
	forms, err := tx.names(ctx, "SELECT form FROM searches WHERE kind = $1", t.Kind.Item)
	return len(forms) == 1 && forms[0] == t.Search.Form, err
}

// addSearch creates the search table of a kind, if it is missing or has an outdated form; fillSearches fills it
// later. Dropping the old one loses no data, so no backup is made before, and users without the right to alter
// tables can do without it. It is given the columns and layouts that the records had before.
func (tx *Tx) addSearch(ctx context.Context, t *mapping.Table, columns, layouts []string) (err error) {
	t.Search.IsMade, err = tx.hasSearch(ctx, t)
	if err != nil || t.Search.IsMade || tx.store.frozen {
		return err
	}
	if t.Search.IsMade, err = tx.widenSearch(ctx, t, columns, layouts); err != nil || t.Search.IsMade {
		return err
	}
	statements := append([]string{"DROP TABLE IF EXISTS %s"}, tx.Dialect().Search...)
	for _, sql := range statements {
		if err := tx.Exec(ctx, fmt.Sprintf(sql, t.Search.Name)); err != nil {
			return err
		}
	}
	var filled any = int64(0)
	last, err := tx.lastOf(ctx, t)
	if err != nil {
		return err
	}
	if last == 0 {
		filled = nil
	}
	t.Search.IsMade = true
	return tx.Exec(ctx, `INSERT INTO searches (kind, form, filled) VALUES ($1, $2, $3)
		ON CONFLICT (kind) DO UPDATE SET form = excluded.form, filled = excluded.filled`, t.Kind.Item, t.Search.Form, filled)
}

// widenSearch updates the form of a search table that lacks only new fields, which no record has values of. It
// is not ok when the table must be rebuilt.
func (tx *Tx) widenSearch(ctx context.Context, t *mapping.Table, columns, layouts []string) (ok bool, err error) {
	have, err := tx.names(ctx, tx.Dialect().Columns, t.Search.Name)
	if err != nil || len(have) == 0 {
		return false, err
	}
	forms, err := tx.names(ctx, "SELECT form FROM searches WHERE kind = $1", t.Kind.Item)
	if err != nil || len(forms) == 0 || !t.Search.Widens(forms[0], columns, layouts) {
		return false, err
	}
	return true, tx.Exec(ctx, "UPDATE searches SET form = $1 WHERE kind = $2", t.Search.Form, t.Kind.Item)
}

// lastOf returns the highest id in a table, or 0.
func (tx *Tx) lastOf(ctx context.Context, t *mapping.Table) (id int64, err error) {
	err = tx.Query(ctx, "SELECT coalesce(max(id), 0) FROM "+t.Name, nil, func(r sqldb.Row) error {
		id = r.Int(0)
		return nil
	})
	return id, err
}

// fillSearches fills new search tables in batches, each in its own transaction. So it needs little memory,
// continues after an interruption, and is shared by nodes that start at the same time.
func (s *Store) fillSearches(ctx context.Context) error {
	for _, k := range s.kinds {
		if err := s.fillSearch(ctx, s.tables[k]); err != nil {
			return fmt.Errorf("give words to %s: %w", k.Path(), err)
		}
	}
	return nil
}

func (s *Store) fillSearch(ctx context.Context, t *mapping.Table) error {
	var isFull bool
	err := s.View(ctx, func(tx *Tx) (err error) {
		_, isFull, err = tx.filled(ctx, t)
		return err
	})
	if isFull {
		return err
	}
	for err == nil && !isFull {
		var done, last int64
		err = s.database.Migrate(ctx, func(c sqldb.Conn) (err error) {
			done, last, err = (&Tx{store: s, conn: c}).fillStep(ctx, t)
			return err
		})
		if isFull = done == last; s.progress != nil && err == nil && last > 0 {
			s.progress(t.Name, done, last)
		}
	}
	if err != nil {
		return err
	}
	return sqldb.MergeWords(ctx, s.database, t.Search.Name)
}

// filled returns up to which id a search table is filled, and whether it is complete.
func (tx *Tx) filled(ctx context.Context, t *mapping.Table) (id int64, isFull bool, err error) {
	err = tx.One(ctx, "SELECT filled FROM searches WHERE kind = $1", []any{t.Kind.Item}, func(r sqldb.Row) error {
		id, isFull = r.Int(0), r.Null(0)
		return nil
	})
	return id, isFull, err
}

// fillStep indexes the next batch of records. It returns the last id that is done, and the last one of all.
func (tx *Tx) fillStep(ctx context.Context, t *mapping.Table) (done, last int64, err error) {
	if err := tx.lock(ctx); err != nil {
		return 0, 0, err
	}
	from, isFull, err := tx.filled(ctx, t)
	if err != nil || isFull { // another node was faster
		return 0, 0, err
	}
	if last, err = tx.lastOf(ctx, t); err != nil {
		return 0, 0, err
	}
	args, err := tx.readWords(ctx, t, from)
	if err != nil {
		return 0, 0, err
	}
	done, filled := last, any(nil)
	if len(args) == 2*fillBatch {
		done = args[len(args)-2].(int64)
	}
	if done < last {
		filled = done
	}
	err = tx.Exec(ctx, "DELETE FROM "+t.Search.Name+" WHERE rowid > $1 AND rowid <= $2", from, done)
	if err == nil && len(args) > 0 {
		err = tx.insertWords(ctx, t, args)
	}
	err = errors.Join(err, tx.Exec(ctx, "UPDATE searches SET filled = $1 WHERE kind = $2", filled, t.Kind.Item))
	if err == nil && filled == nil { // nodes may have cached search results in the meantime
		tx.alters = true
		err = tx.feedReload(ctx)
	}
	return done, last, err
}

// readWords returns the id and the words of each of the next records after an id. On PostgreSQL it locks these
// records until the transaction ends: a change in between could not update words that are not stored yet.
func (tx *Tx) readWords(ctx context.Context, t *mapping.Table, from int64) (args []any, err error) {
	where := fmt.Sprintf("r.id > $1 ORDER BY r.id LIMIT %d%s", fillBatch, tx.Dialect().Share)
	err = tx.eachRecord(ctx, t, where, []any{from}, func(rec any) {
		args = append(args, t.Kind.Meta(rec).ID, mapping.WordsOf(t.Kind, rec))
	})
	return args, err
}

// eachRecord calls each with the records that a condition chooses, with all of which words are made.
func (tx *Tx) eachRecord(ctx context.Context, t *mapping.Table, where string, args []any, each func(rec any)) error {
	s := mapping.Scanner{Table: t, Selection: &t.Single}
	return tx.Query(ctx, t.Single.Sql+where, args, func(r sqldb.Row) error {
		rec := t.Kind.Empty(1)[0]
		if err := s.Scan(r, rec); err != nil {
			return err
		}
		each(rec)
		return nil
	})
}
