package mapping

import (
	"fmt"
	"strings"
	"time"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// A Where builds the condition of a list.
type Where struct {
	Kind    *kind.Schema
	Today   time.Time // for derived fields
	Dialect *sqldb.Dialect
	conds   []string
	Args    []any
	Join    string // needed by the order
	Apart   bool   // a condition or the order uses apart fields
	IDs     string // selects all candidate ids, instead of the table
	limited bool   // a search excludes texts for staff alone
}

// Query adds all conditions of a query. A list that is chosen only by a tie, or only by words, does not read
// the rows of the records, which would take most of the time.
func (w *Where) Query(q *kind.Query) {
	for i := range q.Conds {
		w.Add(w.Cond(&q.Conds[i]))
	}
	w.either(q.Either)
	if len(w.conds) == 0 && len(q.Ties) == 1 && q.Ties[0].Merged == "" && q.Search == nil {
		t := &q.Ties[0]
		w.IDs = fmt.Sprintf("SELECT %s AS id FROM %s WHERE %s", t.Own, t.Table, w.tie(t)(t.Other))
		return
	}
	for _, t := range q.Ties {
		w.Add("r.id IN (" + w.chosenBy(&t) + ")")
	}
	if q.Search != nil {
		w.search(q)
	}
}

// NeedRows turns the selection of candidate ids into a condition, for a list that needs more columns than ids.
func (w *Where) NeedRows() {
	if w.IDs != "" {
		w.Add("r.id IN (" + w.IDs + ")")
		w.IDs = ""
	}
}

// chosenBy returns the statement that selects the ids that a tie chooses.
func (w *Where) chosenBy(t *kind.Tie) string {
	is := w.tie(t)
	sql := fmt.Sprintf("SELECT %s FROM %s WHERE %s", t.Own, t.Table, is(t.Other))
	if t.Moved == "" {
		return sql
	}
	return fmt.Sprintf("%s AND %s NOT IN (SELECT id FROM %s WHERE %s) UNION ALL SELECT id FROM %s WHERE %s",
		sql, t.Own, t.Moved, is("from_id"), t.Moved, is("to_id"))
}

// tie returns the condition that a column has the id of a tie's record, or of one merged into it.
func (w *Where) tie(t *kind.Tie) func(column string) string {
	id := w.Param(t.ID)
	return func(column string) string {
		if t.Merged == "" {
			return column + " = " + id
		}
		return fmt.Sprintf("%s IN (SELECT CAST(%s AS BIGINT) UNION ALL SELECT id FROM %s WHERE into_id = %s)",
			column, id, t.Merged, id)
	}
}

// either adds the condition that one of some conditions holds, if there are any.
func (w *Where) either(conds []kind.Cond) {
	var either []string
	for i := range conds {
		either = append(either, w.Cond(&conds[i]))
	}
	if len(either) > 0 {
		w.Add("(" + strings.Join(either, " OR ") + ")")
	}
}

// From returns the FROM clause, in which the records are r.
func (w *Where) From() string {
	if w.IDs != "" {
		return "(" + w.IDs + ") r"
	}
	if w.Apart {
		return w.Kind.Path() + " r" + JoinApart(w.Kind)
	}
	return w.Kind.Path() + " r"
}

// Param adds a parameter and returns its name.
func (w *Where) Param(value any) string {
	w.Args = append(w.Args, value)
	return fmt.Sprintf("$%d", len(w.Args))
}

// Add adds a condition.
func (w *Where) Add(cond string) { w.conds = append(w.conds, cond) }

// Text returns all conditions, for WHERE.
func (w *Where) Text() string {
	if len(w.conds) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conds, " AND ")
}

// Cond returns the SQL of a condition: any of its tests must hold.
func (w *Where) Cond(c *kind.Cond) string {
	var either, whole []string
	for i := range c.Any {
		t := &c.Any[i]
		switch {
		case t.Null:
			either = append(either, w.nullTest(c))
		case t.Range && c.Field.Targets != nil:
			either = append(either, w.linkTest(c, t))
		case t.Range:
			either = append(either, w.rangeTest(w.Column(c), t))
		case t.Whole():
			whole = append(whole, Fold(t.Text[0]))
		default:
			either = append(either, w.textTest(c, func(column string) string { return w.like(column, t.Text) }))
		}
	}
	if len(whole) > 0 {
		either = append(either, w.textTest(c, func(column string) string { return w.In(column, whole) }))
	}
	return "(" + strings.Join(either, " OR ") + ")"
}

// stored returns the column of a field, and notes when it is apart.
func (w *Where) stored(f *kind.Field) string {
	w.Apart = w.Apart || f.Apart
	return ColumnOf(f)
}

// Column returns the column or expression that a condition compares, unless it is a text.
func (w *Where) Column(c *kind.Cond) string {
	column := w.stored(c.Field)
	switch {
	case c.Field.Type == kind.ID:
		return "r.id"
	case c.Else != nil:
		return "coalesce(" + column + ", " + w.stored(c.Else) + ")"
	case ShownColumns(c.Field) != nil:
		return column + "_id"
	}
	return column
}

// linkTest matches records that are tied to another, of the condition's kind or of any.
func (w *Where) linkTest(c *kind.Cond, t *kind.Test) string {
	var either []string
	for _, target := range c.Field.Targets {
		if c.Target == nil || c.Target == target {
			linked := fmt.Sprintf("SELECT id FROM %s WHERE %s", LinkName(w.Kind, target), w.rangeTest("linked_id", t))
			either = append(either, "r.id IN ("+linked+")")
		}
	}
	return strings.Join(either, " OR ")
}

// byDay returns the folded value of a text that is derived from days.
func (w *Where) byDay(f *kind.Field) string {
	var b strings.Builder
	for _, c := range f.Days {
		if c.Field == nil {
			fmt.Fprintf(&b, " ELSE %s", w.Param(Fold(c.Value)))
			continue
		}
		fmt.Fprintf(&b, " WHEN %s %s THEN %s", w.stored(c.Field), w.dayCase(c), w.Param(Fold(c.Value)))
	}
	return "(CASE" + b.String() + " END)" + w.Dialect.Binary
}

// dayCase compares the day or number of a case.
func (w *Where) dayCase(c kind.DayCase) string {
	switch {
	case c.Than != nil:
		return "> " + w.stored(c.Than)
	case c.Field.Type == kind.Integer:
		return ">= " + w.Param(c.Least)
	case c.Past:
		return "< " + w.Param(w.Today.Unix())
	}
	return "> " + w.Param(w.Today.Unix())
}

// nullTest matches records without a value.
func (w *Where) nullTest(c *kind.Cond) string {
	switch {
	case c.In != nil:
		return fmt.Sprintf("NOT EXISTS (SELECT 1 FROM %s v WHERE v.id = r.id)", valuesName(w.Kind, c.In, c.Field))
	case c.Field.Type == kind.Text:
		return w.Folded(c.Field) + " IS NULL"
	}
	return w.Column(c) + " IS NULL"
}

// textTest compares a text: the field's own, any of a nested field's, or a person's e-mail address and name.
func (w *Where) textTest(c *kind.Cond, compare func(column string) string) string {
	switch {
	case c.In != nil:
		return "r.id IN (" + w.Valued(c, compare) + ")"
	case c.Field.Type == kind.PersonRef:
		return fmt.Sprintf("%s IN (SELECT id FROM %s WHERE %s OR %s)",
			w.Column(c), PeopleTable, compare("email_folded"), compare("name_folded"))
	case c.Field.Type == kind.RecordRef:
		return fmt.Sprintf("%s IN (SELECT id FROM %s WHERE %s)", w.Column(c), Referred(c.Field), compare("name_folded"))
	}
	return compare(w.Folded(c.Field))
}

// Valued returns the statement that selects the ids of records by their nested values.
func (w *Where) Valued(c *kind.Cond, compare func(column string) string) string {
	return fmt.Sprintf("SELECT id FROM %s WHERE %s", valuesName(w.Kind, c.In, c.Field), compare("folded"))
}

// Folded returns the expression for a folded text of the record.
func (w *Where) Folded(f *kind.Field) string {
	if f.Days != nil {
		return w.byDay(f)
	}
	return "r." + f.Column() + "_folded"
}

// rangeTest compares a number or time with a range.
func (w *Where) rangeTest(column string, t *kind.Test) string {
	if t.Min == t.Max {
		return column + " = " + w.Param(t.Min)
	}
	return column + " BETWEEN " + w.Param(t.Min) + " AND " + w.Param(t.Max)
}

// In compares with whole folded texts. The last is repeated up to a batch size, so that few statements need to
// be cached.
func (w *Where) In(column string, texts []string) string {
	var params []string
	for _, text := range sqldb.Batched(texts) {
		params = append(params, w.Param(text))
	}
	return column + " IN (" + strings.Join(params, ", ") + ")"
}

// like compares with a pattern of pieces between wildcards. For a prefix it adds a range, which an index can
// serve.
func (w *Where) like(column string, text []string) string {
	pieces := make([]string, len(text))
	for i, piece := range text {
		pieces[i] = Fold(piece)
	}
	var conds []string
	if prefix := pieces[0]; prefix != "" {
		conds = append(conds, column+" >= "+w.Param(prefix))
		if next := successor(prefix); next != "" {
			conds = append(conds, column+" < "+w.Param(next))
		}
	}
	if len(pieces) > 2 || pieces[len(pieces)-1] != "" || len(conds) == 0 {
		conds = append(conds, column+" LIKE "+w.Param(Pattern(pieces))+` ESCAPE '\'`)
	}
	return "(" + strings.Join(conds, " AND ") + ")"
}

// Pattern returns the LIKE pattern of pieces between wildcards.
func Pattern(pieces []string) string {
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

// Order returns the order of a list: nulls last, equal values by id.
func (w *Where) Order(q *kind.Query) string {
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
		column = w.Folded(q.Sort)
	case ShownColumns(q.Sort) != nil:
		w.Join = fmt.Sprintf(" LEFT JOIN %s s ON s.id = r.%s_id", Referred(q.Sort), q.Sort.Column())
		column = "s.name_folded"
	}
	// These are never null; PostgreSQL's index has its nulls first when it is read backward.
	if q.Sort.Name == "created-at" || q.Sort.Name == "updated-at" {
		return column + direction + ", r.id"
	}
	return column + direction + " NULLS LAST, r.id"
}

// tied returns the column of the query's first tie for a field.
func (w *Where) tied(q *kind.Query) string {
	t := q.Ties[0]
	w.Join = fmt.Sprintf(" JOIN %s t ON t.%s = r.id AND t.%s = %s", t.Table, t.Own, t.Other, w.Param(t.ID))
	if q.Sort.Type == kind.Text {
		return "t." + q.Sort.Column() + "_folded"
	}
	return "t." + q.Sort.Column()
}

// search adds the condition that all words of a text are found. A list without other conditions does not read
// the rows of the records, which makes at least its total much cheaper when many are found.
func (w *Where) search(q *kind.Query) {
	all, beside := AskedOf(q.Search.Text), q.Search.Beside
	w.limited = q.Search.Limited
	switch {
	case len(all) == 0:
		w.Add("1 = 0")
	case len(beside) > 0:
		for _, a := range all {
			w.Add("r.id IN (" + w.Having(w.Kind, a) + w.beside(beside, a) + ")")
		}
	case len(w.conds) == 0:
		w.IDs = w.Having(w.Kind, all...)
	default:
		w.Add("r.id IN (" + w.Having(w.Kind, all...) + ")")
	}
}

// Having returns the statement that selects the ids of records of a kind with all words.
func (w *Where) Having(k *kind.Schema, all ...Asked) string {
	text := askFor(w.Dialect.Ask, all, k.Searched.HasStaffTexts() && !w.limited)
	return fmt.Sprintf("SELECT rowid AS id FROM %s WHERE "+w.Dialect.Match, searchName(k), w.Param(text))
}

// askFor returns the search expression for all of some words, which for staff includes words for staff alone.
func askFor(a sqldb.Asking, words []Asked, staff bool) string {
	terms := make([]string, len(words))
	for i, w := range words {
		form := a.Whole
		if w.Prefix {
			form = a.Prefix
		}
		terms[i] = fmt.Sprintf(form, w.Word)
		if staff {
			terms[i] = "(" + terms[i] + a.Or + fmt.Sprintf(form, staffMark+w.Word) + ")"
		}
	}
	return strings.Join(terms, a.And)
}

// beside extends a selection of ids by those of records that refer to records with a word.
func (w *Where) beside(all []kind.Beside, a Asked) (union string) {
	for _, b := range all {
		inner := Where{Kind: b.Kind, Today: w.Today, Dialect: w.Dialect, Args: w.Args, limited: w.limited}
		inner.either(b.Either)
		inner.Add("r.id IN (" + inner.Having(b.Kind, a) + ")")
		w.Args = inner.Args
		union += fmt.Sprintf(" UNION SELECT r.%s_id FROM %s%s", b.Ref.Column(), inner.From(), inner.Text())
	}
	return union
}

// Only returns the condition that a column is one of some ids, or "" for nil.
func (w *Where) Only(column string, ids []int64) string {
	if ids == nil {
		return ""
	}
	return column + " = ANY(" + w.Param(ids) + ")"
}
