package store

import (
	"context"

	"muster/internal/kind"
)

// Total returns how many records match the query, whatever its page is. No
// record is read where memory can tell.
func (s *Store) Total(ctx context.Context, k *kind.Schema, q *kind.Query) (total int, err error) {
	all := *q
	all.Page, all.PerPage, all.ByID, all.Sort, all.Desc = 1, 0, false, nil, false
	if glance := s.glanceFor(ctx, k, &all); glance != nil {
		if at, _, ok := glance.Find(k, &all); ok {
			return at.Total, nil
		}
	}
	ok, err := s.jointly(ctx, &all, func(tx *Tx) (ok bool, err error) {
		total, _, ok, err = tx.findAmong(ctx, k, &all)
		return ok, err
	})
	if ok || err != nil {
		return total, err
	}
	err = s.View(ctx, func(tx *Tx) (err error) {
		var ok bool
		if total, _, ok, err = tx.findAmong(ctx, k, &all); ok || err != nil {
			return err
		}
		tx.store.lists[FromTables].Add(1)
		w := where{kind: k, today: all.Today, dialect: tx.store.database.dialect()}
		w.query(&all)
		total, err = tx.total(ctx, &w)
		return err
	})
	return total, err
}

// total counts what a condition chooses.
func (tx *Tx) total(ctx context.Context, w *where) (total int, err error) {
	err = tx.one(ctx, "SELECT count(*) FROM "+w.from()+w.text(), w.args, func(r row) error {
		total = int(r.int(0))
		return nil
	})
	return total, err
}
