package sqldb

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Limits of the connection, for addresses that do not set them.
const (
	connectTimeout   = 3 * time.Second
	statementTimeout = "7s"
	maxConns         = 16
	maxTries         = 20
)

// noTimeout removes the limit of time for the statements of a transaction.
const noTimeout = "SET LOCAL statement_timeout = 0"

// LockMigrations takes the advisory lock of starting nodes on PostgreSQL. Waiting for it, and what follows, may
// take long.
var LockMigrations = []string{noTimeout, "SET LOCAL lock_timeout = 0", "SELECT pg_advisory_xact_lock(7166451)"}

// A Postgres is a PostgreSQL database, used through a connection pool.
type Postgres struct {
	pool *pgxpool.Pool
	time time.Duration // limit for a transaction, 0 for none
	ran  atomic.Int64  // statements

	opened   time.Time
	answered atomic.Int64 // when a statement last had an answer, as a time.Duration since opened
	retries  atomic.Int64
}

func openPostgres(ctx context.Context, address string) (Database, error) {
	cfg, err := PostgresConfig(address)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	db := &Postgres{pool: pool, opened: time.Now()}
	if db.time, err = transactionTime(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return db, nil
}

// transactionTime returns the time limit for a transaction: that of a statement, and at least a few round
// trips.
func transactionTime(ctx context.Context, pool *pgxpool.Pool) (time.Duration, error) {
	var ms int64
	err := pool.QueryRow(ctx, "SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout'").Scan(&ms)
	if err != nil || ms == 0 {
		return 0, err
	}
	return max(time.Duration(ms)*time.Millisecond, connectTimeout), nil
}

// limit returns a context with the time limit of a transaction, which holds even when the server does not
// answer.
func (db *Postgres) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if db.time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, db.time)
}

// PostgresConfig reads an address and adds the limits that it does not set.
func PostgresConfig(address string) (*pgxpool.Config, error) {
	cfg, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("the address of the PostgreSQL database does not parse: %w", err)
	}
	cc := cfg.ConnConfig
	if mode := cc.DefaultQueryExecMode; mode == pgx.QueryExecModeExec || mode == pgx.QueryExecModeSimpleProtocol {
		return nil, errors.New("default_query_exec_mode in the address must be one with binary results, " +
			"such as cache_describe")
	}
	if cc.ConnectTimeout == 0 {
		cc.ConnectTimeout = connectTimeout
	}
	setDefault(cc.RuntimeParams, "statement_timeout", statementTimeout)
	setDefault(cc.RuntimeParams, "application_name", "muster")
	if !strings.Contains(address, "pool_max_conns=") {
		cfg.MaxConns = maxConns
	}
	if cfg.PingTimeout == 0 {
		cfg.PingTimeout = connectTimeout
	}
	return cfg, nil
}

// CheckEncoding returns an error for a database that cannot store all Unicode text.
func CheckEncoding(ctx context.Context, c Conn) error {
	const sql = "SELECT pg_encoding_to_char(encoding)::text FROM pg_database WHERE datname = current_database()"
	return c.Query(ctx, sql, nil, func(r Row) error {
		if encoding := string(r.Bytes(0, nil)); encoding != "UTF8" {
			return fmt.Errorf("the database has the encoding %s, in which not all text can be stored: "+
				"make one with createdb --encoding UTF8 --template template0", encoding)
		}
		return nil
	})
}

func setDefault(params map[string]string, name, value string) {
	if params[name] == "" {
		params[name] = value
	}
}

// Single returns the database with a single connection of its own, to the primary server: a standby would be
// behind.
func (db *Postgres) Single(ctx context.Context) (*Postgres, error) {
	cfg := db.pool.Config()
	cfg.MaxConns, cfg.MinConns, cfg.MinIdleConns = 1, 0, 0
	cfg.ConnConfig.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return &Postgres{pool: pool, time: db.time, opened: time.Now()}, nil
}

// Stats returns the present metrics.
func (db *Postgres) Stats() Stats {
	now := db.pool.Stat()
	return Stats{Ran: db.ran.Load(), Retries: db.retries.Load(), Pool: &Pool{
		Most: int64(now.MaxConns()), Open: int64(now.TotalConns()), Busy: int64(now.AcquiredConns()),
		Waits: now.EmptyAcquireCount(),
	}}
}

// Dialect returns PostgreSQL's dialect.
func (db *Postgres) Dialect() *Dialect { return &PostgresDialect }

// Close closes the connections once all transactions have ended. It never fails.
func (db *Postgres) Close() error {
	db.pool.Close()
	return nil
}

// View runs f in a transaction with one snapshot.
func (db *Postgres) View(ctx context.Context, f func(Conn) error) error {
	return db.run(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, f)
}

// Read runs f, which makes a single query, on a connection without a transaction.
func (db *Postgres) Read(ctx context.Context, f func(Conn) error) error {
	begun := time.Now()
	ctx, cancel := db.limit(ctx)
	defer cancel()
	err := db.readOnce(ctx, f)
	if err != nil && pgconn.SafeToRetry(err) { // the connection died while it was idle
		err = db.readOnce(ctx, f)
	}
	return db.explain(ctx, begun, err)
}

// readOnce runs f on one connection.
func (db *Postgres) readOnce(ctx context.Context, f func(Conn) error) error {
	c, err := db.acquire(ctx)
	if err != nil {
		return err
	}
	on := &PostgresConn{ctx: ctx, on: c, db: db}
	defer on.release(c)
	return f(on)
}

// Update runs f in a transaction that may change the database.
func (db *Postgres) Update(ctx context.Context, f func(Conn) error) error {
	return db.run(ctx, pgx.TxOptions{}, f)
}

// Snapshot is View without a time limit. It runs f once.
func (db *Postgres) Snapshot(ctx context.Context, f func(Conn) error) error {
	begun := time.Now()
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, db.pool, options, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, noTimeout); err != nil {
			return err
		}
		return f(&PostgresConn{ctx: ctx, on: tx, db: db})
	})
	return db.explain(ctx, begun, err)
}

// Migrate is Update without a time limit.
func (db *Postgres) Migrate(ctx context.Context, f func(Conn) error) error {
	return db.tries(ctx, pgx.TxOptions{}, f)
}

// run runs f in a transaction with a time limit.
func (db *Postgres) run(ctx context.Context, options pgx.TxOptions, f func(Conn) error) error {
	ctx, cancel := db.limit(ctx)
	defer cancel()
	return db.tries(ctx, options, f)
}

// lockRetries takes the advisory lock for retried transactions, which run one at a time: otherwise, when many
// change one record, some would never succeed.
const lockRetries = "SELECT pg_advisory_xact_lock(7166452)"

// tries runs f in a transaction, and retries after a conflict with another one, or when the connection was dead
// before anything was sent.
func (db *Postgres) tries(ctx context.Context, options pgx.TxOptions, f func(Conn) error) error {
	begun := time.Now()
	for try, beaten := 1, false; ; try++ {
		done := false
		err := db.begin(ctx, options, func(on *PostgresConn, tx pgx.Tx) error {
			if beaten {
				if _, err := tx.Exec(ctx, lockRetries); err != nil {
					return err
				}
			}
			err := f(on)
			done = err == nil
			return err
		})
		if err == nil {
			return nil
		}
		beaten = wasBeaten(err)
		if try < maxTries && ctx.Err() == nil && (beaten || notBegun(err)) {
			db.retries.Add(1)
			continue
		}
		if _, answered := errors.AsType[*pgconn.PgError](err); done && !answered && options.AccessMode != pgx.ReadOnly {
			return fmt.Errorf("%w: %w", ErrUncertain, err)
		}
		return db.explain(ctx, begun, err)
	}
}

// begin runs f in a transaction on a connection of the pool.
func (db *Postgres) begin(ctx context.Context, options pgx.TxOptions, f func(*PostgresConn, pgx.Tx) error) error {
	c, err := db.acquire(ctx)
	if err != nil {
		return err
	}
	on := &PostgresConn{ctx: ctx, db: db}
	defer on.release(c)
	return pgx.BeginTxFunc(ctx, beginner{c}, options, func(tx pgx.Tx) error {
		on.on = tx
		return f(on, tx)
	})
}

// A beginner marks errors of beginning a transaction, to distinguish them from later ones.
type beginner struct{ *pgxpool.Conn }

// errBegin marks a transaction that did not begin.
var errBegin = fmt.Errorf("%w: no transaction can begin", ErrUnavailable)

func (b beginner) BeginTx(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error) {
	tx, err := b.Conn.BeginTx(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBegin, err)
	}
	return tx, nil
}

// wasBeaten reports whether an error is a conflict with another transaction. A value that was taken in the
// meantime is among these, and a record that was deleted or referred to: the retry then reports the proper
// error.
func wasBeaten(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return errors.Is(err, ErrAgain) || ok && slices.Contains([]string{"40001", "40P01", "23505", "23503"}, e.Code)
}

// notBegun reports whether a transaction did not begin because its connection was dead. It is false for a
// server that is down, since the pool has waited for that already.
func notBegun(err error) bool {
	_, down := errors.AsType[*pgconn.ConnectError](err)
	return !down && (errors.Is(err, errBegin) || pgconn.SafeToRetry(err))
}

// A PostgresConn is a transaction of PostgreSQL, or a connection for statements without one. Its queries end
// with the transaction's context, which has the stricter limit, rather than with that of the call.
type PostgresConn struct {
	ctx context.Context
	on  interface {
		Query(context.Context, string, ...any) (pgx.Rows, error)
	}
	db    *Postgres // counts statements and answers, nil for nobody
	large bool      // a statement had large values
}

// NewPostgresConn returns a connection for a transaction that was begun elsewhere.
func NewPostgresConn(ctx context.Context, tx pgx.Tx) *PostgresConn {
	return &PostgresConn{ctx: ctx, on: tx}
}

// largeValues is the size in bytes of one statement's or row's values from which on the connection would keep
// too much memory.
const largeValues = 1 << 20

// release returns the connection to the pool. A connection keeps the memory of the largest values that it had,
// so one that had large ones is closed.
func (c *PostgresConn) release(to *pgxpool.Conn) {
	if c.large {
		_ = to.Conn().Close(c.ctx) // the pool opens another
	}
	to.Release()
}

// Query implements Conn.
func (c *PostgresConn) Query(_ context.Context, sql string, args []any, each func(Row) error) error {
	err := c.query(sql, args, each)
	if c.db != nil {
		c.db.ran.Add(1)
		c.db.noteAnswer(err)
	}
	return err
}

// query runs a statement.
func (c *PostgresConn) query(sql string, args []any, each func(Row) error) error {
	size := 0
	for _, arg := range args {
		switch v := arg.(type) {
		case []byte:
			size += len(v)
		case string:
			size += len(v)
		}
	}
	c.large = c.large || size > largeValues
	rows, err := c.on.Query(c.ctx, sql, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if !c.large {
			c.large = isLarge(rows.RawValues())
		}
		if each == nil {
			continue
		}
		if err := each(postgresRow(rows.RawValues())); err != nil {
			return err
		}
	}
	return rows.Err()
}

// isLarge reports whether a row has large values.
func isLarge(values [][]byte) bool {
	size := 0
	for _, v := range values {
		size += len(v)
	}
	return size > largeValues
}

// Later implements Conn: it runs the statement at once.
func (c *PostgresConn) Later(ctx context.Context, sql string, args []any) error {
	return c.Query(ctx, sql, args, nil)
}

// A postgresRow is a row in PostgreSQL's binary format.
type postgresRow [][]byte

func (r postgresRow) Null(i int) bool { return r[i] == nil }

func (r postgresRow) Int(i int) int64 {
	if r[i] == nil {
		return 0
	}
	return int64(binary.BigEndian.Uint64(r[i])) // all our integers are BIGINT
}

func (r postgresRow) Bytes(i int, b []byte) []byte { return append(b, r[i]...) }
