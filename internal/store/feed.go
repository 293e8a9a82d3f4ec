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

// The feed is a table in which the processes that share a PostgreSQL database
// tell each other which records they have changed: each transaction adds a row
// for each kind, with the ids. Nodes read it to keep their indexes, see follow.go.
// Rows are of use for minutes, so backups leave the table out.
const feedName = "feed"

// MakeFeed are the statements that make it. A row has the number of its transaction, by which readers
// know whether they have seen it, see position.
var MakeFeed = []string{
	`CREATE TABLE feed (xact XID8 NOT NULL DEFAULT pg_current_xact_id(), at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
		kind TEXT COLLATE "C" NOT NULL, ids BIGINT[] NOT NULL)`,
	"CREATE INDEX feed_xact ON feed (xact)",
}

// IsDerived reports whether a table follows from some others: it has their words, or
// is the feed. Backups leave it out.
func IsDerived(name string, tables []string) bool {
	of, isSearch := strings.CutSuffix(name, mapping.SearchSuffix)
	return isSearch && slices.Contains(tables, of) || name == feedName && len(tables) > 0
}

// everything is the kind of a row that tells that any record may have changed.
const everything = "*"

// addFeed makes the feed on PostgreSQL, if it is missing.
func (tx *Tx) addFeed(ctx context.Context) error {
	if !tx.store.Shared() {
		return nil // nobody else changes the file
	}
	have, err := tx.names(ctx, tx.store.database.Dialect().Columns, feedName)
	if err != nil || len(have) > 0 {
		return err
	}
	if tx.store.frozen {
		return ErrOutdated
	}
	for _, sql := range MakeFeed {
		if err := tx.exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// writeFeed writes what the transaction has changed into the feed.
func (tx *Tx) writeFeed(ctx context.Context) error {
	if len(tx.touched) == 0 {
		return nil
	}
	var args []any
	for t, ids := range tx.touched {
		args = append(args, t.Name, slices.Collect(maps.Keys(ids)))
	}
	return tx.exec(ctx, "INSERT INTO feed (kind, ids) VALUES "+sqldb.Tuples(len(tx.touched), 2), args...)
}

// touchIn is touch of a record whose id is parameter n of a statement. On
// PostgreSQL it returns a statement that tells it too: reports in which nothing is
// new are by far the most changes, and they have no other to tell.
func (tx *Tx) touchIn(t *mapping.Table, id int64, sql string, n int) string {
	if tx.touched == nil {
		tx.touch(t, id)
		return sql
	}
	tx.tells = true
	return fmt.Sprintf("WITH told AS (INSERT INTO feed (kind, ids) VALUES ('%s', ARRAY[CAST($%d AS BIGINT)])) %s",
		t.Name, n, sql)
}

// feedReload tells nodes to read all records again, if tables were altered.
func (tx *Tx) feedReload(ctx context.Context) error {
	if !tx.alters || !tx.store.Shared() {
		return nil
	}
	return tx.exec(ctx, "INSERT INTO feed (kind, ids) VALUES ($1, $2)", everything, []int64{0})
}

// markChanged notes that a transaction has changed records, or may have.
func (s *Store) markChanged(tx *Tx, err error) {
	if s.follower != nil && tx != nil && (tx.tells || len(tx.touched) > 0) &&
		(err == nil || errors.Is(err, ErrUncertain)) {
		s.follower.told.Add(1)
	}
}
