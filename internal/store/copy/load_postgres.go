package copy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"muster/internal/archive"
	"muster/internal/store"
	"muster/internal/store/sqldb"
)

// stagingSuffix ends the name of the schema in which new tables are built.
const stagingSuffix = "_restoring"

// How long an import waits for other connections to end.
const (
	othersTime  = 5 * time.Second
	othersRetry = 100 * time.Millisecond
)

// replacePostgres builds new tables in a schema of their own and moves them to the place of the present ones,
// all in one transaction.
func (m Import) replacePostgres(ctx context.Context, address string, in *archive.Reader) (r Replaced, err error) {
	cfg, err := sqldb.PostgresConfig(address)
	if err != nil {
		return r, fmt.Errorf("open the database: %w", err)
	}
	conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig) // a pool could have other connections, which would block it
	if err != nil {
		return r, fmt.Errorf("open the database: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }() // all is committed or undone
	return r, pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		s := postgresSite{sqldb.NewPostgresConn(ctx, tx), tx}
		if err := s.alone(ctx); err != nil {
			return err
		}
		if err := sqldb.CheckEncoding(ctx, s); err != nil {
			return err
		}
		schema, err := s.stage(ctx)
		if err != nil {
			return err
		}
		old, err := m.present(ctx, s, schema)
		if err != nil {
			return err
		}
		l := m.loader(s, &sqldb.PostgresDialect, in)
		if r.Tables, err = l.build(ctx); err != nil {
			return err
		}
		r.Kept, err = s.swap(ctx, schema, schema+"_before_"+m.Stamp, old, l.names())
		return err
	})
}

// names returns the names of the tables that were loaded.
func (l *loader) names() (names []string) {
	for _, t := range l.tables {
		names = append(names, t.Name)
	}
	return names
}

// A postgresSite is a transaction that builds new tables.
type postgresSite struct {
	*sqldb.PostgresConn
	tx pgx.Tx
}

// run runs statements that need no completion by the dialect.
func (s postgresSite) run(ctx context.Context, statements ...string) error {
	for _, sql := range statements {
		if _, err := s.tx.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// errInUse is returned while servers or commands are connected.
var errInUse = errors.New("the database is in use by Muster: stop all its servers first")

const others = `SELECT count(*) FROM pg_stat_activity
	WHERE datname = current_database() AND pid <> pg_backend_pid()
	AND application_name = current_setting('application_name')`

// alone returns an error unless no server uses the database. A server that starts now waits for the end of the
// transaction.
func (s postgresSite) alone(ctx context.Context) error {
	if err := s.run(ctx, sqldb.LockMigrations...); err != nil {
		return err
	}
	retry := time.NewTicker(othersRetry)
	defer retry.Stop()
	for last := time.Now().Add(othersTime); ; <-retry.C {
		var n int64
		if err := s.tx.QueryRow(ctx, others).Scan(&n); err != nil || n == 0 {
			return err
		}
		if time.Now().After(last) {
			return errInUse
		}
		if err := s.run(ctx, "SELECT pg_stat_clear_snapshot()"); err != nil {
			return err
		}
	}
}

// stage creates the schema of the new tables, and returns the name of the schema that they will move to.
func (s postgresSite) stage(ctx context.Context) (schema string, err error) {
	if err := s.tx.QueryRow(ctx, "SELECT coalesce(current_schema(), '')").Scan(&schema); err != nil {
		return "", err
	}
	if schema == "" {
		return "", errors.New("the schema that search_path names does not exist in the database")
	}
	staging := quote(schema + stagingSuffix)
	err = s.run(ctx, "CREATE SCHEMA "+staging, "SET LOCAL search_path = "+staging)
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "42501" {
		return "", fmt.Errorf("the role must be allowed to make schemas, which GRANT CREATE ON DATABASE does: %w", err)
	}
	return schema, err
}

// present returns the names of the tables that exist.
func (m Import) present(ctx context.Context, s postgresSite, schema string) (tables []string, err error) {
	if err := s.run(ctx, "SET LOCAL search_path = "+quote(schema)); err != nil {
		return nil, err
	}
	statements, err := copier{s, &sqldb.PostgresDialect}.statements(ctx)
	if err != nil && !errors.Is(err, store.ErrMissing) {
		return nil, err
	}
	tables, err = s.withDerived(ctx, sqldb.TablesMade(statements))
	if err != nil {
		return nil, err
	}
	return tables, s.run(ctx, "SET LOCAL search_path = "+quote(schema+stagingSuffix))
}

// withDerived adds the tables that are derived from some, which have no statements in an archive.
func (s postgresSite) withDerived(ctx context.Context, tables []string) ([]string, error) {
	all := slices.Clone(tables)
	const sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
	err := s.Query(ctx, sql, nil, func(r sqldb.Row) error {
		name := string(r.Bytes(0, nil))
		if store.IsDerived(name, tables) {
			all = append(all, name)
		}
		return nil
	})
	return all, err
}

// swap moves the old tables into a schema where they are kept, and the new ones to their place.
func (s postgresSite) swap(ctx context.Context, schema, kept string, old, fresh []string) (string, error) {
	if len(old) == 0 {
		kept = ""
	} else if err := s.run(ctx, "CREATE SCHEMA "+quote(kept)); err != nil {
		return "", err
	}
	if err := s.move(ctx, old, schema, kept); err != nil {
		return "", err
	}
	if err := s.move(ctx, fresh, schema+stagingSuffix, schema); err != nil {
		return "", err
	}
	err := s.run(ctx, "DROP SCHEMA "+quote(schema+stagingSuffix), "SET LOCAL search_path = "+quote(schema),
		"ANALYZE "+strings.Join(fresh, ", "))
	if err != nil {
		return "", err
	}
	return kept, s.run(ctx, store.MakeFeed...)
}

// move moves tables from one schema to another, with their indexes.
func (s postgresSite) move(ctx context.Context, tables []string, from, to string) error {
	for _, table := range tables {
		sql := fmt.Sprintf("ALTER TABLE %s.%s SET SCHEMA %s", quote(from), quote(table), quote(to))
		if err := s.run(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

func (s postgresSite) fill(ctx context.Context, t archive.Table, next func() ([]any, error)) error {
	_, err := s.tx.CopyFrom(ctx, pgx.Identifier{t.Name}, t.Names(), pgx.CopyFromFunc(func() ([]any, error) {
		row, err := next()
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return row, err
	}))
	return err
}
