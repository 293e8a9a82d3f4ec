package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"muster/internal/index"
	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// An indexed table answers lists from memory: which records match, and which of them are on a page. The rows
// themselves are read from the table. On SQLite the writer keeps it current, on PostgreSQL a follower of the
// feed.
type indexed struct {
	*index.Index
	table                 *mapping.Table
	texts, numbers, names []string    // columns that the index keeps
	apart                 bool        // one of the columns is apart
	changed               *indexBatch // used by the writer or the follower
}

// indexes are the indexes of all kinds.
type indexes map[*kind.Schema]*indexed

// newIndexes returns empty indexes of all kinds. Kinds that filters of other kinds refer to also keep the names
// of their records.
func (s *Store) newIndexes() indexes {
	all := indexes{}
	for _, k := range s.kinds {
		all[k] = &indexed{Index: index.New(k, mapping.Fold)}
		all[k].CountIsSlow = s.Shared() // PostgreSQL checks the visibility of each row
	}
	for _, x := range all {
		for _, f := range x.Numbers() {
			if to := all.referred(f); to != nil {
				x.Refer(f, to.Index)
			}
		}
	}
	for _, k := range s.kinds {
		all[k].prepare(s.tables[k])
	}
	return all
}

// referred returns the index of the kind that a field refers to, which keeps the names of its records; nil when
// there is none.
func (all indexes) referred(f *kind.Field) *indexed {
	if mapping.ShownColumns(f) == nil {
		return nil
	}
	for k, x := range all {
		if k.Path() != mapping.Referred(f) {
			continue
		}
		if x.Names() == nil {
			x.Name(namesOf(f, k)...)
		}
		return x
	}
	return nil
}

// namesOf returns the fields by which the filter of a reference finds records of a kind; lists are sorted by
// the last one.
func namesOf(f *kind.Field, k *kind.Schema) []*kind.Field {
	if f.Type == kind.PersonRef {
		return []*kind.Field{k.Field("email"), k.Field("name")}
	}
	return []*kind.Field{k.Field("name")}
}

// prepare determines which columns the index needs.
func (x *indexed) prepare(t *mapping.Table) {
	for _, f := range x.Texts() {
		x.texts = append(x.texts, "r."+f.Column()+"_folded")
	}
	for _, f := range x.Numbers() {
		if f.Kept { // see TouchCounted
			panic(fmt.Sprintf("store: %s: %s is changed without a word to the index", t.Name, f.Name))
		}
		column := mapping.ColumnOf(f)
		if mapping.ShownColumns(f) != nil {
			column += "_id"
		}
		x.apart = x.apart || f.Apart
		x.numbers = append(x.numbers, column)
	}
	for _, f := range x.Names() {
		x.names = append(x.names, "r."+f.Column()+"_folded")
	}
	x.table = t
}

// statement returns the SELECT of rows up to WHERE. Texts that are not needed are read as null.
func (x *indexed) statement(needs []bool) string {
	texts := slices.Clone(x.texts)
	for i := range texts {
		if !needs[i] {
			texts[i] = "NULL"
		}
	}
	columns := slices.Concat([]string{"r.id", "r." + mapping.VersionColumn}, texts, x.numbers, x.names)
	sql := "SELECT " + strings.Join(columns, ", ") + " FROM " + x.table.Name + " r"
	if x.apart {
		sql += mapping.JoinApart(x.table.Kind)
	}
	return sql
}

// An indexBatch is a batch of rows for an index. It is reused.
type indexBatch struct {
	rows  []index.Row
	n     int
	needs []bool // which texts are needed
	stamp int64  // the stamp of the rows
}

// newBatch returns a batch with room for some rows and for the bytes of each text.
func (x *indexed) newBatch(rows, room int) *indexBatch {
	b := &indexBatch{rows: make([]index.Row, rows), needs: x.Needs()}
	for i := range b.rows {
		b.rows[i] = index.Row{Texts: make([][]byte, len(x.texts)), Numbers: make([]int64, len(x.numbers)),
			Names: make([][]byte, len(x.names))}
		for j := range x.texts {
			b.rows[i].Texts[j] = make([]byte, 0, room)
		}
	}
	return b
}

func (b *indexBatch) add(r sqldb.Row) {
	to := &b.rows[b.n]
	b.n++
	to.ID, to.Version = r.Int(0), r.Int(1)
	column := 2
	for i := range to.Texts {
		to.Texts[i] = to.Texts[i][:0]
		if b.needs[i] {
			to.Texts[i] = r.Bytes(column, to.Texts[i])
		}
		column++
	}
	for i := range to.Numbers {
		if to.Numbers[i] = r.Int(column); to.Numbers[i] == 0 && r.Null(column) {
			to.Numbers[i] = index.Null
		}
		column++
	}
	for i := range to.Names {
		to.Names[i] = r.Bytes(column, to.Names[i][:0])
		column++
	}
}

// apply sets the rows of the batch in the index.
func (x *indexed) apply(b *indexBatch) {
	x.Set(b.stamp, b.rows[:b.n]...)
	b.n, b.needs = 0, x.Needs()
}

// read sets the rows that match a condition in the index, and calls each with their ids.
func (x *indexed) read(ctx context.Context, c sqldb.Conn, b *indexBatch, where string, args []any,
	each func(id int64)) error {
	err := c.Query(ctx, x.statement(b.needs)+where, args, func(r sqldb.Row) error {
		b.add(r)
		each(b.rows[b.n-1].ID)
		if b.n == len(b.rows) {
			x.apply(b)
		}
		return nil
	})
	x.apply(b)
	return err
}

// openIndexes loads the indexes from the tables.
func (s *Store) openIndexes(ctx context.Context) error {
	if s.frozen {
		return nil
	}
	if db, ok := s.database.(*sqldb.Postgres); ok {
		return s.follow(db)
	}
	all := s.newIndexes()
	if err := s.readIndexes(ctx, all); err != nil {
		return err
	}
	err := s.database.Update(ctx, func(sqldb.Conn) error { // in the writer, so that no change is missed
		s.indexes.Store(&all)
		s.loads.Add(1)
		s.ledger.touched = map[*mapping.Table]touched{}
		s.recent.forget(0)
		s.seen.Store(&seen{})
		return nil
	})
	if err != nil {
		return err
	}
	return s.database.(*sqldb.SQLite).Shrink(ctx) // frees the pages that the start has read and changes do not need
}

// readIndexes fills the indexes in parallel, one per processor. The slowest come first, so that no processor is
// idle at the end.
func (s *Store) readIndexes(ctx context.Context, all indexes) error {
	work := map[*kind.Schema]int64{}
	err := s.View(ctx, func(tx *Tx) (err error) {
		for k, x := range all {
			if work[k], err = tx.lastOf(ctx, x.table); err != nil {
				return err
			}
			work[k] *= int64(len(x.texts) + len(x.numbers))
		}
		return nil
	})
	if err != nil {
		return err
	}
	largest := slices.SortedFunc(maps.Keys(all), func(a, b *kind.Schema) int { return cmp.Compare(work[b], work[a]) })
	turns := make(chan struct{}, max(2, runtime.GOMAXPROCS(0))) // two at least, since one may wait for the disk
	var reading sync.WaitGroup
	errs := make([]error, len(largest))
	for i, k := range largest {
		turns <- struct{}{}
		reading.Go(func() {
			defer func() { <-turns }()
			errs[i] = s.View(ctx, func(tx *Tx) error { return all[k].open(ctx, tx.conn, 0) })
		})
	}
	reading.Wait()
	return errors.Join(errs...)
}

// open fills the index with the data of all records, at a stamp.
func (x *indexed) open(ctx context.Context, c sqldb.Conn, stamp int64) error {
	err := c.Query(ctx, x.sizes(), nil, func(r sqldb.Row) error {
		x.Reserve(int(r.Int(0)), r.Int(1))
		return nil
	})
	b := x.newBatch(256, 2*sqldb.ShortText)
	b.stamp = stamp
	for last, n := int64(0), openRows; err == nil && n == openRows; {
		n = 0
		err = x.read(ctx, c, b, " WHERE r.id > $1 ORDER BY r.id LIMIT $2", []any{last, int64(openRows)},
			func(id int64) {
				last = id
				n++
			})
	}
	if err != nil {
		return fmt.Errorf("index %s: %w", x.table.Name, err)
	}
	return nil
}

// sizes returns the statement for the number of records and the last id. Records of chained kinds have ids
// without gaps and are not counted: their table has no small index, so all of it would be read.
func (x *indexed) sizes() string {
	count, last := "(SELECT count(*) FROM %[1]s)", "(SELECT max(id) FROM %[1]s)"
	if x.table.Kind.Chained {
		count = last + " - (SELECT min(id) FROM %[1]s) + 1"
	}
	return fmt.Sprintf("SELECT coalesce("+count+", 0), coalesce("+last+", 0)", x.table.Name)
}

// openRows is how many rows one statement reads when an index is filled. The next one need not read texts that
// turned out to have too many values.
const openRows = 20_000

// touched are the records of a table that a transaction has changed, and how.
type touched map[int64]touch

// decide reports whether one of the changes decides.
func (all touched) decide() bool {
	for _, how := range all {
		if how.decides() {
			return true
		}
	}
	return false
}

// A touch is how a record has changed: a set of these flags.
type touch uint8

const (
	shownTouch touch = 1 << iota // something visible that the index does not keep
	apartTouch                   // a field that is stored apart
	wordsTouch                   // its words, or those of a record below it
	ownTouch                     // anything else
)

// anyTouch is the touch of a record of which nothing more is known.
const anyTouch = shownTouch | apartTouch | wordsTouch | ownTouch

// decides reports whether the change may affect a list that is found by a search and the index together. Such lists
// never depend on fields that are stored apart.
func (t touch) decides() bool { return t&(wordsTouch|ownTouch) != 0 }

// rereads reports whether the index must read the record again.
func (t touch) rereads() bool { return t&(apartTouch|ownTouch) != 0 }

// touch marks records for the index to read again after the commit.
func (tx *Tx) touch(t *mapping.Table, ids ...int64) { tx.mark(t, ownTouch, ids) }

// touchApart is touch for records of which only fields that are stored apart have changed.
func (tx *Tx) touchApart(t *mapping.Table, ids ...int64) { tx.mark(t, apartTouch, ids) }

// touchAll is touch for a record and its parent, which may show something of it.
func (tx *Tx) touchAll(t *mapping.Table, rec any) {
	tx.touch(t, t.Kind.Meta(rec).ID)
	if parent := t.Kind.Parent(); parent != nil {
		tx.mark(tx.table(parent.Target.Stored()), shownTouch|wordsTouch, []int64{t.Kind.Values(rec).Ref(parent).ID})
	}
}

// touchShown marks records of which something visible has changed that the index does not keep.
func (tx *Tx) touchShown(t *mapping.Table, ids ...int64) { tx.mark(t, shownTouch, ids) }

// TouchCounted is touchShown for records of the table with the given name, whose counts are updated by separate
// statements.
func (tx *Tx) TouchCounted(name string, ids ...int64) {
	for _, t := range tx.store.tables {
		if t.Name == name {
			tx.touchShown(t, ids...)
		}
	}
}

func (tx *Tx) mark(t *mapping.Table, how touch, ids []int64) {
	all := tx.touched
	if tx.ledger != nil {
		all = tx.ledger.touched
	}
	if all == nil {
		return
	}
	for _, id := range ids {
		if all[t] == nil {
			all[t] = touched{}
		}
		all[t][id] |= how
	}
}

// renew updates the touched records in the index.
func (x *indexed) renew(ctx context.Context, c sqldb.Conn, stamp int64, touched touched) error {
	var rest, shown []int64
	for id, how := range touched {
		if how.rereads() {
			rest = append(rest, id)
		} else {
			shown = append(shown, id)
		}
	}
	x.Touch(stamp, shown...)
	if x.changed == nil {
		x.changed = x.newBatch(sqldb.GroupSize, 0)
	}
	x.changed.stamp = stamp
	for len(rest) > 0 {
		n := min(len(rest), sqldb.Batches[len(sqldb.Batches)-1])
		args := sqldb.Batched(rest[:n])
		where := " WHERE r.id IN (" + sqldb.Placeholders(len(args)) + ")"
		err := x.read(ctx, c, x.changed, where, args, func(id int64) { delete(touched, id) })
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	for id, how := range touched { // the remaining records were deleted
		if how.rereads() {
			x.Remove(stamp, id)
		}
	}
	return nil
}
