package store

import (
	"context"

	"muster/internal/index"
	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// Total returns how many records match the query, ignoring its page. If the index can answer, no row is read.
func (s *Store) Total(ctx context.Context, k *kind.Schema, q *kind.Query) (int, error) {
	all := *q
	all.Page, all.PerPage, all.ByID, all.Sort, all.Desc = 1, 0, false, nil, false
	asked := &totalQuestion{kind: k, query: &all}
	why, err := s.ask(ctx, k, &all, nil, asked)
	if err == nil {
		s.count(why)
	}
	return asked.total, err
}

// A totalQuestion asks how many records a list has.
type totalQuestion struct {
	kind  *kind.Schema
	query *kind.Query
	total int
}

func (t *totalQuestion) readsRows() bool { return false }

func (t *totalQuestion) inIndex(x *index.Index, q *kind.Query, among *chosen) (ok bool) {
	t.total, _, ok = among.find(x, q)
	return ok
}

func (t *totalQuestion) read(context.Context, *Tx) (bool, error) { return true, nil }

func (t *totalQuestion) inTables(ctx context.Context, tx *Tx) (err error) {
	w := mapping.Where{Kind: t.kind, Today: t.query.Today, Dialect: tx.Dialect()}
	w.Query(t.query)
	t.total, err = tx.total(ctx, &w)
	return err
}

// total counts the records that match a condition.
func (tx *Tx) total(ctx context.Context, w *mapping.Where) (total int, err error) {
	err = tx.One(ctx, "SELECT count(*) FROM "+w.From()+w.Text(), w.Args, func(r sqldb.Row) error {
		total = int(r.Int(0))
		return nil
	})
	return total, err
}
