package store

import (
	"context"
	"fmt"
	"time"

	"muster/internal/index"
	"muster/internal/kind"
	"muster/internal/store/plan"
	"muster/internal/store/sqldb"
)

// Int runs a statement and returns the number in its last row.
func (tx *Tx) Int(ctx context.Context, sql string, args ...any) (n int64, err error) {
	err = tx.One(ctx, sql, args, func(r sqldb.Row) error {
		n = r.Int(0)
		return nil
	})
	return n, err
}

// Steps are the migrations, for tests that add one.
func Steps() *[]string { return &migrations }

// Migrate brings the database up to date again, as Open does.
func (s *Store) Migrate(ctx context.Context) error { return s.migrate(ctx) }

// Texts runs a statement and returns the texts in its first column.
func (tx *Tx) Texts(ctx context.Context, sql string) (texts []string, err error) {
	err = tx.Query(ctx, sql, nil, func(r sqldb.Row) error {
		texts = append(texts, string(r.Bytes(0, nil)))
		return nil
	})
	return texts, err
}

// Lock takes the lock of migrations.
func (tx *Tx) Lock(ctx context.Context) error { return tx.lock(ctx) }

// Empty reports whether there is no record of a kind.
func (tx *Tx) Empty(ctx context.Context, k *kind.Schema) (empty bool, err error) {
	empty = true
	err = tx.Query(ctx, "SELECT id FROM "+k.Path()+" LIMIT 1", nil, func(sqldb.Row) error {
		empty = false
		return nil
	})
	return empty, err
}

// GlanceMany sets from how many records on a glance does not count them.
func (s *Store) GlanceMany(n int) { s.samples.many = n }

// Unguard lets a chained kind be tampered with.
func (s *Store) Unguard(ctx context.Context, k *kind.Schema) error {
	return s.Update(ctx, func(tx *Tx) error { return tx.unguard(ctx, tx.table(k)) })
}

// FromIndex answers a list by the index, ok if that can be done.
func (s *Store) FromIndex(ctx context.Context, k *kind.Schema, q *kind.Query) (kind.Page, bool, error) {
	asked := &pageQuestion{kind: k, query: q}
	why, err := s.ask(ctx, k, q, nil, asked)
	return asked.page, why.Way() == plan.Index, err
}

// HasIndexes reports whether lists may be answered from memory.
func (s *Store) HasIndexes() bool { return s.indexes.Load() != nil }

// Crowd makes the index of a kind know so many values of each text, as if records
// had them that are gone.
func (s *Store) Crowd(k *kind.Schema, values int64) {
	const far = 1 << 40
	x := (*s.indexes.Load())[k]
	for i := range values {
		r := index.Row{ID: far + i, Texts: make([][]byte, len(x.texts)), Numbers: make([]int64, len(x.numbers)),
			Names: make([][]byte, len(x.names))}
		for j := range r.Texts {
			r.Texts[j] = fmt.Append(nil, i)
		}
		x.Set(0, r)
	}
	for i := range values {
		x.Remove(0, far+i)
	}
}

// Hold keeps a node from looking at the feed until release is called.
func (s *Store) Hold() (release func()) {
	s.follower.turn.Lock()
	return s.follower.turn.Unlock
}

// Wait makes lists wait for a look at the feed for so long.
func (s *Store) Wait(d time.Duration) {
	if s.follower != nil {
		s.follower.lookTime = d
	}
}

// Looks returns when a node last looked at the feed.
func (s *Store) Looks() int64 { return s.follower.looked.Load() }

// Awaited reports whether somebody waits for a node to look at the feed.
func (s *Store) Awaited() bool {
	s.follower.mu.Lock()
	defer s.follower.mu.Unlock()
	return s.follower.next != nil
}

// Away makes a node believe that its last look at the feed was so long ago.
func (s *Store) Away(d time.Duration) {
	defer s.Hold()()
	s.follower.position.at -= d.Milliseconds()
}

// Sweep removes old rows from the feed.
func (s *Store) Sweep(ctx context.Context) error {
	defer s.Hold()()
	s.follower.swept = time.Time{}
	return s.follower.sweep(ctx)
}

// ReloadAll makes all nodes reload their indexes.
func (tx *Tx) ReloadAll(ctx context.Context) error {
	tx.alters = true
	return tx.feedReload(ctx)
}

// CountsFromIndex counts values by the index, ok if that can be done.
func (s *Store) CountsFromIndex(ctx context.Context, k *kind.Schema, q *kind.Query,
	f *kind.Field) ([]kind.Count, bool, error) {
	asked := &countsQuestion{kind: k, query: q, field: f}
	why, err := s.ask(ctx, k, q, f, asked)
	return asked.counts, why.Way() == plan.Index, err
}

// CountsFromTables counts values by the tables.
func (tx *Tx) CountsFromTables(ctx context.Context, k *kind.Schema, q *kind.Query,
	f *kind.Field) ([]kind.Count, error) {
	asked := &countsQuestion{kind: k, query: q, field: f}
	err := asked.inTables(ctx, tx)
	return asked.counts, err
}

// CountsAmong counts by a table of words or ties and the index together, ok if that
// can be done.
func (tx *Tx) CountsAmong(ctx context.Context, k *kind.Schema, q *kind.Query,
	f *kind.Field) ([]kind.Count, bool, error) {
	asked := &countsQuestion{kind: k, query: q, field: f}
	ok, err := tx.together(ctx, k, q, f, asked)
	return asked.counts, ok, err
}

// Among answers a list by a table of words or ties and the index together, ok if
// that can be done.
func (tx *Tx) Among(ctx context.Context, k *kind.Schema, q *kind.Query) (kind.Page, bool, error) {
	asked := &pageQuestion{kind: k, query: q}
	ok, err := tx.together(ctx, k, q, nil, asked)
	return asked.page, ok, err
}

// TotalAmong counts the records of a list by a table of words or ties and the index
// together, ok if that can be done.
func (tx *Tx) TotalAmong(ctx context.Context, k *kind.Schema, q *kind.Query) (total int, ok bool, err error) {
	asked := &totalQuestion{kind: k, query: q}
	ok, err = tx.together(ctx, k, q, nil, asked)
	return asked.total, ok, err
}

// together answers a question by a table of words or ties and the index together.
func (tx *Tx) together(ctx context.Context, k *kind.Schema, q *kind.Query, f *kind.Field,
	asked question) (ok bool, err error) {
	r := tx.request(k, q, f, asked)
	if r.why.Way() != plan.SearchThenIndex {
		return false, nil
	}
	why, err := r.amongChosen(ctx, tx)
	return why == r.why, err
}

// WithSearchAndIndex runs f in a transaction that may ask the index besides for a list; ok if f is.
func (s *Store) WithSearchAndIndex(
	ctx context.Context, k *kind.Schema, q *kind.Query, f func(*Tx) (bool, error),
) (ok bool, err error) {
	if s.follower != nil && !s.follower.isCurrent(ctx, false) {
		return false, nil
	}
	err = s.View(ctx, func(tx *Tx) (err error) {
		if ok, err = f(tx); err == nil && !ok && tx.stale && tx.indexAllowed {
			err = &staleError{s.lookedAt(k, q)}
		}
		return err
	})
	return ok, err
}
