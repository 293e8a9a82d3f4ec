package store

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
	"muster/internal/words"
)

// Bounds of the search, in bytes: so much of a record is looked at, since its
// words can be 18 times longer than it, and so many different words of it can be
// found, far below the 1 MiB that PostgreSQL holds. So many different words of a
// query are looked for.
const (
	maxLooked = 1 << 20
	maxWords  = 256 << 10
	maxAsked  = 64
)

// A searchTable holds the words of each record of a kind, by the record's id as
// rowid. It follows from the records, so backups leave it out.
type searchTable struct {
	name   string
	form   string // how its words are made, and of which fields
	isMade bool   // in this form

	changed atomic.Int64 // when words of it have changed last, see Store.worded
}

// searchSuffix ends the names of search tables.
const searchSuffix = "_search"

func searchName(k *kind.Schema) string { return k.Path() + searchSuffix }

func newSearchTable(k *kind.Schema) *searchTable {
	return &searchTable{name: searchName(k), form: words.Version() + " " + k.TextFields()}
}

// widens reports whether the form of the table is an older one with further fields
// that no record had: none was among the columns, nor in a layout.
func (st *searchTable) widens(older string, columns, layouts []string) bool {
	was, ok := searchedFields(older)
	is, _ := searchedFields(st.form)
	for name := range was {
		ok = ok && is[name]
	}
	for name := range is {
		list, field, nested := strings.Cut(name, " ")
		switch {
		case was[name]:
		case nested && field != "staff": // which marks a field for staff alone
			ok = ok && !kind.LayoutsHave(layouts, list, field)
		default:
			ok = ok && !slices.Contains(columns, strings.ReplaceAll(list, "-", "_"))
		}
	}
	return ok
}

// searchedFields returns the fields of a form, nested ones behind the name of their
// collection; not ok when its words are made in another way.
func searchedFields(form string) (fields map[string]bool, ok bool) {
	rest, ok := strings.CutPrefix(form, words.Version()+" ")
	fields = map[string]bool{}
	list := ""
	for part := range strings.SplitSeq(rest, ",") {
		if name, first, opens := strings.Cut(part, "("); opens {
			list, part = name+" ", first
		}
		name, closes := strings.CutSuffix(part, ")")
		if fields[list+name] = true; closes {
			list = ""
		}
	}
	return fields, ok
}

// staffMark begins the words that are found for staff alone. No word has it: it is
// no letter.
const staffMark = "§"

// wordsOf returns the different words of a record with blanks between them, up to
// the bounds. Those for staff alone come last, so that they keep no other out.
func wordsOf(k *kind.Schema, rec any) string {
	all := wordList{seen: seenWords.Get().(map[string]bool)}
	defer forgetWords(all.seen)
	if all.add(k.Texts(rec), "") && k.HasStaffTexts() {
		all.add(k.StaffTexts(rec), staffMark)
	}
	return all.text.String()
}

// A wordList gathers the words of a record.
type wordList struct {
	text   strings.Builder
	seen   map[string]bool
	looked int // bytes
}

// add adds the words of texts that are new, behind a mark, and reports whether there
// is room for more.
func (l *wordList) add(texts iter.Seq[string], mark string) bool {
	for text := range texts {
		for word := range words.Of(text) {
			if l.looked += len(word); l.looked > maxLooked || l.text.Len()+len(mark)+len(word) >= maxWords {
				return false
			}
			if l.seen[word] {
				continue
			}
			if l.text.Len() > 0 {
				l.text.WriteByte(' ')
			}
			l.seen[word] = true
			l.text.WriteString(mark)
			l.text.WriteString(word)
		}
	}
	return true
}

// seenWords are maps of words that were seen, empty, which are costly to make.
var seenWords = sync.Pool{New: func() any { return make(map[string]bool, 128) }}

// forgetWords gives a map back. A large one would be costly to clear ever after.
func forgetWords(seen map[string]bool) {
	if len(seen) <= 1024 {
		clear(seen)
		seenWords.Put(seen)
	}
}

// writeSearch stores the words of a record, if they differ from those of old.
func (tx *Tx) writeSearch(ctx context.Context, t *table, rec, old any) error {
	id, text := t.kind.Meta(rec).ID, wordsOf(t.kind, rec)
	if old != nil && text == wordsOf(t.kind, old) {
		return nil
	}
	if ok, err := tx.searches(ctx, t); !ok {
		return err
	}
	if old == nil {
		return tx.insertWords(ctx, t, []any{id, text})
	}
	tx.reword(t)
	value := fmt.Sprintf(tx.store.database.Dialect().Words, "$1")
	return tx.conn.Later(ctx, fmt.Sprintf("UPDATE %s SET words = %s WHERE rowid = $2", t.search.name, value), []any{text, id})
}

// appendSearch stores the words of new records.
func (tx *Tx) appendSearch(ctx context.Context, t *table, recs []any) error {
	if ok, err := tx.searches(ctx, t); !ok {
		return err
	}
	for chunk := range slices.Chunk(recs, sqldb.MostRows) {
		var args []any
		for _, rec := range chunk {
			args = append(args, t.kind.Meta(rec).ID, wordsOf(t.kind, rec))
		}
		if err := tx.insertWords(ctx, t, args); err != nil {
			return err
		}
	}
	return nil
}

// insertWords stores the words of records: an id and its words, and so on. On
// SQLite each record has a statement of its own: one with several rows makes FTS5
// write out all that it holds first, to be able to undo the statement.
func (tx *Tx) insertWords(ctx context.Context, t *table, args []any) error {
	tx.reword(t)
	if !tx.store.Shared() {
		for one := range slices.Chunk(args, 2) {
			if err := tx.conn.Later(ctx, "INSERT INTO "+t.search.name+" (rowid, words) VALUES ($1, $2)", one); err != nil {
				return err
			}
		}
		return nil
	}
	tuples := make([]string, len(args)/2)
	for i := range tuples {
		value := fmt.Sprintf(tx.store.database.Dialect().Words, fmt.Sprintf("$%d", 2*i+2))
		tuples[i] = fmt.Sprintf("($%d, %s)", 2*i+1, value)
	}
	sql := "INSERT INTO " + t.search.name + " (rowid, words) VALUES " + strings.Join(tuples, ", ")
	if t.chain != nil { // words that somebody has left who cut off the end must not keep the chain from going on
		sql += " ON CONFLICT (rowid) DO UPDATE SET words = excluded.words"
	}
	return tx.conn.Later(ctx, sql, args)
}

// deleteSearch removes the words of a record.
func (tx *Tx) deleteSearch(ctx context.Context, t *table, id int64) error {
	if ok, err := tx.searches(ctx, t); !ok {
		return err
	}
	tx.reword(t)
	return tx.conn.Later(ctx, "DELETE FROM "+t.search.name+" WHERE rowid = $1", []any{id})
}

// searches reports whether the words of records are kept. After a restore they
// are not, until a server has made them of all records; whoever changes one
// before keeps servers from beginning with it.
func (tx *Tx) searches(ctx context.Context, t *table) (bool, error) {
	if t.search.isMade {
		return true, nil
	}
	if err := tx.lock(ctx); err != nil {
		return false, err
	}
	return tx.hasSearch(ctx, t)
}

// An asked word is one that a search looks for.
type asked struct {
	word   string
	prefix bool // it is the beginning of a word
}

// askedOf returns the words that a text asks for, each once. The last one is a
// prefix, unless it is asked for as a whole before.
func askedOf(text string) (all []asked) {
	seen := map[string]bool{}
	isNew := false // the last word
	for word := range words.Of(text) {
		if isNew = !seen[word] && len(all) < maxAsked; isNew {
			seen[word] = true
			all = append(all, asked{word: word})
		}
	}
	if isNew {
		all[len(all)-1].prefix = true
	}
	return all
}

// search adds the condition that all words of a text are found. A list that
// looks at nothing else needs no rows of the records, which makes it, or at least
// its total, much cheaper when many are found.
func (w *where) search(q *kind.Query) {
	all, beside := askedOf(q.Search.Text), q.Search.Beside
	w.limited = q.Search.Limited
	switch {
	case len(all) == 0:
		w.add("1 = 0")
	case len(beside) > 0:
		for _, a := range all {
			w.add("r.id IN (" + w.having(w.kind, a) + w.beside(beside, a) + ")")
		}
	case len(w.conds) == 0:
		w.ids = w.having(w.kind, all...)
	default:
		w.add("r.id IN (" + w.having(w.kind, all...) + ")")
	}
}

// having selects the ids of records of a kind that have all words.
func (w *where) having(k *kind.Schema, all ...asked) string {
	text := askFor(w.dialect.Ask, all, k.HasStaffTexts() && !w.limited)
	return fmt.Sprintf("SELECT rowid AS id FROM %s WHERE "+w.dialect.Match, searchName(k), w.param(text))
}

// askFor asks for all of some words, for staff also where they are for staff alone.
func askFor(a sqldb.Asking, words []asked, staff bool) string {
	terms := make([]string, len(words))
	for i, w := range words {
		form := a.Whole
		if w.prefix {
			form = a.Prefix
		}
		terms[i] = fmt.Sprintf(form, w.word)
		if staff {
			terms[i] = "(" + terms[i] + a.Or + fmt.Sprintf(form, staffMark+w.word) + ")"
		}
	}
	return strings.Join(terms, a.And)
}

// beside adds, to a selection of ids, those of records that others refer to
// which have a word.
func (w *where) beside(all []kind.Beside, a asked) (union string) {
	for _, b := range all {
		inner := where{kind: b.Kind, today: w.today, dialect: w.dialect, args: w.args, limited: w.limited}
		inner.either(b.Either)
		inner.add("r.id IN (" + inner.having(b.Kind, a) + ")")
		w.args = inner.args
		union += fmt.Sprintf(" UNION SELECT r.%s_id FROM %s%s", b.Ref.Column(), inner.from(), inner.text())
	}
	return union
}
