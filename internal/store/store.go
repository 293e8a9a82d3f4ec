// Package store keeps records in SQLite or PostgreSQL: tables, transactions, lists, search.
//
// Tables follow from the declared kinds. A transaction is a function, run by View or Update, that may be run
// again when the database requires it. The methods of Tx are grouped by subject in files. The connection to a
// database does not belong here, but in package sqldb below; nor do the rules of the product, which are in
// package desk above.
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
	"time"

	"muster/internal/archive"
	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/plan"
	"muster/internal/store/sqldb"
)

// Errors that callers distinguish.
var (
	// ErrNotFound is returned for a record that does not exist.
	ErrNotFound = errors.New("no such record")
	// ErrUsed is returned for a triple that a change was made with before.
	ErrUsed = errors.New("a change was made with this response before")
	// ErrMissing and ErrOutdated are returned for a database whose tables a Frozen store would have to create
	// or alter.
	ErrMissing  = errors.New("the database is empty: start muster serve first, which makes its tables")
	ErrOutdated = errors.New("the database is of an older version: start muster serve of this version first, " +
		"which brings it up to date")

	// ErrNewer is wrapped by the error for a database that a newer version has written.
	ErrNewer = errors.New("the database was written by a newer version of Muster")
)

// Errors of the database itself, see package sqldb.
var (
	ErrUnavailable = sqldb.ErrUnavailable
	ErrTooLong     = sqldb.ErrTooLong
	ErrUncertain   = sqldb.ErrUncertain
	ErrFull        = sqldb.ErrFull
	ErrAgain       = sqldb.ErrAgain
	ErrLeft        = sqldb.ErrLeft
)

// Config says which database to open, and how.
type Config struct {
	Database string // a postgres:// address, or the path of an SQLite file
	Kinds    []*kind.Schema
	Frozen   bool              // use the tables as they are, or fail
	Observe  func(Transaction) // called with each that has ended, nil for nobody
	// BeforeUpgrade, if not nil, is called before tables of an existing database are altered, while no other
	// process alters them. Its error cancels the upgrade.
	BeforeUpgrade func(context.Context) error
	// Progress, if not nil, is called with the progress of building a search table: the id that it has reached,
	// and the last one.
	Progress archive.Progress
	Log      *slog.Logger // logs when lists cannot come from memory, nil for no log
}

// A Store is an open database.
type Store struct {
	database   sqldb.Database
	tables     map[*kind.Schema]*mapping.Table
	kinds      []*kind.Schema
	frozen     bool
	observe    func(Transaction)
	log        *slog.Logger
	waiting    [modes]atomic.Int64        // transactions that have not begun yet
	indexes    atomic.Pointer[indexes]    // answer lists, nil when there are none
	clock      atomic.Int64               // counts the updates of the indexes
	seen       atomic.Pointer[seen]       // the state that the indexes have, nil before they are loaded
	recent     recentChanges              // the records that have changed lately
	pending    atomic.Pointer[commit]     // the commit under way of an SQLite file, nil when there is none
	searched   searchMemory               // cached search results
	samples    samples                    // of the words of large kinds
	ledger     *ledger                    // the changes of an SQLite file's writer, nil on PostgreSQL
	follower   *follower                  // updates the indexes on PostgreSQL, nil otherwise
	lists      [plan.Reasons]atomic.Int64 // number of answers, by reason
	loads      atomic.Int64               // number of times that the indexes were loaded
	drops      atomic.Int64               // number of times that they were dropped
	generation atomic.Int64               // of the database, when this process found that it knows all of it
	chaining   chan struct{}              // is full while pending records are added to a chain

	beforeUpgrade func(context.Context) error
	progress      archive.Progress
	altered       bool // tables are being altered, and BeforeUpgrade was called
}

// IsPostgres reports whether a database is given by a PostgreSQL address.
func IsPostgres(database string) bool { return sqldb.IsPostgres(database) }

// Alone returns a context for an Update that takes long. SQLite commits it separately, so that other changes
// wait for at most one such Update.
func Alone(ctx context.Context) context.Context { return sqldb.CommitAlone(ctx) }

// Waited returns the error of a call that waited for its turn since begun, until its context ended.
func Waited(ctx context.Context, begun time.Time) error { return sqldb.Waited(ctx, begun) }

// Public returns the name of a database without its password.
func Public(database string) string {
	// an address that is mistyped, perhaps with a password
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

// Open opens the database, creates it if it does not exist, and updates its tables. It returns an error for a
// database that a newer version has written.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	db, err := sqldb.Open(ctx, cfg.Database)
	if err != nil {
		return nil, err
	}
	s := &Store{
		database: db, kinds: cfg.Kinds, frozen: cfg.Frozen, observe: cfg.Observe,
		beforeUpgrade: cfg.BeforeUpgrade, progress: cfg.Progress,
		tables: map[*kind.Schema]*mapping.Table{}, chaining: make(chan struct{}, 1),
		samples: samples{many: glanceMany}, log: cmp.Or(cfg.Log, slog.New(slog.DiscardHandler)),
	}
	for _, k := range cfg.Kinds {
		s.tables[k] = mapping.New(k)
	}
	if db, ok := db.(*sqldb.SQLite); ok {
		s.noteChanges(db)
	}
	if err := s.migrate(ctx); err != nil {
		_ = db.Close() // the first error says more
		return nil, fmt.Errorf("bring the database up to date: %w", err)
	}
	if err := s.openIndexes(ctx); err != nil {
		_ = db.Close() // the first error says more
		return nil, err
	}
	return s, nil
}

// Kinds returns the kinds that the store was opened with.
func (s *Store) Kinds() []*kind.Schema { return s.kinds }

// Close closes the database once all transactions have ended.
func (s *Store) Close() error {
	if s.follower != nil {
		s.follower.close()
	}
	return s.database.Close()
}

// Shared reports whether other processes may write the database too.
func (s *Store) Shared() bool { return s.database.Dialect() == &sqldb.PostgresDialect }

// A Tx is a transaction. It must not be used after the function that it was passed to.
type Tx struct {
	store *Store
	conn  sqldb.Conn

	touched   map[*mapping.Table]touched // records that it has changed, on PostgreSQL
	ledger    *ledger                    // of the writer, in a change of an SQLite file; else nil
	wroteFeed bool                       // one of its statements has written to the feed already
	alters    bool                       // it has altered tables
	checked   bool                       // this process may still write
	stale     bool                       // the indexes had another state than it reads
	clock     int64                      // value of the store's clock before it began
	seen      *seen                      // state of the indexes before it began, nil without indexes
	ahead     map[string]touched         // what has changed since in what it reads, by tables; on PostgreSQL

	indexAllowed bool // it may use the indexes, since it changes nothing

	times map[string]int // see Nth
}

// OnConn returns a transaction on a database that has our tables, such as one that is being copied.
func OnConn(c sqldb.Conn) *Tx { return &Tx{conn: c} }

// Read runs f, which makes a single query.
func (s *Store) Read(ctx context.Context, f func(*Tx) error) error {
	return s.watch(ctx, Reading, s.database.Read, f)
}

// Snapshot runs f in a transaction that reads one state of the database, for as long as it takes, without the index.
func (s *Store) Snapshot(ctx context.Context, f func(*Tx) error) error {
	return s.watch(ctx, Viewing, s.database.Snapshot, f)
}

// Update runs f in a transaction that may change the database. The changes are on disk when Update returns nil,
// and undone when it returns an error. f may be run several times.
func (s *Store) Update(ctx context.Context, f func(*Tx) error) error {
	return s.watch(ctx, Updating, s.database.Update, f)
}

// table returns the table of a kind, which the store must have been opened with.
func (tx *Tx) table(k *kind.Schema) *mapping.Table {
	t := tx.store.tables[k]
	if t == nil {
		panic(fmt.Sprintf("store: kind %s was not opened", k.Item))
	}
	return t
}

// Exec runs a statement without a result.
func (tx *Tx) Exec(ctx context.Context, sql string, args ...any) error {
	return tx.conn.Query(ctx, sql, args, nil)
}

// Query runs a statement and calls each with every row of its result.
func (tx *Tx) Query(ctx context.Context, sql string, args []any, each func(sqldb.Row) error) error {
	return tx.conn.Query(ctx, sql, args, each)
}

// Shared reports whether other processes may write the database too.
func (tx *Tx) Shared() bool { return tx.store.Shared() }

// Nth returns how often it was called with a name in the transaction, this call included.
func (tx *Tx) Nth(name string) int {
	if tx.times == nil {
		tx.times = map[string]int{}
	}
	tx.times[name]++
	return tx.times[name]
}

// Dialect returns what the database writes otherwise than the other one.
func (tx *Tx) Dialect() *sqldb.Dialect { return tx.store.database.Dialect() }

// One runs a statement that returns at most one row, and returns ErrNotFound for none.
func (tx *Tx) One(ctx context.Context, sql string, args []any, each func(sqldb.Row) error) error {
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
