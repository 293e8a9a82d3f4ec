package sqldb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// explain wraps the errors that callers distinguish: of a server that does not answer, and of work since begun for
// which there was not enough time.
func (db *Postgres) explain(ctx context.Context, begun time.Time, err error) error {
	if err == nil || errors.Is(err, ErrTooLong) {
		return err
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		if known := explainCode(e.Code, begun, err); known != nil {
			return known
		}
	}
	switch {
	case errors.Is(err, ErrAgain):
		return alwaysBeaten(err)
	case outOfTime(ctx) && db.answers():
		return tookTooLong(begun, err)
	case !errors.Is(err, ErrUnavailable) && (ctx.Err() != nil || isLost(err)):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// isLost reports whether an error is that of a connection, rather than of a statement.
func isLost(err error) bool {
	_, lost := errors.AsType[net.Error](err)
	return lost || pgconn.SafeToRetry(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// explainCode explains the error codes of a server that is shutting down, is out of connections or room, took too
// long, or had too many conflicts. It returns nil for any other.
func explainCode(code string, begun time.Time, err error) error {
	switch code {
	case "53100":
		return fmt.Errorf("%w: %w", ErrFull, err)
	case "57014", "25P03", "25P04": // the limits of a statement, of doing nothing in a transaction, and of one
		return tookTooLong(begun, err)
	case "55P03":
		return wasLocked(begun, err)
	}
	switch code[:min(2, len(code))] {
	case "40":
		return alwaysBeaten(err)
	case "08", "53", "57":
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// lately is how long ago the server has answered that is there, and how long it has to answer when it is asked.
const lately = time.Second

// answers reports whether the server answers. Work that ran out of time was then too much, or had to wait for too
// long.
func (db *Postgres) answers() bool {
	if time.Since(db.opened)-time.Duration(db.answered.Load()) < lately {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), lately)
	defer cancel()
	return db.pool.Ping(ctx) == nil
}

// noteAnswer remembers when a statement had an answer, if it had one.
func (db *Postgres) noteAnswer(err error) {
	if _, refused := errors.AsType[*pgconn.PgError](err); err == nil || refused {
		db.answered.Store(int64(time.Since(db.opened)))
	}
}

// acquire takes a connection from the pool, and waits for one if all are in use.
func (db *Postgres) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	begun := time.Now()
	c, err := db.pool.Acquire(ctx)
	if err != nil && outOfTime(ctx) && db.answers() {
		return nil, Waited(ctx, begun)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBegin, err)
	}
	return c, nil
}
