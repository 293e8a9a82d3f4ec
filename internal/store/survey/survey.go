// Package survey says what room a database takes and what waits in it, for those who watch it. It changes nothing, and
// records as people ask for them do not belong here.
package survey

import (
	"context"
	"strings"

	"muster/internal/kind"
	"muster/internal/store"
	"muster/internal/store/sqldb"
)

// Pending returns how many records of a chained kind wait until they are added to the chain. There are none on SQLite,
// whose writer adds them itself.
func Pending(ctx context.Context, tx *store.Tx, k *kind.Schema) (int64, error) {
	return count(ctx, tx, k.Path()+"_pending")
}

// Feed returns how many rows the feed between nodes on PostgreSQL has.
func Feed(ctx context.Context, tx *store.Tx) (int64, error) { return count(ctx, tx, "feed") }

func count(ctx context.Context, tx *store.Tx, table string) (n int64, err error) {
	err = tx.One(ctx, "SELECT count(*) FROM "+table, nil, func(r sqldb.Row) error {
		n = r.Int(0)
		return nil
	})
	return n, err
}

// Tables returns the bytes of each table with its indexes. PostgreSQL knows them. SQLite reads all pages of the file,
// a table in a transaction of its own.
func Tables(ctx context.Context, s *store.Store) (bytes map[string]int64, err error) {
	if s.Shared() {
		return tablesOfPostgres(ctx, s)
	}
	of, err := tablesOfSQLite(ctx, s)
	if err != nil {
		return nil, err
	}
	bytes = map[string]int64{}
	for name, table := range of {
		err := s.Read(ctx, func(tx *store.Tx) error {
			return tx.One(ctx, "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name = $1 AND aggregate = TRUE",
				[]any{name}, func(r sqldb.Row) error {
					bytes[table] += r.Int(0)
					return nil
				})
		})
		if err != nil {
			return nil, err
		}
	}
	return bytes, nil
}

func tablesOfPostgres(ctx context.Context, s *store.Store) (bytes map[string]int64, err error) {
	bytes = map[string]int64{}
	const sql = `SELECT relname::text, pg_total_relation_size(oid)
		FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`
	err = s.Read(ctx, func(tx *store.Tx) error {
		return tx.Query(ctx, sql, nil, func(r sqldb.Row) error {
			bytes[string(r.Bytes(0, nil))] = r.Int(1)
			return nil
		})
	})
	return bytes, err
}

// tablesOfSQLite returns the table of each table and index of the file.
func tablesOfSQLite(ctx context.Context, s *store.Store) (of map[string]string, err error) {
	of = map[string]string{}
	err = s.Read(ctx, func(tx *store.Tx) error {
		return tx.Query(ctx, "SELECT name, tbl_name FROM sqlite_master WHERE type IN ('table', 'index')", nil,
			func(r sqldb.Row) error {
				of[string(r.Bytes(0, nil))] = string(r.Bytes(1, nil))
				return nil
			})
	})
	for name, table := range of {
		// FTS5 keeps a search table in others, such as hardwares_search_data.
		if i := strings.LastIndexByte(table, '_'); i > 0 && of[table[:i]+"_docsize"] != "" {
			of[name] = table[:i]
		}
	}
	return of, err
}
