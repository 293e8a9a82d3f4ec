// Package store keeps records in SQLite or PostgreSQL: tables, transactions, lists,
// search.
//
// Tables follow from the kinds; a transaction is a function, run by View or
// Update, that may be run again when the database asks for it. Each subject has its
// file of methods of Tx. How a database is reached is in package sqldb below it, and
// rules of the product are in package desk above it.
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
	"muster/internal/store/mapping"
	"muster/internal/store/plan"
	"muster/internal/store/sqldb"
)

// Errors that callers tell apart.
var (
	// ErrNotFound is the answer for a record that does not exist.
	ErrNotFound = errors.New("no such record")
	// ErrUsed is the answer for a triple that a change was made with before.
	ErrUsed = errors.New("a change was made with this response before")
	// ErrMissing and ErrOutdated are the answers for a database that a Frozen
	// store would have to make or to alter.
	ErrMissing  = errors.New("the database is empty: start muster serve first, which makes its tables")
	ErrOutdated = errors.New("the database is of an older version: start muster serve of this version first, " +
		"which brings it up to date")

	// ErrNewer is wrapped by the error of a database that a newer version has
	// written.
	ErrNewer = errors.New("the database was written by a newer version of Muster")
)

// Errors of the database itself, see there.
var (
	ErrUnavailable = sqldb.ErrUnavailable
	ErrUncertain   = sqldb.ErrUncertain
	ErrFull        = sqldb.ErrFull
	ErrAgain       = sqldb.ErrAgain
	ErrLeft        = sqldb.ErrLeft
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
	database  sqldb.Database
	tables    map[*kind.Schema]*mapping.Table
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
	ledger    *ledger                    // of what an SQLite file's writer does, nil on PostgreSQL
	follower  *follower                  // keeps them on PostgreSQL, nil when nobody does
	lists     [plan.Reasons]atomic.Int64 // how many were answered, by why so
	chaining  chan struct{}              // is full while pending records are added to a chain

	beforeUpgrade func(context.Context) error
	progress      archive.Progress
	altered       bool // tables are being altered, after all that must come before it
}

// IsPostgres reports whether a database is given by a PostgreSQL address.
func IsPostgres(database string) bool { return sqldb.IsPostgres(database) }

// Alone returns the context of an update that takes long. On SQLite it is committed
// alone, so that others wait for one such update at most.
func Alone(ctx context.Context) context.Context { return sqldb.CommitAlone(ctx) }

// Public returns the name of a database without any password in it.
func Public(database string) string {
	// a mistake, perhaps with a password
	if scheme, _, ok := strings.Cut(database, "://"); ok && !IsPostgres(database) {
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
	db, err := sqldb.Open(ctx, cfg.Database)
	if err != nil {
		return nil, err
	}
	s := &Store{
		database: db, kinds: cfg.Kinds, frozen: cfg.Frozen, observe: cfg.Observe,
		beforeUpgrade: cfg.BeforeUpgrade, progress: cfg.Progress,
		tables: map[*kind.Schema]*mapping.Table{}, chaining: make(chan struct{}, 1),
		log: cmp.Or(cfg.Log, slog.New(slog.DiscardHandler)),
	}
	for _, k := range cfg.Kinds {
		s.tables[k] = mapping.New(k)
	}
	if db, ok := db.(*sqldb.SQLite); ok {
		s.noteChanges(db)
	}
	if err := s.migrate(ctx); err != nil {
		_ = db.Close() // the first error tells more
		return nil, fmt.Errorf("bring the database up to date: %w", err)
	}
	if err := s.openIndexes(ctx); err != nil {
		_ = db.Close() // the first error tells more
		return nil, err
	}
	return s, nil
}

// Close closes the database once all transactions have ended.
func (s *Store) Close() error {
	if s.follower != nil {
		s.follower.close()
	}
	return s.database.Close()
}

// Shared reports whether other processes may write the database too.
func (s *Store) Shared() bool { return s.database.Dialect() == &sqldb.PostgresDialect }

// A Tx is a transaction. It ends with the function that it was given to.
type Tx struct {
	store *Store
	conn  sqldb.Conn

	touched map[*mapping.Table]touched // records that it has changed, on PostgreSQL
	ledger  *ledger                    // of the writer, in a change of an SQLite file; else nil
	tells   bool                       // a statement of it has told of others already
	alters  bool                       // it has altered tables
	stale   bool                       // the indexes had another state than it reads
	clock   int64                      // of the store, before it began
	changes int64                      // of the store, before it began
	worded  int64                      // of the store, before it began
	seen    *seen                      // of the follower, before it began; nil when there is none

	indexAllowed bool // it may ask the indexes, since it changes nothing
}

// OnConn returns a transaction on a database of which nothing is known but that it
// has our tables, such as one that is copied.
func OnConn(c sqldb.Conn) *Tx { return &Tx{conn: c} }

// Read runs f, which makes a single query.
func (s *Store) Read(ctx context.Context, f func(*Tx) error) error {
	return s.watch(ctx, Reading, s.database.Read, f)
}

// View runs f in a transaction that reads one state of the database.
func (s *Store) View(ctx context.Context, f func(*Tx) error) error {
	return s.watch(ctx, Viewing, s.database.View, f)
}

// Update runs f in a transaction that may change the database; its changes are
// on disk when Update returns nil, and undone when it returns an error. f may
// be run several times.
func (s *Store) Update(ctx context.Context, f func(*Tx) error) error {
	return s.watch(ctx, Updating, s.database.Update, f)
}

// table returns the table of a kind, which must be one that the store was
// opened with.
func (tx *Tx) table(k *kind.Schema) *mapping.Table {
	t := tx.store.tables[k]
	if t == nil {
		panic(fmt.Sprintf("store: kind %s was not opened", k.Item))
	}
	return t
}

// exec runs a statement without a result.
func (tx *Tx) exec(ctx context.Context, sql string, args ...any) error {
	return tx.conn.Query(ctx, sql, args, nil)
}

// one runs a statement with at most one row, ErrNotFound when there is none.
func (tx *Tx) one(ctx context.Context, sql string, args []any, each func(sqldb.Row) error) error {
	found := false
	err := tx.conn.Query(ctx, sql, args, func(r sqldb.Row) error {
		found = true
		return each(r)
	})
	if err == nil && !found {
		return ErrNotFound
	}
	return err
}
