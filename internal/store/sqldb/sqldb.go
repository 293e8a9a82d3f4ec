// Package sqldb connects to SQLite and to PostgreSQL, and runs transactions on either.
//
// One text of SQL serves both: $1 parameters, RETURNING, 64-bit integers, text
// compared by bytes, times as seconds since 1970. What differs is in dialect.go. It
// knows statements, rows and transactions; what is stored in tables does not belong
// here, but in package store above it.
package sqldb

import (
	"context"
	"fmt"
	"muster/internal/message"
	"strings"
)

// Errors that callers tell apart.
var (
	// ErrUnavailable is wrapped by errors of a database that cannot be reached
	// or is overloaded; the same call may succeed later.
	ErrUnavailable = message.Errorf("the database is not available")

	// ErrUncertain is wrapped by the error of a change whose connection was
	// lost at its end.
	ErrUncertain = message.Errorf("the connection to the database was lost, so that it is not known " +
		"whether the change was made: look before it is repeated, or repeat it under the same Idempotency-Key")
	// ErrFull is wrapped by the error of a change for which there is no room on
	// the database's disk.
	ErrFull = message.Errorf("the disk of the database is full")

	// ErrAgain makes an update run its function again: another transaction was
	// faster.
	ErrAgain = fmt.Errorf("%w: the record was changed meanwhile", ErrUnavailable)
)

// A Database runs transactions, each function perhaps several times: View one
// that reads one state, Read one that makes a single query, Update one that
// changes; Snapshot and Migrate are a View and an Update that may take long. What
// a Snapshot's function has written cannot be taken back, so it is run once.
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

// A Conn is a connection within a transaction.
type Conn interface {
	// Query runs a statement and calls each, if not nil, with every row.
	Query(ctx context.Context, sql string, args []any, each func(Row) error) error
	// Later runs a statement of which nothing else in the transaction depends,
	// now or just before it is committed.
	Later(ctx context.Context, sql string, args []any) error
}

// A Row is one row of a result, valid while it is being looked at.
type Row interface {
	Null(i int) bool
	Int(i int) int64
	// Bytes appends the text or blob of column i to b; null appends nothing.
	Bytes(i int, b []byte) []byte
}

// Stats are figures of a database at one moment.
type Stats struct {
	Commits int64 // to an SQLite file; each may be of several changes
	Ran     int64 // statements
	Pool    *Pool // nil on SQLite
}

// A Pool is the state of the connections to PostgreSQL.
type Pool struct {
	Most, Open, Busy int64 // connections
	Waits            int64 // times that one was waited for, since the start
}

// IsPostgres reports whether a database is given by a PostgreSQL address.
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

// OpenReadOnly opens a database to examine it, whether or not a server uses it.
// Nothing of it is made or changed.
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
