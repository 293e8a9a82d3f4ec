package store

import (
	"context"
	"fmt"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// lockChain is the advisory lock of those who add pending records to a chain on
// PostgreSQL.
const lockChain = "SELECT pg_advisory_xact_lock(7166453)"

// chainedAtOnce is how many pending records one transaction adds at most.
const chainedAtOnce = 1000

// Chain adds all pending records of a chained kind whose changes have been
// committed before to the chain. It is called before such records are read, so
// that everybody sees their own changes, and now and then besides.
//
// Ids and hashes are given here, under a lock, so that ids rise without a gap in
// the order in which records can be seen. Of those that are there the order is
// that of their pending ids. A change takes its pending id when it has changed
// its record, which nobody else can until it is committed; so the changes of
// one record are added in the order in which they were made.
func (s *Store) Chain(ctx context.Context, k *kind.Schema) error {
	if !s.Shared() || !k.Chained {
		return nil // SQLite has one writer, which adds them itself
	}
	for n := chainedAtOnce; n == chainedAtOnce; {
		waiting := false
		err := s.Read(ctx, func(tx *Tx) (err error) {
			waiting, err = tx.hasPending(ctx, tx.table(k))
			return err
		})
		if err != nil || !waiting {
			return err
		}
		if n, err = s.chainSome(ctx, k); err != nil {
			return fmt.Errorf("add to the chain of %s: %w", k.Plural, err)
		}
	}
	return nil
}

// chainSome is one step of Chain. Those of this process wait for each other here,
// where it takes no connection.
func (s *Store) chainSome(ctx context.Context, k *kind.Schema) (n int, err error) {
	select {
	case s.chaining <- struct{}{}:
		defer func() { <-s.chaining }()
	case <-ctx.Done():
		return 0, fmt.Errorf("%w: %w", ErrUnavailable, context.Cause(ctx))
	}
	err = s.Update(ctx, func(tx *Tx) error {
		if err := tx.exec(ctx, lockChain); err != nil {
			return err
		}
		n, err = tx.chain(ctx, tx.table(k))
		return err
	})
	return n, err
}

// hasPending reports whether there are pending records.
func (tx *Tx) hasPending(ctx context.Context, t *mapping.Table) (has bool, err error) {
	err = tx.conn.Query(ctx, "SELECT id FROM "+t.Chain.Pending+" LIMIT 1", nil, func(sqldb.Row) error {
		has = true
		return nil
	})
	return has, err
}

// chain moves pending records to the end of the chain, and returns how many.
func (tx *Tx) chain(ctx context.Context, t *mapping.Table) (int, error) {
	var recs []any
	var ids []int64
	s := mapping.Scanner{Table: t, Selection: &t.Chain.Waiting}
	sql := t.Chain.Waiting.Sql + "r.id > 0 ORDER BY r.id LIMIT $1"
	err := tx.conn.Query(ctx, sql, []any{int64(chainedAtOnce)}, func(r sqldb.Row) error {
		rec := t.Kind.Empty(1)[0]
		recs, ids = append(recs, rec), append(ids, r.Int(0))
		return s.Scan(r, rec)
	})
	if err != nil || len(recs) == 0 {
		return 0, err
	}
	if err := tx.extend(ctx, t, recs); err != nil {
		return 0, err
	}
	args := sqldb.Batched(ids)
	return len(ids), tx.exec(ctx, fmt.Sprintf("DELETE FROM %s WHERE id IN (%s)", t.Chain.Pending,
		sqldb.Placeholders(len(args))), args...)
}

// chainAll moves all pending records to the chain of an SQLite file. It has some
// when a backup of PostgreSQL had them.
func (tx *Tx) chainAll(ctx context.Context, t *mapping.Table) error {
	for {
		if n, err := tx.chain(ctx, t); err != nil || n == 0 {
			return err
		}
	}
}
