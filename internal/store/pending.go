package store

import (
	"context"
	"fmt"
	"time"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// lockChain takes the advisory lock for adding pending records to a chain on PostgreSQL.
const lockChain = "SELECT pg_advisory_xact_lock(7166453)"

// chainedAtOnce is how many pending records one transaction adds at most.
const chainedAtOnce = 1000

// Chain adds the pending records of a chained kind, whose changes were committed before, to the chain. It is
// called before such records are read, so that everybody sees their own changes, and at intervals.
//
// Ids and hashes are assigned here, under a lock, so that ids have no gaps and rise in the order in which
// records become visible. Records are added in the order of their pending ids. A change takes its pending id
// after it has changed its record, which is then locked until the commit; so the changes of one record are
// added in the order in which they were made.
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

// chainSome adds one batch of pending records. Callers of this process wait for each other here, where they
// occupy no connection.
func (s *Store) chainSome(ctx context.Context, k *kind.Schema) (n int, err error) {
	begun := time.Now()
	select {
	case s.chaining <- struct{}{}:
		defer func() { <-s.chaining }()
	case <-ctx.Done():
		return 0, Waited(ctx, begun)
	}
	err = s.Update(ctx, func(tx *Tx) error {
		if err := tx.Exec(ctx, lockChain); err != nil {
			return err
		}
		n, err = tx.chain(ctx, tx.table(k))
		return err
	})
	return n, err
}

// hasPending reports whether there are pending records.
func (tx *Tx) hasPending(ctx context.Context, t *mapping.Table) (has bool, err error) {
	err = tx.Query(ctx, "SELECT id FROM "+t.Chain.Pending+" LIMIT 1", nil, func(sqldb.Row) error {
		has = true
		return nil
	})
	return has, err
}

// chain moves a batch of pending records to the end of the chain, and returns their number.
func (tx *Tx) chain(ctx context.Context, t *mapping.Table) (int, error) {
	var recs []any
	var ids []int64
	s := mapping.Scanner{Table: t, Selection: &t.Chain.Waiting}
	sql := t.Chain.Waiting.Sql + "r.id > 0 ORDER BY r.id LIMIT $1"
	err := tx.Query(ctx, sql, []any{int64(chainedAtOnce)}, func(r sqldb.Row) error {
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
	return len(ids), tx.Exec(ctx, fmt.Sprintf("DELETE FROM %s WHERE id IN (%s)", t.Chain.Pending,
		sqldb.Placeholders(len(args))), args...)
}

// chainAll moves all pending records to the chain of an SQLite file. There are some after a restore from a
// PostgreSQL backup.
func (tx *Tx) chainAll(ctx context.Context, t *mapping.Table) error {
	for {
		if n, err := tx.chain(ctx, t); err != nil || n == 0 {
			return err
		}
	}
}
