package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"muster/internal/index"
	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// List returns one page of the records that match the query, with the fields
// that lists show. It is answered as plan.For decides. The function, if it is not
// nil, is run with the records in the transaction that has read them; it may be run
// several times.
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

// List is Store.List as the tables are in this transaction. Store.List is faster.
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
	with  func(*Tx, []any) error // is run with the records, nil for nothing
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

// finish runs what is to be run with the records.
func (p *pageQuestion) finish(tx *Tx) error {
	if p.with == nil {
		return nil
	}
	return p.with(tx, p.page.Records)
}

// find asks an index for the page of a query, of all records when none are chosen.
func (c *chosen) find(x *index.Index, q *kind.Query) (total int, hits []index.Hit, ok bool) {
	if c == nil {
		return x.Find(q)
	}
	total, hits, ok = x.FindAmong(q, c.ids)
	return total, hits, ok && (total == len(c.ids) || !c.all)
}

// All returns all records that match the query, in the order of their ids, with
// the fields that lists show.
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

// Find returns how many records match the query, and the ids of those on the
// page that it asks for, in its order. Asked by id it returns one more, if
// there is one.
func (tx *Tx) Find(ctx context.Context, k *kind.Schema, q *kind.Query) (total int, ids []int64, err error) {
	w := where{kind: k, today: q.Today, dialect: tx.store.database.Dialect()}
	w.query(q)
	total, err = tx.total(ctx, &w)
	first := (q.Page - 1) * q.PerPage
	if err != nil || !q.ByID && first >= total {
		return total, nil, err
	}
	if q.Sort != nil && q.Sort.Type != kind.ID {
		w.needRows()
	}
	order, limit := " ORDER BY "+w.order(q), q.PerPage
	if q.ByID {
		first, limit = 0, q.PerPage+1
		w.add("r.id > " + w.param(q.After))
	}
	sql := "SELECT r.id FROM " + w.from() + w.join + w.text() + order +
		" LIMIT " + w.param(int64(limit)) + " OFFSET " + w.param(int64(first))
	err = tx.conn.Query(ctx, sql, w.args, func(r sqldb.Row) error {
		ids = append(ids, r.Int(0))
		return nil
	})
	return total, ids, err
}

// Rows returns the records with the given ids, in that order, with the fields
// that lists show. Ids without a record are left out.
func (tx *Tx) Rows(ctx context.Context, k *kind.Schema, ids []int64) ([]any, error) {
	return tx.rowsWithin(ctx, k, ids, k.Share(len(ids)))
}

// rowsOf is Rows of the page that a query asks for.
func (tx *Tx) rowsOf(ctx context.Context, k *kind.Schema, q *kind.Query, ids []int64) ([]any, error) {
	return tx.rowsWithin(ctx, k, ids, k.Share(q.PerPage))
}

// rowsWithin is Rows whose counted collections take at most so many bytes each, as
// they are stored.
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

func (tx *Tx) rows(ctx context.Context, t *table, ids []int64, share int) ([]any, error) {
	args := sqldb.Batched(ids)
	place := make(map[int64]int, len(ids))
	for i, id := range ids {
		place[id] = i
	}
	recs := t.kind.Empty(len(ids))
	s := scanner{table: t, selection: &t.listed, share: share}
	found := make([]any, len(ids))
	n := 0
	err := tx.conn.Query(ctx, t.byIDs[len(args)], args, func(r sqldb.Row) error {
		rec := recs[n]
		n++
		found[place[r.Int(0)]] = rec
		return s.scan(r, rec)
	})
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(rec any) bool { return rec == nil })
	return found, tx.readLinks(ctx, t, found)
}

// where builds the condition of a list.
type where struct {
	kind    *kind.Schema
	today   time.Time // that derived fields follow from
	dialect *sqldb.Dialect
	conds   []string
	args    []any
	join    string // needed by the order
	apart   bool   // a condition or the order looks at what is apart
	ids     string // selects all ids that there are to choose from, instead of the table
	limited bool   // a search leaves out what is for staff alone
}

// query adds all conditions of a query. A list of all that one table of pairs
// ties to a record needs no rows of the records, as one of all that are found by
// their words: looking each up would take most of the time.
func (w *where) query(q *kind.Query) {
	for i := range q.Conds {
		w.add(w.cond(&q.Conds[i]))
	}
	w.either(q.Either)
	if len(w.conds) == 0 && len(q.Ties) == 1 && q.Ties[0].Merged == "" && q.Search == nil {
		w.ids = fmt.Sprintf("SELECT %s AS id FROM %s WHERE %s", q.Ties[0].Own, q.Ties[0].Table, w.tie(&q.Ties[0])(q.Ties[0].Other))
		return
	}
	for _, t := range q.Ties {
		w.add("r.id IN (" + w.chosenBy(&t) + ")")
	}
	if q.Search != nil {
		w.search(q)
	}
}

// needRows makes the ids that there are to choose from a condition, for what
// looks at more than ids.
func (w *where) needRows() {
	if w.ids != "" {
		w.add("r.id IN (" + w.ids + ")")
		w.ids = ""
	}
}

// chosenBy returns the statement that selects the ids that a tie chooses.
func (w *where) chosenBy(t *kind.Tie) string {
	is := w.tie(t)
	sql := fmt.Sprintf("SELECT %s FROM %s WHERE %s", t.Own, t.Table, is(t.Other))
	if t.Moved == "" {
		return sql
	}
	return fmt.Sprintf("%s AND %s NOT IN (SELECT id FROM %s WHERE %s) UNION ALL SELECT id FROM %s WHERE %s", sql, t.Own, t.Moved, is("from_id"), t.Moved, is("to_id"))
}

// tie returns the condition that a column names the record of a tie, or one that has
// become it.
func (w *where) tie(t *kind.Tie) func(column string) string {
	id := w.param(t.ID)
	return func(column string) string {
		if t.Merged == "" {
			return column + " = " + id
		}
		return fmt.Sprintf("%s IN (SELECT CAST(%s AS BIGINT) UNION ALL SELECT id FROM %s WHERE into_id = %s)", column, id, t.Merged, id)
	}
}

// either adds that one of some conditions holds, if there are any.
func (w *where) either(conds []kind.Cond) {
	var either []string
	for i := range conds {
		either = append(either, w.cond(&conds[i]))
	}
	if len(either) > 0 {
		w.add("(" + strings.Join(either, " OR ") + ")")
	}
}

// from returns what is listed. It is called r.
func (w *where) from() string {
	if w.ids != "" {
		return "(" + w.ids + ") r"
	}
	if w.apart {
		return w.kind.Path() + " r" + joinApart(w.kind)
	}
	return w.kind.Path() + " r"
}

// param adds a parameter and returns its name.
func (w *where) param(value any) string {
	w.args = append(w.args, value)
	return fmt.Sprintf("$%d", len(w.args))
}

func (w *where) add(cond string) { w.conds = append(w.conds, cond) }

func (w *where) text() string {
	if len(w.conds) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conds, " AND ")
}

// cond returns a condition: any of its tests must hold.
func (w *where) cond(c *kind.Cond) string {
	var either, whole []string
	for i := range c.Any {
		t := &c.Any[i]
		switch {
		case t.Null:
			either = append(either, w.nullTest(c))
		case t.Range && c.Field.Targets != nil:
			either = append(either, w.linkTest(c, t))
		case t.Range:
			either = append(either, w.rangeTest(w.column(c), t))
		case t.Whole():
			whole = append(whole, fold(t.Text[0]))
		default:
			either = append(either, w.textTest(c, func(column string) string { return w.like(column, t.Text) }))
		}
	}
	if len(whole) > 0 {
		either = append(either, w.textTest(c, func(column string) string { return w.in(column, whole) }))
	}
	return "(" + strings.Join(either, " OR ") + ")"
}

// stored returns the column of a field, which the list looks at.
func (w *where) stored(f *kind.Field) string {
	w.apart = w.apart || f.Apart
	return stored(f)
}

// column returns what a condition looks at, unless it is a text.
func (w *where) column(c *kind.Cond) string {
	column := w.stored(c.Field)
	switch {
	case c.Field.Type == kind.ID:
		return "r.id"
	case c.Else != nil:
		return "coalesce(" + column + ", " + w.stored(c.Else) + ")"
	case shownColumns(c.Field) != nil:
		return column + "_id"
	}
	return column
}

// linkTest asks for records that are tied to another, of the condition's kind
// or of any.
func (w *where) linkTest(c *kind.Cond, t *kind.Test) string {
	var either []string
	for _, target := range c.Field.Targets {
		if c.Target == nil || c.Target == target {
			either = append(either, fmt.Sprintf("r.id IN (SELECT id FROM %s WHERE %s)", linkName(w.kind, target), w.rangeTest("linked_id", t)))
		}
	}
	return strings.Join(either, " OR ")
}

// byDay returns the value of a text that follows from days, as it is compared.
func (w *where) byDay(f *kind.Field) string {
	var b strings.Builder
	for _, c := range f.Days {
		if c.Field == nil {
			fmt.Fprintf(&b, " ELSE %s", w.param(fold(c.Value)))
			continue
		}
		fmt.Fprintf(&b, " WHEN %s %s THEN %s", w.stored(c.Field), w.holds(c), w.param(fold(c.Value)))
	}
	return "(CASE" + b.String() + " END)" + w.dialect.Binary
}

// holds compares the day or number of a case.
func (w *where) holds(c kind.DayCase) string {
	switch {
	case c.Than != nil:
		return "> " + w.stored(c.Than)
	case c.Field.Type == kind.Integer:
		return ">= " + w.param(c.Least)
	case c.Past:
		return "< " + w.param(w.today.Unix())
	}
	return "> " + w.param(w.today.Unix())
}

// nullTest asks for records without a value.
func (w *where) nullTest(c *kind.Cond) string {
	switch {
	case c.In != nil:
		return fmt.Sprintf("NOT EXISTS (SELECT 1 FROM %s v WHERE v.id = r.id)", valuesName(w.kind, c.In, c.Field))
	case c.Field.Type == kind.Text:
		return w.folded(c.Field) + " IS NULL"
	}
	return w.column(c) + " IS NULL"
}

// textTest compares a text: the field's own, any of a nested field's, or a
// person's e-mail address and name.
func (w *where) textTest(c *kind.Cond, compare func(column string) string) string {
	switch {
	case c.In != nil:
		return "r.id IN (" + w.valued(c, compare) + ")"
	case c.Field.Type == kind.PersonRef:
		return fmt.Sprintf("%s IN (SELECT id FROM %s WHERE %s OR %s)", w.column(c), people, compare("email_folded"), compare("name_folded"))
	case c.Field.Type == kind.RecordRef:
		return fmt.Sprintf("%s IN (SELECT id FROM %s WHERE %s)", w.column(c), referred(c.Field), compare("name_folded"))
	}
	return compare(w.folded(c.Field))
}

// valued returns what selects the ids of records by their nested values.
func (w *where) valued(c *kind.Cond, compare func(column string) string) string {
	return fmt.Sprintf("SELECT id FROM %s WHERE %s", valuesName(w.kind, c.In, c.Field), compare("folded"))
}

// folded returns a text of the record as it is compared.
func (w *where) folded(f *kind.Field) string {
	if f.Days != nil {
		return w.byDay(f)
	}
	return "r." + f.Column() + "_folded"
}

// rangeTest compares a number or time.
func (w *where) rangeTest(column string, t *kind.Test) string {
	if t.Min == t.Max {
		return column + " = " + w.param(t.Min)
	}
	return column + " BETWEEN " + w.param(t.Min) + " AND " + w.param(t.Max)
}

// in compares with whole folded texts. The last is repeated up to one of a few
// lengths, so that few statements need to be kept.
func (w *where) in(column string, texts []string) string {
	var params []string
	for _, text := range sqldb.Batched(texts) {
		params = append(params, w.param(text))
	}
	return column + " IN (" + strings.Join(params, ", ") + ")"
}

// like compares with a text of pieces between wildcards. A beginning without
// wildcards is also a range, which an index serves.
func (w *where) like(column string, text []string) string {
	pieces := make([]string, len(text))
	for i, piece := range text {
		pieces[i] = fold(piece)
	}
	var conds []string
	if prefix := pieces[0]; prefix != "" {
		conds = append(conds, column+" >= "+w.param(prefix))
		if next := successor(prefix); next != "" {
			conds = append(conds, column+" < "+w.param(next))
		}
	}
	if len(pieces) > 2 || pieces[len(pieces)-1] != "" || len(conds) == 0 {
		conds = append(conds, column+" LIKE "+w.param(pattern(pieces))+` ESCAPE '\'`)
	}
	return "(" + strings.Join(conds, " AND ") + ")"
}

// pattern returns the LIKE pattern of pieces between wildcards.
func pattern(pieces []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	var b strings.Builder
	for i, piece := range pieces {
		if i > 0 && (i == 1 || pieces[i-1] != "") { // a run of stars is one
			b.WriteByte('%')
		}
		b.WriteString(escape.Replace(piece))
	}
	return b.String()
}

// order returns the order of a list: nulls last, equal values by id.
func (w *where) order(q *kind.Query) string {
	direction := ""
	if q.Desc {
		direction = " DESC"
	}
	if q.Sort == nil || q.Sort.Type == kind.ID {
		return "r.id" + direction
	}
	column := w.stored(q.Sort)
	switch {
	case q.Sort.InTie:
		column = w.tied(q)
	case q.Sort.Type == kind.Text:
		column = w.folded(q.Sort)
	case shownColumns(q.Sort) != nil:
		w.join = fmt.Sprintf(" LEFT JOIN %s s ON s.id = r.%s_id", referred(q.Sort), q.Sort.Column())
		column = "s.name_folded"
	}
	if q.Sort.Name == "created-at" || q.Sort.Name == "updated-at" { // never null; PostgreSQL's index has its nulls first when it is read backward
		return column + direction + ", r.id"
	}
	return column + direction + " NULLS LAST, r.id"
}

// tied returns the column of a field that the first tie of the query has.
func (w *where) tied(q *kind.Query) string {
	t := q.Ties[0]
	w.join = fmt.Sprintf(" JOIN %s t ON t.%s = r.id AND t.%s = %s", t.Table, t.Own, t.Other, w.param(t.ID))
	if q.Sort.Type == kind.Text {
		return "t." + q.Sort.Column() + "_folded"
	}
	return "t." + q.Sort.Column()
}
