package store

import (
	"context"
	"slices"

	"muster/internal/index"
	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// List returns one page of the records that match the query, with the fields that lists show. plan.For decides
// how it is answered. with, if not nil, is run with the records in the transaction that has read them; it may
// be run several times.
func (s *Store) List(
	ctx context.Context, k *kind.Schema, q *kind.Query, with func(*Tx, []any) error,
) (kind.Page, error) {
	asked := &pageQuestion{kind: k, query: q, with: with}
	why, err := s.ask(ctx, k, q, nil, asked)
	if err == nil {
		s.count(why)
	}
	return asked.page, err
}

// List is Store.List for the state of this transaction. Store.List is faster.
func (tx *Tx) List(ctx context.Context, k *kind.Schema, q *kind.Query) (kind.Page, error) {
	asked := &pageQuestion{kind: k, query: q}
	why, err := tx.request(k, q, nil, asked).answerIn(ctx, tx)
	if err == nil {
		tx.store.count(why)
	}
	return asked.page, err
}

// A pageQuestion asks for one page of a list.
type pageQuestion struct {
	kind  *kind.Schema
	query *kind.Query
	with  func(*Tx, []any) error // run with the records, nil for nothing
	hits  []index.Hit
	page  kind.Page
}

func (p *pageQuestion) readsRows() bool { return true }

func (p *pageQuestion) inIndex(x *index.Index, q *kind.Query, among *chosen) bool {
	total, hits, ok := among.find(x, q)
	p.page.Position, p.hits = positionOf(q, total, hits)
	return ok
}

func (p *pageQuestion) read(ctx context.Context, tx *Tx) (ok bool, err error) {
	if p.page.Records, ok, err = tx.Hits(ctx, p.kind, p.query, p.hits); !ok || err != nil {
		return false, err
	}
	return true, p.finish(tx)
}

func (p *pageQuestion) inTables(ctx context.Context, tx *Tx) error {
	total, ids, err := tx.Find(ctx, p.kind, p.query)
	if err != nil {
		return err
	}
	p.page = kind.Page{Position: kind.Position{Number: p.query.Page, PerPage: p.query.PerPage, Total: total}}
	if p.query.ByID && len(ids) > p.query.PerPage {
		ids, p.page.More = ids[:p.query.PerPage], true
	}
	if p.page.Records, err = tx.rowsOf(ctx, p.kind, p.query, ids); err != nil {
		return err
	}
	return p.finish(tx)
}

// finish runs with, if there is one.
func (p *pageQuestion) finish(tx *Tx) error {
	if p.with == nil {
		return nil
	}
	return p.with(tx, p.page.Records)
}

// find asks the index for the page of a query, among the chosen records if there are any.
func (c *chosen) find(x *index.Index, q *kind.Query) (total int, hits []index.Hit, ok bool) {
	if c == nil {
		return x.Find(q)
	}
	total, hits, ok = x.FindAmong(q, c.ids)
	return total, hits, ok && (total == len(c.ids) || !c.all)
}

// All returns all records that match the query, ordered by id, with the fields that lists show.
func (tx *Tx) All(ctx context.Context, k *kind.Schema, q *kind.Query) (recs []any, err error) {
	part := *q
	part.ByID, part.PerPage = true, sqldb.Batches[len(sqldb.Batches)-1]
	for more := true; more; {
		page, err := tx.List(ctx, k, &part)
		if err != nil {
			return nil, err
		}
		recs = append(recs, page.Records...)
		if more = page.More; more {
			part.After = k.Meta(recs[len(recs)-1]).ID
		}
	}
	return recs, nil
}

// Find returns how many records match the query, and the ids on its page, in its order. A query by id returns
// one more, if there is one.
func (tx *Tx) Find(ctx context.Context, k *kind.Schema, q *kind.Query) (total int, ids []int64, err error) {
	w := mapping.Where{Kind: k, Today: q.Today, Dialect: tx.Dialect()}
	w.Query(q)
	total, err = tx.total(ctx, &w)
	first := (q.Page - 1) * q.PerPage
	if err != nil || !q.ByID && first >= total {
		return total, nil, err
	}
	if q.Sort != nil && q.Sort.Type != kind.ID {
		w.NeedRows()
	}
	order, limit := " ORDER BY "+w.Order(q), q.PerPage
	if q.ByID {
		first, limit = 0, q.PerPage+1
		w.Add("r.id > " + w.Param(q.After))
	}
	sql := "SELECT r.id FROM " + w.From() + w.Join + w.Text() + order +
		" LIMIT " + w.Param(int64(limit)) + " OFFSET " + w.Param(int64(first))
	err = tx.Query(ctx, sql, w.Args, func(r sqldb.Row) error {
		ids = append(ids, r.Int(0))
		return nil
	})
	return total, ids, err
}

// Rows returns the records with the given ids, in that order, with the fields that lists show. Ids without a
// record are skipped.
func (tx *Tx) Rows(ctx context.Context, k *kind.Schema, ids []int64) ([]any, error) {
	return tx.rowsWithin(ctx, k, ids, k.Share(len(ids)))
}

// rowsOf is Rows for the page of a query.
func (tx *Tx) rowsOf(ctx context.Context, k *kind.Schema, q *kind.Query, ids []int64) ([]any, error) {
	return tx.rowsWithin(ctx, k, ids, k.ShareOf(q))
}

// rowsWithin is Rows with a limit on the stored bytes of each record's counted collections.
func (tx *Tx) rowsWithin(ctx context.Context, k *kind.Schema, ids []int64, share int) ([]any, error) {
	var recs []any
	for chunk := range slices.Chunk(ids, sqldb.Batches[len(sqldb.Batches)-1]) {
		rows, err := tx.rows(ctx, tx.table(k), chunk, share)
		if err != nil {
			return nil, err
		}
		recs = append(recs, rows...)
	}
	return recs, nil
}

func (tx *Tx) rows(ctx context.Context, t *mapping.Table, ids []int64, share int) ([]any, error) {
	args := sqldb.Batched(ids)
	place := make(map[int64]int, len(ids))
	for i, id := range ids {
		place[id] = i
	}
	recs := t.Kind.Empty(len(ids))
	s := mapping.Scanner{Table: t, Selection: &t.Listed, Share: share}
	found := make([]any, len(ids))
	n := 0
	err := tx.Query(ctx, t.ByIDs[len(args)], args, func(r sqldb.Row) error {
		rec := recs[n]
		n++
		found[place[r.Int(0)]] = rec
		return s.Scan(r, rec)
	})
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(rec any) bool { return rec == nil })
	return found, tx.readLinks(ctx, t, found)
}
