package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"muster/internal/index"
	"muster/internal/kind"
)

// An indexed table answers lists from memory: which records match and which of
// them are on a page. The rows themselves are read from the table. On SQLite the
// writer keeps it, on PostgreSQL a follower of the feed.
type indexed struct {
	*index.Index
	texts, numbers int
	sql            string // reads what the index keeps, up to WHERE
}

// indexes are those of all kinds.
type indexes map[*kind.Schema]*indexed

// newIndexed returns the index of a table, empty.
func newIndexed(t *table) *indexed {
	x := &indexed{Index: index.New(t.kind, fold)}
	columns := []string{"r.id", "r." + versionColumn}
	apart := false
	for _, f := range x.Texts() {
		columns = append(columns, "r."+f.Column()+"_folded")
	}
	for _, f := range x.Numbers() {
		column := stored(f)
		if shownColumns(f) != nil {
			column += "_id"
		}
		apart = apart || f.Apart
		columns = append(columns, column)
	}
	x.texts, x.numbers = len(x.Texts()), len(x.Numbers())
	x.sql = "SELECT " + strings.Join(columns, ", ") + " FROM " + t.name + " r"
	if apart {
		x.sql += joinApart(t.kind)
	}
	return x
}

// read makes the index know the rows of a statement at a stamp, and returns
// their ids.
func (x *indexed) read(ctx context.Context, c conn, stamp int64, where string, args ...any) (ids []int64, err error) {
	row1 := index.Row{Texts: make([]string, x.texts), Numbers: make([]int64, x.numbers)}
	var buf []byte
	err = c.query(ctx, x.sql+where, args, func(r row) error {
		row1.ID, row1.Version = r.int(0), r.int(1)
		for i := range row1.Texts {
			buf = r.bytes(i+2, buf[:0])
			row1.Texts[i] = string(buf)
		}
		for i := range row1.Numbers {
			if row1.Numbers[i] = index.Null; !r.null(i + 2 + x.texts) {
				row1.Numbers[i] = r.int(i + 2 + x.texts)
			}
		}
		x.Set(stamp, row1)
		ids = append(ids, row1.ID)
		return nil
	})
	return ids, err
}

// openIndexes reads what the indexes keep of all records.
func (s *Store) openIndexes(ctx context.Context) error {
	if s.frozen {
		return nil
	}
	if db, ok := s.database.(*postgresDB); ok {
		return s.follow(db)
	}
	db := s.database.(*sqliteDB)
	all := indexes{}
	err := s.View(ctx, func(tx *Tx) error {
		for _, k := range s.kinds {
			all[k] = newIndexed(s.tables[k])
			if _, err := all[k].read(ctx, tx.conn, 0, " ORDER BY r.id"); err != nil {
				return fmt.Errorf("index %s: %w", k.Path(), err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return db.writer.run(ctx, func(c conn) error { // in its turn, so that it sees all changes after it
		s.indexes.Store(&all)
		c.(*sqliteConn).touched = map[*table]touched{}
		db.writer.committing = func() { s.doubt(c.(*sqliteConn)) }
		db.writer.ended = func() { s.renew(c.(*sqliteConn)) }
		return nil
	})
}

// touched are the records of a table that a transaction has changed: true for
// those that the index must read again, false where something has changed that
// it does not keep.
type touched map[int64]bool

// touch notes that the index must read records again once the transaction is
// committed.
func (tx *Tx) touch(t *table, ids ...int64) { tx.mark(t, true, ids) }

// touchAll is touch of a record and of the one that it is below, which may show
// something of it.
func (tx *Tx) touchAll(t *table, rec any) {
	tx.touch(t, t.kind.Meta(rec).ID)
	if parent := t.kind.Parent(); parent != nil {
		tx.touchShown(tx.table(parent.Target.Stored()), t.kind.Values(rec).Ref(parent).ID)
	}
}

// touchShown notes that something has changed that is shown of records, and that
// the index does not keep.
func (tx *Tx) touchShown(t *table, ids ...int64) { tx.mark(t, false, ids) }

// touchCounted is touchShown of records in the table with the given name, whose
// counts are kept by statements of their own.
func (tx *Tx) touchCounted(name string, ids ...int64) {
	for _, t := range tx.store.tables {
		if t.name == name {
			tx.touchShown(t, ids...)
		}
	}
}

func (tx *Tx) mark(t *table, again bool, ids []int64) {
	all := tx.touched
	if c, ok := tx.conn.(*sqliteConn); ok {
		all = c.touched
	}
	if all == nil {
		return
	}
	for _, id := range ids {
		if all[t] == nil {
			all[t] = touched{}
		}
		all[t][id] = again || all[t][id]
	}
}

// doubt makes what was made of touched records no good from now on: others may
// see the change as soon as it is committed.
func (s *Store) doubt(c *sqliteConn) {
	all := s.indexes.Load()
	for t, ids := range c.touched {
		if all != nil {
			(*all)[t.kind].Touch(index.Later, slices.Collect(maps.Keys(ids))...)
		}
	}
}

// renew makes the indexes know what a transaction has changed. It runs before
// those who changed it are told, so that their next list has it; and after one
// that could not be committed, since then too its records are certain again.
// What cannot be read makes the indexes worthless, and the tables answer.
func (s *Store) renew(c *sqliteConn) {
	all, stamp := s.indexes.Load(), s.clock.Add(1)
	for t, ids := range c.touched {
		if all == nil {
			return
		}
		if err := (*all)[t.kind].renew(context.Background(), c, stamp, ids); err != nil {
			s.indexes.Store(nil)
			return
		}
	}
	clear(c.touched)
}

// renew makes the index know records as they are now.
func (x *indexed) renew(ctx context.Context, c conn, stamp int64, touched touched) error {
	var rest, shown []int64
	for id, again := range touched {
		if again {
			rest = append(rest, id)
		} else {
			shown = append(shown, id)
		}
	}
	x.Touch(stamp, shown...)
	for len(rest) > 0 {
		n := min(len(rest), batches[len(batches)-1])
		args := batched(rest[:n])
		there, err := x.read(ctx, c, stamp, " WHERE r.id IN ("+placeholders(len(args))+")", args...)
		if err != nil {
			return err
		}
		for _, id := range there {
			delete(touched, id)
		}
		rest = rest[n:]
	}
	for id, again := range touched { // the others are gone
		if again {
			x.Remove(stamp, id)
		}
	}
	return nil
}

// fromIndex answers a list from memory; not ok when that cannot be done, or when
// a record has changed between the look at the index and at the table.
func (tx *Tx) fromIndex(ctx context.Context, k *kind.Schema, q *kind.Query) (page kind.Page, ok bool, err error) {
	if !tx.lists {
		return page, false, nil
	}
	glance := tx.store.Glance(ctx, k)
	if glance == nil {
		return page, false, nil
	}
	var hits []index.Hit
	if page.Position, hits, ok = glance.Find(k, q); ok {
		page.Records, ok, err = tx.Hits(ctx, k, q, hits)
	}
	return page, ok, err
}

// Hits returns the records that an index has found for a query, in their order;
// not ok when one of them has changed since, so that another page may be right.
func (tx *Tx) Hits(ctx context.Context, k *kind.Schema, q *kind.Query, hits []index.Hit) (recs []any, ok bool, err error) {
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	recs, err = tx.Rows(ctx, k, ids)
	if err != nil || len(recs) != len(hits) {
		return nil, false, err
	}
	for i, rec := range recs {
		if k.Meta(rec).Version != hits[i].Version || !apartHolds(k, q, rec) {
			return nil, false, nil
		}
	}
	return recs, true, nil
}

// apartHolds reports whether what is apart of a record, which changes without
// its version, is still what the query asks for.
func apartHolds(k *kind.Schema, q *kind.Query, rec any) bool {
	v := k.Values(rec)
	for _, c := range q.Conds {
		if !c.Field.Apart {
			continue
		}
		at := *v.Time(c.Field)
		if at.IsZero() && c.Else != nil {
			at = *v.Time(c.Else)
		}
		holds := false
		for _, t := range c.Any {
			holds = holds || t.Null && at.IsZero() || t.Range && !at.IsZero() && t.Min <= at.Unix() && at.Unix() <= t.Max
		}
		if !holds {
			return false
		}
	}
	return true
}
