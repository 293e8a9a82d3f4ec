// Package imports makes and changes records as the rows of a table say: it matches columns with fields, finds the
// record of a row, checks all rows without storing anything, and writes them. What is allowed of a single record is
// the desk's; how files are read is in package sheet, and how people are asked in the web application and commands.
package imports

import (
	"context"
	"errors"
	"slices"
	"strings"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/sheet"
	"muster/internal/store"
)

// Of imports: how many rows are checked or written in one transaction, so that others wait little, and up to how many
// are written in a single one when all or nothing is asked for. More are written in steps, and taken back when one of them
// is refused.
const (
	chunkSize = 50
	maxAtOnce = 2000
)

// An Import makes and changes records of a kind as the rows of a table say.
// Check returns what would become of each row, Write does it.
type Import struct {
	Kind   *kind.Schema
	Table  *sheet.Table
	Fields []*kind.Field // of each column, nil for one that is left out
	// Key are the fields by which a row is known to be about a record that is
	// there; nil when every row is a new record.
	Key []*kind.Field
	// Clear says that an empty cell takes the value of a record away. Otherwise it
	// says nothing.
	Clear bool
	// Whole says that all rows are written or none.
	Whole bool
	// Spelling is that of whoever has written the table; nil for that of documents.
	Spelling Spelling
	// Progress is called with how many rows are done; nil for none.
	Progress func(done, total int)

	// note stores what has become of some rows, in the transaction in which they were written; nil for nothing to store.
	note func(ctx context.Context, tx *store.Tx, rows []int, fates []Row) error
	// noted returns what was stored of a row. It is there with note: then no more of a row is in memory than brief leaves.
	noted func(ctx context.Context, tx *store.Tx, at int) (Row, error)
	// change runs the transactions in which rows are written, nil for the caller's own.
	change func(ctx context.Context, f func(*store.Tx, desk.Caller) error) error

	seen     map[string]int      // rows by what no two may have
	lists    []*kind.Field       // of each column the collection of parts that it belongs to, nil for none
	parts    []*kind.Field       // these collections
	before   map[int]int         // of rows about the same record the one before
	leads    map[int]int         // and the first one
	followed map[int]bool        // those that have one after them
	made     map[int]any         // the record as it would be after such a row, nil when the first is refused
	places   map[*kind.Field]int // of the parts of the row that is looked at
}

// A Spelling is how people write in a language and a time zone.
type Spelling interface {
	// Plain returns what documents have for the text of a cell.
	Plain(f *kind.Field, text string) string
	// Says reports whether a cell says of a record's value what an export says of it.
	Says(v kind.Values, f *kind.Field, text string) bool
}

// A RowFate is what becomes of a row.
type RowFate uint8

// Fates of rows. One that is Left was in order, but was not written. One that was written and taken back is Back. One
// that was not taken back Stays, since somebody has changed or used its record meanwhile, or is Gone, since somebody has
// deleted it.
const (
	RowNew RowFate = iota
	RowChanged
	RowSame
	RowRefused
	RowLeft
	RowBack
	RowStays
	RowGone
	fates
)

// String returns the word for a fate in reports.
func (f RowFate) String() string {
	return [...]string{"new", "changed", "unchanged", "refused", "not written", "taken back", "stays",
		"deleted since"}[f]
}

// A Row is what becomes, or has become, of one row.
type Row struct {
	Fate    RowFate        `json:"-"`
	ID      int64          `json:"id,omitempty"`      // of the record, 0 for one that is not there yet
	Says    string         `json:"says,omitempty"`    // what changes, in words
	Changes []kind.Change  `json:"changes,omitempty"` // of which they speak
	Faults  []message.Text `json:"faults,omitempty"`  // why it is refused or was not taken back, a sentence each
	Wrong   []int          `json:"wrong,omitempty"`   // the columns that they are about

	Written bool   `json:"written,omitempty"`
	Version int64  `json:"v,omitempty"`    // of the record, which the last row about it has made; 0 in the others
	Was     []byte `json:"was,omitempty"`  // the document of the record before, nil for a new one
	Made    bool   `json:"made,omitempty"` // the record was new
	// Lead is the number of the step of the first row about the record, 0 in that row: what becomes of the record, becomes
	// of both.
	Lead int64 `json:"lead,omitempty"`
	// Became says, in the first row about a record, what taking the record back has come to; 0 before.
	Became RowFate `json:"became,omitempty"`
	// Told are the fields that an agent had reported and that the row keeps from its reports.
	Told []string `json:"told,omitempty"`
}

// brief returns what is needed of a row that was stored: all of many rows, with the documents of their records, would take
// much memory.
func (r *Row) brief() Row { return Row{Fate: r.Fate, ID: r.ID, Written: r.Written} }

// A Report is what becomes, or has become, of all rows.
type Report struct {
	Rows  []Row // as in the table
	Count Counts
}

// Counts are numbers of rows, by their fates.
type Counts [fates]int

// written reports whether a row was written.
func (r *Report) written() bool {
	return slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Written })
}

// count counts the rows by their fates.
func (r *Report) count() *Report {
	clear(r.Count[:])
	for i := range r.Rows {
		r.Count[r.Rows[i].Fate]++
	}
	return r
}

// Plan returns what is wrong with how columns are matched, nil when nothing is.
func (i *Import) Plan() error {
	var faults []message.Text
	for at, f := range i.Fields {
		if first := slices.Index(i.Fields, f); f != nil && first < at {
			faults = append(faults, message.New("the columns %q and %q are both %s: leave one out",
				i.Table.Columns[first], i.Table.Columns[at], message.Word(Label(i.Kind, f))))
		}
	}
	for _, f := range i.Key {
		if !slices.Contains(i.Fields, f) {
			faults = append(faults, message.New("no column is %s, by which records are to be recognised",
				message.Word(f.Label)))
		}
	}
	if !slices.ContainsFunc(i.Fields, func(f *kind.Field) bool { return f != nil && f.Editable() }) {
		faults = append(faults, message.New("no column is matched with a field: none is called like one of %s records",
			message.Word(i.Kind.Noun)))
	}
	if len(faults) > 0 {
		return &kind.Invalid{Faults: faults}
	}
	return nil
}

// May returns a refusal when the caller may not import records of a kind.
// Nobody is the program itself.
func May(who desk.Caller, k *kind.Schema) error {
	switch {
	case who.User == nil:
		return nil
	case desk.Limited(who.User):
		return desk.Refuse(desk.Forbidden, "a %s may not import records", message.Word(who.User.Role))
	}
	return errors.Join(desk.May(who.User, desk.Creating, k), desk.May(who.User, desk.Changing, k))
}

// Check returns what would become of each row, by the rules of a change, and
// writes nothing.
func Check(ctx context.Context, d *desk.Desk, who desk.Caller, i *Import) (*Report, error) {
	if err := errors.Join(May(who, i.Kind), i.Plan()); err != nil {
		return nil, err
	}
	who.Origin = origin
	i.begin()
	report := &Report{Rows: make([]Row, len(i.Table.Rows))}
	for from := 0; from < len(report.Rows); from += chunkSize {
		to := min(from+chunkSize, len(report.Rows))
		err := d.Examine(ctx, func(tx *store.Tx) error {
			for at := from; at < to; at++ {
				w := &desk.Work{Desk: d, Tx: tx, Who: who, Kind: i.Kind, Imported: true, Dry: true}
				row, err := i.row(ctx, w, at)
				if err != nil {
					return err
				}
				report.Rows[at] = row
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		rows := make([]int, 0, chunkSize)
		for at := from; at < to; at++ {
			rows = append(rows, at)
			i.twice(at, &report.Rows[at])
			if before, follows := i.before[at]; follows {
				delete(i.made, before) // each has all parts of the rows before
			}
		}
		if err := i.noteChecked(ctx, rows, report.Rows[from:to]); err != nil {
			return nil, err
		}
		for at := from; at < to && i.note != nil; at++ {
			report.Rows[at] = report.Rows[at].brief()
		}
		i.progress(to)
	}
	return report.count(), nil
}

// noteChecked stores what would become of some rows.
func (i *Import) noteChecked(ctx context.Context, rows []int, fates []Row) error {
	if i.note == nil {
		return nil
	}
	return i.change(ctx, func(tx *store.Tx, _ desk.Caller) error { return i.note(ctx, tx, rows, fates) })
}

// origin is that of imports in the audit trail, whether they come from
// a page or from a command.
const origin = "import"

func (i *Import) progress(done int) {
	if i.Progress != nil {
		i.Progress(done, len(i.Table.Rows))
	}
}

// twice refuses a row with a value that no two records have and that a row
// before has, or that says of a record once more what becomes of it.
func (i *Import) twice(at int, row *Row) {
	i.partTwice(at, row)
	if _, follows := i.before[at]; follows {
		i.otherwise(at, row)
		return
	}
	uniques := [][]*kind.Field{}
	if i.Key != nil {
		uniques = append(uniques, i.Key)
	}
	if i.Kind.Together != nil {
		uniques = append(uniques, i.Kind.Together)
	}
	for _, f := range i.Kind.Fields {
		if f.Unique {
			uniques = append(uniques, []*kind.Field{f})
		}
	}
	told := map[string]bool{}
	for _, fields := range uniques {
		text, filled := i.joined(at, fields)
		if !filled || told[text] {
			continue
		}
		told[text] = true
		first, ok := i.seen[text]
		if !ok {
			i.seen[text] = i.Table.Rows[at].Number
			continue
		}
		row.refuse(i, message.New("%s is the same as in row %d", message.Word(wordsOf(fields)), first))
	}
}

// joined returns what a row has in some fields, for comparing, and whether it
// has anything.
func (i *Import) joined(at int, fields []*kind.Field) (text string, filled bool) {
	for _, f := range fields {
		value := strings.ToLower(i.cell(at, f))
		filled = filled || value != ""
		text += f.Name + "\x00" + value + "\x00"
	}
	return text, filled
}

// wordsOf returns the names of fields in messages.
func wordsOf(fields []*kind.Field) string {
	words := fields[0].Words()
	for _, f := range fields[1:] {
		words += ", " + strings.ToLower(f.Words())
	}
	return words
}

// refuse notes what is wrong with a row, and which column that is about.
func (r *Row) refuse(i *Import, faults ...message.Text) {
	if r.Fate != RowRefused {
		r.Fate, r.Says, r.Changes = RowRefused, "", nil
	}
	for _, fault := range faults {
		column, fault := i.about(fault)
		r.Faults = append(r.Faults, fault)
		if column >= 0 && !slices.Contains(r.Wrong, column) {
			r.Wrong = append(r.Wrong, column)
		}
	}
}

// about returns the column that a fault is about, or -1 for none, and the fault as it is said of a row, with what the
// file calls the column.
func (i *Import) about(fault message.Text) (column int, told message.Text) {
	if column, told = i.partFault(fault); column >= 0 {
		return column, told
	}
	for at, f := range i.Fields {
		if f != nil && i.lists[at] == nil && string(fault.Subject()) == f.Words() {
			return at, i.named(fault, at)
		}
	}
	return -1, fault
}

// named returns a fault with what the file calls the column that it is about.
func (i *Import) named(fault message.Text, column int) message.Text {
	return fault.WithSubject(message.Word(i.Table.Columns[column]))
}

// Name returns what the record of a row is called.
func (i *Import) Name(at int) string {
	for _, name := range []string{"name", "email", "asset-id"} {
		if f := i.Kind.Field(name); f != nil {
			if text := i.cell(at, f); text != "" {
				return text
			}
		}
	}
	return ""
}
