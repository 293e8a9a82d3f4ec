package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// migrations are the steps that made the tables that are no kind's, in order;
// a step is never changed once released. The tables of kinds follow from the
// declarations, see sync.go.
var migrations = []string{
	`CREATE TABLE meta (name {text} PRIMARY KEY, value {blob} NOT NULL);
	CREATE TABLE counters (name {text} PRIMARY KEY, value BIGINT NOT NULL);
	CREATE TABLE layouts (number BIGINT PRIMARY KEY, kind {text} NOT NULL, layout {text} NOT NULL, UNIQUE (kind, layout));
	CREATE TABLE credentials (user_id BIGINT PRIMARY KEY, digest {blob}, sign_in {text})`,

	`CREATE TABLE creations (user_id BIGINT, path {text}, key {text}, body {blob} NOT NULL, record_id BIGINT NOT NULL, created_at BIGINT NOT NULL,
		PRIMARY KEY (user_id, path, key));
	CREATE INDEX creations_created_at ON creations (created_at)`,
}

// lockMigrations is the advisory lock that starting nodes take on PostgreSQL.
// Waiting for it, and what follows, may take longer than other statements.
var lockMigrations = []string{"SET LOCAL statement_timeout = 0", "SELECT pg_advisory_xact_lock(7166451)"}

// migrate brings the database up to date in one transaction, so that it is
// either the old or the new one, and one starting process waits for another.
func (s *Store) migrate(ctx context.Context) error {
	err := s.database.migrate(ctx, func(c conn) error {
		tx := &Tx{s, c}
		if err := tx.lock(ctx); err != nil {
			return err
		}
		if err := tx.steps(ctx); err != nil {
			return err
		}
		for _, k := range s.kinds {
			if err := tx.sync(ctx, s.tables[k]); err != nil {
				return fmt.Errorf("table %s: %w", k.Path(), err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.View(ctx, func(tx *Tx) error {
		for _, t := range s.tables {
			if err := tx.loadLayouts(ctx, t); err != nil {
				return err
			}
		}
		return nil
	})
}

// lock waits for other processes that bring the database up to date.
func (tx *Tx) lock(ctx context.Context) error {
	if !tx.store.Shared() {
		return nil // SQLite has one writer
	}
	for _, statement := range lockMigrations {
		if err := tx.exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// steps runs the migrations that the database lacks.
func (tx *Tx) steps(ctx context.Context) error {
	have, err := tx.names(ctx, tx.store.database.dialect().columns, "migrations")
	if err == nil && len(have) == 0 {
		if tx.store.frozen {
			return ErrMissing
		}
		err = tx.ddl(ctx, "CREATE TABLE migrations (number BIGINT PRIMARY KEY)")
	}
	if err != nil {
		return err
	}
	var done int64
	err = tx.one(ctx, "SELECT coalesce(max(number), 0) FROM migrations", nil, func(r row) error {
		done = r.int(0)
		return nil
	})
	if err != nil {
		return err
	}
	if done > int64(len(migrations)) {
		return tooNew(fmt.Sprintf("it is at step %d, this program knows %d", done, len(migrations)))
	}
	for i := int(done); i < len(migrations); i++ {
		for statement := range strings.SplitSeq(migrations[i], ";\n") {
			if err := tx.ddl(ctx, statement); err != nil {
				return fmt.Errorf("step %d: %w", i+1, err)
			}
		}
		if err := tx.exec(ctx, "INSERT INTO migrations (number) VALUES ($1)", int64(i+1)); err != nil {
			return err
		}
	}
	return nil
}

// tooNew returns the error of a database that a newer version has written.
func tooNew(detail string) error {
	return errors.New("the database was written by a newer version of Muster (" + detail +
		"): install that version, or restore a backup that was made before it")
}

// ddl runs a statement that changes tables; a dialect completes its column
// types.
func (tx *Tx) ddl(ctx context.Context, sql string) error {
	if tx.store.frozen {
		return ErrOutdated
	}
	return tx.exec(ctx, tx.store.database.dialect().types.Replace(sql))
}
