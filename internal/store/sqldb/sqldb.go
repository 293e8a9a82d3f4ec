// Package sqldb connects to SQLite and to PostgreSQL, and runs transactions on either.
//
// The same SQL serves both: $1 parameters, RETURNING, 64-bit integers, text compared by bytes, times as seconds
// since 1970. The differences are in dialect.go. Only statements, rows and transactions belong here; what the
// tables contain belongs in package store above.
package sqldb

import (
	"context"
	"fmt"
	"muster/internal/message"
	"strings"
)

// Errors that callers distinguish.
var (
	// ErrUnavailable is wrapped by errors of a database that cannot be reached or is overloaded; the same call
	// may succeed later.
	ErrUnavailable = message.Errorf("the database is not available")

	// ErrUncertain is wrapped by the error of a change whose connection was lost during the commit.
	ErrUncertain = message.Errorf("the connection to the database was lost, so that it is not known " +
		"whether the change was made: look before it is repeated, or repeat it under the same Idempotency-Key")
	// ErrFull is wrapped by the error of a change when the database's disk is full.
	ErrFull = message.Errorf("the disk of the database is full")

	// ErrAgain makes an Update run its function again, since another transaction has changed the same data.
	ErrAgain = fmt.Errorf("%w: the record was changed meanwhile", ErrUnavailable)
)

// A Database runs functions in transactions: View with one snapshot, Read for a single query, Update for
// changes. Snapshot and Migrate are a View and an Update without a time limit. Functions may be run several
// times, except that of Snapshot, whose output cannot be taken back.
type Database interface {
	Dialect() *Dialect
	View(ctx context.Context, f func(Conn) error) error
	Read(ctx context.Context, f func(Conn) error) error
	Update(ctx context.Context, f func(Conn) error) error
	Snapshot(ctx context.Context, f func(Conn) error) error
	Migrate(ctx context.Context, f func(Conn) error) error
	Stats() Stats
	Close() error
}

// A Conn is a connection in a transaction.
type Conn interface {
	// Query runs a statement and calls each, if not nil, with every row.
	Query(ctx context.Context, sql string, args []any, each func(Row) error) error
	// Later runs a statement that nothing else in the transaction depends on, now or just before the commit.
	Later(ctx context.Context, sql string, args []any) error
}

// A Row is one row of a result, valid until the call that received it returns.
type Row interface {
	Null(i int) bool
	Int(i int) int64
	// Bytes appends the text or blob of column i to b; null appends nothing.
	Bytes(i int, b []byte) []byte
}

// Stats are the metrics of a database at one moment.
type Stats struct {
	Commits int64 // to an SQLite file; each may contain several changes
	Ran     int64 // number of statements
	Retries int64 // number of transactions of PostgreSQL that were run again
	Pool    *Pool // nil on SQLite
}

// A Pool is the state of the connections to PostgreSQL.
type Pool struct {
	Most, Open, Busy int64 // number of connections
	Waits            int64 // how often a connection was waited for, since the start
}

// IsPostgres reports whether a database name is a PostgreSQL address.
func IsPostgres(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// Open opens a database of either sort.
func Open(ctx context.Context, name string) (db Database, err error) {
	if IsPostgres(name) {
		db, err = openPostgres(ctx, name)
	} else {
		db, err = openSQLite(ctx, name)
	}
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return db, nil
}

// OpenReadOnly opens a database to examine it, whether or not a server uses it. It creates and changes nothing.
func OpenReadOnly(ctx context.Context, name string) (db Database, err error) {
	if IsPostgres(name) {
		db, err = openPostgres(ctx, name)
	} else {
		db, err = lookSQLite(name)
	}
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return db, nil
}
