package store

import (
	"context"
	"errors"
	"time"

	"muster/internal/store/sqldb"
)

// A position is how far a node has read the feed. Transactions commit in another order than they begin, so it
// cannot be a single number: it is a snapshot, from which PostgreSQL determines exactly which transactions it
// did not include, however long they take.
type position struct {
	snapshot string
	server   int64 // when it was started: another one has other transaction numbers
	feed     int64 // the table's oid: another one is a restored database
	at       int64 // the server's time, in milliseconds
}

// How long rows of the feed are kept, and the age of a position from which on a node reloads its indexes
// instead of reading the feed.
const (
	feedKept    = 2 * time.Minute
	mostAway    = feedKept / 2
	mostTouched = 100_000
)

// errReload is returned when the feed does not have all changes.
var errReload = errors.New("the records must be read again")

const here = `SELECT pg_current_snapshot()::text AS snapshot, (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint AS server,
	to_regclass('feed')::oid::bigint AS feed, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at`

const since = "WITH here AS MATERIALIZED (" + here + `) SELECT here.*, new.kind, new.id FROM here LEFT JOIN (
	SELECT kind, unnest(ids) AS id FROM feed
	WHERE xact >= pg_snapshot_xmax($1::text::pg_snapshot) OR xact = ANY (ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot)))) new ON true`

// readPosition returns the position of a transaction with a snapshot.
func readPosition(ctx context.Context, c sqldb.Conn) (p position, err error) {
	err = c.Query(ctx, here, nil, func(r sqldb.Row) error {
		p.scan(r)
		return nil
	})
	return p, err
}

func (p *position) scan(r sqldb.Row) {
	p.snapshot, p.server, p.feed, p.at = string(r.Bytes(0, nil)), r.Int(1), r.Int(2), r.Int(3)
}

// since returns the present position, and the ids of the records that have changed since p, by their tables.
func (p *position) since(ctx context.Context, c sqldb.Conn) (now position, changed map[string]touched, err error) {
	changed = map[string]touched{}
	n := 0
	err = c.Query(ctx, since, []any{p.snapshot}, func(r sqldb.Row) error {
		if now.scan(r); r.Null(4) {
			return nil
		}
		kind := string(r.Bytes(4, nil))
		if changed[kind] == nil {
			changed[kind] = touched{}
		}
		changed[kind][r.Int(5)] = anyTouch
		if n++; n > mostTouched {
			return errReload
		}
		return nil
	})
	if err == nil && (changed[everything] != nil || !now.follows(p)) {
		err = errReload
	}
	return now, changed, err
}

// follows reports whether the feed has all rows since another position.
func (p *position) follows(old *position) bool {
	away := time.Duration(p.at-old.at) * time.Millisecond
	return p.server == old.server && p.feed == old.feed && away < mostAway
}

// Old rows are removed by one node at a time, in batches, so that no look waits long.
const (
	sweepEvery  = 15 * time.Second
	sweepAtOnce = 5000
	sweepFeed   = `DELETE FROM feed WHERE ctid = ANY (ARRAY(SELECT ctid FROM feed
		WHERE at < now() - $1::bigint * interval '1 millisecond' AND (SELECT pg_try_advisory_xact_lock(7166454)) LIMIT $2)) RETURNING xact`
)

// sweep removes old rows, if it is time to.
func (f *follower) sweep(ctx context.Context) error {
	if time.Since(f.swept) < sweepEvery {
		return nil
	}
	n := 0
	err := f.db.Read(ctx, func(c sqldb.Conn) error {
		return c.Query(ctx, sweepFeed, []any{feedKept.Milliseconds(), int64(sweepAtOnce)}, func(sqldb.Row) error {
			n++
			return nil
		})
	})
	if n < sweepAtOnce {
		f.swept = time.Now()
	}
	return err
}
