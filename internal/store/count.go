package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"muster/internal/index"
	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// Counts returns the values of a countable field among the records that match the query, with the number of
// records for each: the most frequent first, and at most a page of them. A text with several spellings is shown
// as in the oldest of these records. It is answered as lists are.
func (s *Store) Counts(ctx context.Context, k *kind.Schema, q *kind.Query, f *kind.Field) ([]kind.Count, error) {
	asked := &countsQuestion{kind: k, query: q, field: f}
	_, err := s.ask(ctx, k, q, f, asked)
	return asked.counts, err
}

// A countsQuestion asks how many records of a list have each value of a field.
type countsQuestion struct {
	kind   *kind.Schema
	query  *kind.Query
	field  *kind.Field
	found  []index.Count
	counts []kind.Count
}

func (c *countsQuestion) readsRows() bool { return true }

func (c *countsQuestion) inIndex(x *index.Index, q *kind.Query, among *chosen) (ok bool) {
	if among == nil {
		c.found, ok = x.Counts(q, c.field, q.PerPage)
	} else {
		c.found, ok = x.CountsAmong(q, c.field, q.PerPage, among.ids)
	}
	return ok
}

func (c *countsQuestion) read(ctx context.Context, tx *Tx) (ok bool, err error) {
	c.counts, ok, err = tx.shown(ctx, c.kind, c.field, c.found)
	return ok, err
}

func (c *countsQuestion) inTables(ctx context.Context, tx *Tx) error {
	w := mapping.Where{Kind: c.kind, Today: c.query.Today, Dialect: tx.Dialect()}
	w.Query(c.query)
	w.NeedRows()
	value := w.Column(&kind.Cond{Field: c.field})
	if c.field.Type == kind.Text {
		value = w.Folded(c.field)
	}
	sql := fmt.Sprintf("SELECT %s, count(*), min(r.id) FROM %s%s GROUP BY 1 ORDER BY 2 DESC, 1 NULLS LAST LIMIT %s",
		value, w.From(), w.Text(), w.Param(int64(c.query.PerPage)))
	c.found = nil
	err := tx.Query(ctx, sql, w.Args, func(r sqldb.Row) error {
		c.found = append(c.found, c.scan(r))
		return nil
	})
	if err != nil {
		return err
	}
	_, err = c.read(ctx, tx)
	return err
}

// scan reads a value and its count from a row.
func (c *countsQuestion) scan(r sqldb.Row) index.Count {
	count := index.Count{Records: int(r.Int(1)), First: r.Int(2), Number: index.Null}
	switch {
	case c.field.Type == kind.Text:
		count.Text = string(r.Bytes(0, nil))
	case !r.Null(0):
		count.Number = r.Int(0)
	}
	return count
}

// shown returns counts with the values as they are displayed. It is not ok when a record with one of them has
// changed.
func (tx *Tx) shown(ctx context.Context, k *kind.Schema, f *kind.Field,
	found []index.Count) (counts []kind.Count, ok bool, err error) {
	var texts map[int64][2]string // value and label, by the id of the record that has them
	switch {
	case f.Type == kind.Text && f.Days == nil:
		texts, err = tx.pairs(ctx, k.Path(), f.Column(), f.Column(), found,
			func(c index.Count) int64 { return c.First })
	case f.Type == kind.PersonRef:
		texts, err = tx.pairs(ctx, mapping.PeopleTable, "email", "name", found,
			func(c index.Count) int64 { return c.Number })
	case f.Type == kind.RecordRef:
		texts, err = tx.pairs(ctx, mapping.Referred(f), "name", "name", found,
			func(c index.Count) int64 { return c.Number })
	}
	if err != nil {
		return nil, false, err
	}
	for _, c := range found {
		shown, ok := shownCount(f, c, texts)
		if !ok {
			return nil, false, nil
		}
		counts = append(counts, shown)
	}
	return counts, true, nil
}

// pairs reads two texts of the records that the counts refer to.
func (tx *Tx) pairs(ctx context.Context, table, value, label string, found []index.Count,
	id func(index.Count) int64) (map[int64][2]string, error) {
	var ids []int64
	for _, c := range found {
		if c.Text != "" || c.Number != index.Null {
			ids = append(ids, id(c))
		}
	}
	texts := map[int64][2]string{}
	for chunk := range slices.Chunk(ids, sqldb.Batches[len(sqldb.Batches)-1]) {
		args := sqldb.Batched(chunk)
		sql := fmt.Sprintf("SELECT id, %s, %s FROM %s WHERE id IN (%s)", value, label, table,
			sqldb.Placeholders(len(args)))
		err := tx.Query(ctx, sql, args, func(r sqldb.Row) error {
			texts[r.Int(0)] = [2]string{string(r.Bytes(1, nil)), string(r.Bytes(2, nil))}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// shownCount returns a count with its value as it is displayed, given the texts that were read for it.
func shownCount(f *kind.Field, c index.Count, texts map[int64][2]string) (shown kind.Count, ok bool) {
	shown, ok = kind.Count{Records: c.Records}, true
	switch {
	case c.Text == "" && c.Number == index.Null:
	case f.Days != nil:
		shown.Value = f.Days[slices.IndexFunc(f.Days,
			func(d kind.DayCase) bool { return mapping.Fold(d.Value) == c.Text })].Value
	case f.Type == kind.Text:
		shown.Value = f.Trim(texts[c.First][0])
		ok = mapping.Fold(shown.Value) == c.Text
	case f.Type == kind.Boolean:
		shown.Value = strconv.FormatBool(c.Number != 0)
	case f.Type == kind.Integer:
		shown.Value = strconv.FormatInt(c.Number, 10)
	default:
		shown.Value, shown.Label = texts[c.Number][0], texts[c.Number][1]
		return shown, shown.Label != ""
	}
	shown.Label = shown.Value
	return shown, ok
}
