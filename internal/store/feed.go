package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// The feed is a table by which nodes on the same PostgreSQL database notify each other of changes: each
// transaction adds a row per kind with the ids of the changed records. Nodes read it to keep their indexes
// current, see follow.go. Its rows are needed for minutes only, so backups leave it out.
const feedName = "feed"

// MakeFeed are the statements that create the feed. A row has the number of its transaction, by which readers
// know whether they have seen it, see position.
var MakeFeed = []string{
	`CREATE TABLE feed (xact XID8 NOT NULL DEFAULT pg_current_xact_id(), at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
		kind TEXT COLLATE "C" NOT NULL, ids BIGINT[] NOT NULL)`,
	"CREATE INDEX feed_xact ON feed (xact)",
}

// IsDerived reports whether a table is derived from the given ones: it is a search table of one, or the feed.
// Backups leave it out.
func IsDerived(name string, tables []string) bool {
	of, isSearch := strings.CutSuffix(name, mapping.SearchSuffix)
	return isSearch && slices.Contains(tables, of) || name == feedName && len(tables) > 0
}

// everything is the kind of a row that says that any record may have changed.
const everything = "*"

// addFeed creates the feed on PostgreSQL, if it is missing.
func (tx *Tx) addFeed(ctx context.Context) error {
	if !tx.store.Shared() {
		return nil // no other process changes the file
	}
	have, err := tx.names(ctx, tx.Dialect().Columns, feedName)
	if err != nil || len(have) > 0 {
		return err
	}
	if tx.store.frozen {
		return ErrOutdated
	}
	for _, sql := range MakeFeed {
		if err := tx.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// writeFeed adds what the transaction has changed to the feed.
func (tx *Tx) writeFeed(ctx context.Context) error {
	if len(tx.touched) == 0 {
		return nil
	}
	var args []any
	for t, ids := range tx.touched {
		args = append(args, t.Name, slices.Collect(maps.Keys(ids)))
	}
	sql := "INSERT INTO feed (kind, ids) VALUES " + sqldb.Tuples(len(tx.touched), 2) + " RETURNING " + generationNow
	return tx.Query(ctx, sql, args, func(r sqldb.Row) error { return tx.mayWrite(r.Int(0)) })
}

// touchIn is touchApart for a record whose id is parameter n of a statement. On PostgreSQL it returns the statement
// extended to write to the feed itself. This saves a statement for reports without news, the most frequent
// change.
func (tx *Tx) touchIn(t *mapping.Table, id int64, sql string, n int) string {
	if tx.touched == nil {
		tx.touchApart(t, id)
		return sql
	}
	tx.wroteFeed = true
	return fmt.Sprintf("WITH told AS (INSERT INTO feed (kind, ids) VALUES ('%s', ARRAY[CAST($%d AS BIGINT)])) %s",
		t.Name, n, sql)
}

// feedReload makes nodes reload their indexes, if tables were altered.
func (tx *Tx) feedReload(ctx context.Context) error {
	if !tx.alters || !tx.store.Shared() {
		return nil
	}
	return tx.Exec(ctx, "INSERT INTO feed (kind, ids) VALUES ($1, $2)", everything, []int64{0})
}

// markChanged counts a transaction that has changed records, or may have.
func (s *Store) markChanged(tx *Tx, err error) {
	if s.follower != nil && tx != nil && (tx.wroteFeed || len(tx.touched) > 0) &&
		(err == nil || errors.Is(err, ErrUncertain)) {
		s.follower.committed.Add(1)
	}
}
