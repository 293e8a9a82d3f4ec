// Package store keeps records in SQLite or PostgreSQL.
//
// One text of SQL serves both: $1 parameters, RETURNING, 64-bit integers, text
// compared by bytes, times as seconds since 1970. What differs is in
// dialect.go. Tables follow from the kinds; a transaction is a function, run
// by View or Update, that may be run again when the database asks for it.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync/atomic"

	"muster/internal/archive"
	"muster/internal/kind"
	"muster/internal/store/plan"
)

// Errors that callers tell apart.
var (
	// ErrNotFound is the answer for a record that does not exist.
	ErrNotFound = errors.New("no such record")
	// ErrUnavailable is wrapped by errors of a database that cannot be reached
	// or is overloaded; the same call may succeed later.
	ErrUnavailable = errors.New("the database is not available")

	// ErrUncertain is wrapped by the error of a change whose connection was
	// lost at its end.
	ErrUncertain = errors.New("the connection to the database was lost, so that it is not known whether the change was made: " +
		"look before it is repeated, or repeat it under the same Idempotency-Key")
	// ErrFull is wrapped by the error of a change for which there is no room on
	// the database's disk.
	ErrFull = errors.New("the disk of the database is full")
	// ErrUsed is the answer for a triple that a change was made with before.
	ErrUsed = errors.New("a change was made with this response before")
	// ErrMissing and ErrOutdated are the answers for a database that a Frozen
	// store would have to make or to alter.
	ErrMissing  = errors.New("the database is empty: start muster serve first, which makes its tables")
	ErrOutdated = errors.New("the database is of an older version: start muster serve of this version first, which brings it up to date")

	// ErrNewer is wrapped by the error of a database that a newer version has
	// written.
	ErrNewer = errors.New("the database was written by a newer version of Muster")

	// ErrAgain makes Update run its function again: another transaction was
	// faster.
	ErrAgain = fmt.Errorf("%w: the record was changed meanwhile", ErrUnavailable)
)

// Config says what to open.
type Config struct {
	Database string // a postgres:// address, or the path of an SQLite file
	Kinds    []*kind.Schema
	Frozen   bool              // the tables are used as they are, or not at all
	Observe  func(Transaction) // told of each that has ended, nil for nobody
	// BeforeUpgrade, if not nil, is called before tables of a database that is
	// not new are altered, while no other process alters them. Its error leaves
	// the database as it is.
	BeforeUpgrade func(context.Context) error
	// Progress, if not nil, is told now and then how far the words of a table's
	// records are made, for the search: up to which id, and the last one.
	Progress archive.Progress
	Log      *slog.Logger // told when lists cannot come from memory, nil for nobody
}

// A Store is an open database.
type Store struct {
	database  database
	tables    map[*kind.Schema]*table
	kinds     []*kind.Schema
	frozen    bool
	observe   func(Transaction)
	log       *slog.Logger
	waiting   [modes]atomic.Int64        // transactions that have not begun yet
	indexes   atomic.Pointer[indexes]    // answer lists, nil when there are none
	clock     atomic.Int64               // counts what the indexes were told of
	changes   atomic.Int64               // counts the new versions that they were told of, on SQLite
	uncertain atomic.Bool                // there are changes that they may not have been told of, on SQLite
	searched  searchMemory               // what searches have found
	worded    atomic.Int64               // counts changes of words, on SQLite
	follower  *follower                  // keeps them on PostgreSQL, nil when nobody does
	lists     [plan.Reasons]atomic.Int64 // how many were answered, by why so
	chaining  chan struct{}              // is full while pending records are added to a chain

	beforeUpgrade func(context.Context) error
	progress      archive.Progress
	altered       bool // tables are being altered, after all that must come before it
}

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
	stats(*Stats)
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

// IsPostgres reports whether a database is given by a PostgreSQL address.
func IsPostgres(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// Public returns the name of a database without any password in it.
func Public(database string) string {
	if scheme, _, ok := strings.Cut(database, "://"); ok && !IsPostgres(database) { // a mistake, perhaps with a password
		return scheme + "://…"
	}
	if !IsPostgres(database) {
		return database
	}
	u, err := url.Parse(database)
	if err != nil {
		return "the PostgreSQL database"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// Open opens the database, makes it if there is none, and brings its tables up
// to date. A database that a newer version has written is an error.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	db, err := open(ctx, cfg.Database)
	if err != nil {
		return nil, err
	}
	s := &Store{
		database: db, kinds: cfg.Kinds, frozen: cfg.Frozen, observe: cfg.Observe, beforeUpgrade: cfg.BeforeUpgrade, progress: cfg.Progress,
		tables: map[*kind.Schema]*table{}, chaining: make(chan struct{}, 1), log: cmp.Or(cfg.Log, slog.New(slog.DiscardHandler)),
	}
	for _, k := range cfg.Kinds {
		s.tables[k] = newTable(k)
	}
	if err := s.migrate(ctx); err != nil {
		_ = db.close() // the first error tells more
		return nil, fmt.Errorf("bring the database up to date: %w", err)
	}
	if err := s.openIndexes(ctx); err != nil {
		_ = db.close() // the first error tells more
		return nil, err
	}
	return s, nil
}

// open opens a database of either sort.
func open(ctx context.Context, name string) (db database, err error) {
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

// Close closes the database once all transactions have ended.
func (s *Store) Close() error {
	if s.follower != nil {
		s.follower.close()
	}
	return s.database.close()
}

// Shared reports whether other processes may write the database too.
func (s *Store) Shared() bool { return s.database.dialect() == &postgresDialect }

// A Tx is a transaction. It ends with the function that it was given to.
type Tx struct {
	store *Store
	conn  conn

	touched map[*table]touched // records that it has changed, on PostgreSQL
	tells   bool               // a statement of it has told of others already
	alters  bool               // it has altered tables
	stale   bool               // the indexes had another state than it reads
	clock   int64              // of the store, before it began
	changes int64              // of the store, before it began
	worded  int64              // of the store, before it began
	seen    *seen              // of the follower, before it began; nil when there is none

	indexAllowed bool // it may ask the indexes, since it changes nothing
}

// Read runs f, which makes a single query.
func (s *Store) Read(ctx context.Context, f func(*Tx) error) error {
	return s.watch(ctx, Reading, s.database.read, f)
}

// View runs f in a transaction that reads one state of the database.
func (s *Store) View(ctx context.Context, f func(*Tx) error) error {
	return s.watch(ctx, Viewing, s.database.view, f)
}

// Update runs f in a transaction that may change the database; its changes are
// on disk when Update returns nil, and undone when it returns an error. f may
// be run several times.
func (s *Store) Update(ctx context.Context, f func(*Tx) error) error {
	return s.watch(ctx, Updating, s.database.update, f)
}

// table returns the table of a kind, which must be one that the store was
// opened with.
func (tx *Tx) table(k *kind.Schema) *table {
	t := tx.store.tables[k]
	if t == nil {
		panic(fmt.Sprintf("store: kind %s was not opened", k.Item))
	}
	return t
}

// exec runs a statement without a result.
func (tx *Tx) exec(ctx context.Context, sql string, args ...any) error {
	return tx.conn.query(ctx, sql, args, nil)
}

// one runs a statement with at most one row, ErrNotFound when there is none.
func (tx *Tx) one(ctx context.Context, sql string, args []any, each func(row) error) error {
	found := false
	err := tx.conn.query(ctx, sql, args, func(r row) error {
		found = true
		return each(r)
	})
	if err == nil && !found {
		return ErrNotFound
	}
	return err
}
