// Package sqldb connects to SQLite and to PostgreSQL, and runs transactions on either.
//
// One text of SQL serves both: $1 parameters, RETURNING, 64-bit integers, text
// compared by bytes, times as seconds since 1970. What differs is in dialect.go. It
// knows statements, rows and transactions; what is stored in tables does not belong
// here, but in package store above it.
package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Errors that callers tell apart.
var (
	// dbErrUnavailable is wrapped by errors of a database that cannot be reached
	// or is overloaded; the same call may succeed later.
	dbErrUnavailable = errors.New("the database is not available")

	// dbErrUncertain is wrapped by the error of a change whose connection was
	// lost at its end.
	dbErrUncertain = errors.New("the connection to the database was lost, so that it is not known whether the change was made: " +
		"look before it is repeated, or repeat it under the same Idempotency-Key")
	// dbErrFull is wrapped by the error of a change for which there is no room on
	// the database's disk.
	dbErrFull = errors.New("the disk of the database is full")

	// dbErrAgain makes an update run its function again: another transaction was
	// faster.
	dbErrAgain = fmt.Errorf("%w: the record was changed meanwhile", dbErrUnavailable)
)

// A database runs transactions, each function perhaps several times: view one
// that reads one state, read one that makes a single query, update one that
// changes; snapshot and migrate are a view and an update that may take long. What
// a snapshot's function has written cannot be taken back, so it is run once.
type database interface {
	dialect() *dialect
	view(ctx context.Context, f func(conn) error) error
	read(ctx context.Context, f func(conn) error) error
	update(ctx context.Context, f func(conn) error) error
	snapshot(ctx context.Context, f func(conn) error) error
	migrate(ctx context.Context, f func(conn) error) error
	stats() DatabaseStats
	close() error
}

// A conn is a connection within a transaction.
type conn interface {
	// query runs a statement and calls each, if not nil, with every row.
	query(ctx context.Context, sql string, args []any, each func(row) error) error
	// later runs a statement of which nothing else in the transaction depends,
	// now or just before it is committed.
	later(ctx context.Context, sql string, args []any) error
}

// A row is one row of a result, valid while it is being looked at.
type row interface {
	null(i int) bool
	int(i int) int64
	// bytes appends the text or blob of column i to b; null appends nothing.
	bytes(i int, b []byte) []byte
}

// DatabaseStats are figures of a database at one moment.
type DatabaseStats struct {
	Commits int64 // to an SQLite file; each may be of several changes
	Ran     int64 // statements
	Pool    *Pool // nil on SQLite
}

// A Pool is the state of the connections to PostgreSQL.
type Pool struct {
	Most, Open, Busy int64 // connections
	Waits            int64 // times that one was waited for, since the start
}

// isPostgres reports whether a database is given by a PostgreSQL address.
func isPostgres(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// openDatabase opens a database of either sort.
func openDatabase(ctx context.Context, name string) (db database, err error) {
	if isPostgres(name) {
		db, err = openPostgres(ctx, name)
	} else {
		db, err = openSQLite(ctx, name)
	}
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return db, nil
}

// openReadOnly opens a database to examine it, whether or not a server uses it.
// Nothing of it is made or changed.
func openReadOnly(ctx context.Context, name string) (db database, err error) {
	if isPostgres(name) {
		db, err = openPostgres(ctx, name)
	} else {
		db, err = lookSQLite(name)
	}
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return db, nil
}
