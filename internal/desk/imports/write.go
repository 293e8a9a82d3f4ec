package imports

import (
	"context"
	"errors"
	"io"
	"slices"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/sheet"
	"muster/internal/store"
)

// errRowRefused ends a transaction in which a row was refused. What the row has
// changed until then must not stay, nor what others of a whole have.
var errRowRefused = errors.New("a row was refused")

// Write writes the rows that Check has found in order, as far as that has not been done; what has become of
// each is in the report. A row may be refused only now, when others change records meanwhile. When all
// or nothing is asked for, one refused row leaves all others unwritten; of more than maxAtOnce rows those before it are
// written, and the error is errRowRefused: the job takes them back. The context may end between two chunks: the report, which is there with an error
// too, says what was written.
func Write(ctx context.Context, d *desk.Desk, who desk.Caller, i *Import, checked *Report) (*Report, error) {
	if err := errors.Join(May(who, i.Kind), i.Plan()); err != nil {
		return nil, err
	}
	who.Origin = origin
	i.begin()
	report := &Report{Rows: slices.Clone(checked.Rows)}
	writer := &writer{d, who, i, report}
	ready := writer.ready()
	if i.Whole && len(ready)+writer.settled() < len(report.Rows) {
		writer.leave(ready)
		return report.count(), nil
	}
	size := chunkSize
	if i.Whole && len(ready) <= maxAtOnce && !report.written() {
		size = maxAtOnce
	}
	done := len(report.Rows) - len(ready)
	for chunk := range slices.Chunk(ready, size) {
		if err := writer.chunk(ctx, chunk); err != nil {
			writer.leave(ready[slices.Index(ready, chunk[0]):])
			if errors.Is(err, errRowRefused) && !report.written() {
				err = nil // nothing is to be taken back
			}
			return report.count(), err
		}
		done += len(chunk)
		i.progress(done)
	}
	return report.count(), nil
}

// A writer writes the rows of an import.
type writer struct {
	*desk.Desk
	who    desk.Caller
	of     *Import
	report *Report
}

// ready returns the rows that are to be written.
func (w *writer) ready() (rows []int) {
	for at, row := range w.report.Rows {
		if (row.Fate == RowNew || row.Fate == RowChanged) && !row.Written {
			rows = append(rows, at)
		}
	}
	return rows
}

// leave notes that rows were not written.
func (w *writer) leave(rows []int) {
	for _, at := range rows {
		if row := &w.report.Rows[at]; row.Fate != RowRefused {
			*row = Row{Fate: RowLeft}
		}
	}
}

// settled returns how many rows say nothing new, or were written before.
func (w *writer) settled() (n int) {
	for _, row := range w.report.Rows {
		if row.Fate == RowSame || row.Written {
			n++
		}
	}
	return n
}

// chunk writes rows in one transaction. One that is refused is left out, and the
// others are written again; unless it is to be all or nothing.
func (w *writer) chunk(ctx context.Context, rows []int) error {
	var left []int
	for {
		err := w.write(ctx, rows, left)
		if !errors.Is(err, errRowRefused) || w.of.Whole {
			return err
		}
		refused := func(at int) bool { return w.report.Rows[at].Fate == RowRefused }
		left = append(left, rows[slices.IndexFunc(rows, refused)])
		rows = slices.DeleteFunc(slices.Clone(rows), refused)
	}
}

// write writes rows in one transaction, none when one is refused, and notes those that are left since they were refused.
func (w *writer) write(ctx context.Context, rows, left []int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var noted []int
	var fates []Row
	err := w.update(ctx, func(tx *store.Tx, who desk.Caller) (err error) {
		var changes changesOf
		outcome := make([]Row, len(rows))
		for n, at := range rows {
			if err := ctx.Err(); err != nil {
				return err
			}
			one := &desk.Work{
				Desk: w.Desk, Tx: tx, Who: who, Kind: w.of.Kind, Imported: true, Later: w.of.parts != nil,
			}
			if outcome[n], err = w.of.row(ctx, one, at); err != nil {
				return err
			}
			if outcome[n].Fate == RowRefused {
				w.report.Rows[at] = outcome[n]
				return errRowRefused
			}
			outcome[n].journal(one)
			if one.Later {
				changes.add(w.of.lead(at), one)
			}
		}
		if err := changes.finish(ctx); err != nil {
			return err
		}
		if noted, fates, err = w.together(ctx, tx, rows, outcome, left); err != nil || w.of.note == nil {
			return err
		}
		return w.of.note(ctx, tx, noted, fates)
	})
	if err != nil {
		return err
	}
	for n, at := range noted {
		if w.of.note != nil {
			fates[n] = fates[n].brief()
		}
		w.report.Rows[at] = fates[n]
	}
	return nil
}

// noted returns what has become of a row before.
func (w *writer) noted(ctx context.Context, tx *store.Tx, at int) (Row, error) {
	if w.of.note == nil {
		return w.report.Rows[at], nil
	}
	return w.of.noted(ctx, tx, at)
}

// journal notes in a row that was written what takes it back.
func (r *Row) journal(w *desk.Work) {
	r.Written = true
	if r.Fate == RowSame {
		return
	}
	r.Version = w.Kind.Meta(w.Rec).Version
	if r.Made = w.Old == nil; r.Made {
		return
	}
	r.Was = w.Kind.AppendRecord(nil, kind.XML, "", w.Old)
	if old, ok := w.Old.(*inventory.Computer); ok {
		for _, f := range w.Kind.Fields {
			if w.Rec.(*inventory.Computer).KeptFromReports(f) && !old.KeptFromReports(f) && w.Kind.Values(old).Format(f) != "" {
				r.Told = append(r.Told, f.Name)
			}
		}
	}
}

// together returns what has become of rows, and of those that were refused before. Of several rows about one record the
// first has what takes all of them back.
func (w *writer) together(ctx context.Context, tx *store.Tx, rows []int, outcome []Row, left []int) ([]int, []Row, error) {
	rows = slices.Clone(rows)
	for n := range outcome {
		lead := w.of.lead(rows[n])
		if lead == rows[n] || outcome[n].Version == 0 {
			continue
		}
		i := slices.Index(rows, lead)
		if i < 0 {
			before, err := w.noted(ctx, tx, lead)
			if err != nil {
				return nil, nil, err
			}
			i = len(rows)
			rows, outcome = append(rows, lead), append(outcome, before)
		}
		if outcome[i].Version == 0 {
			outcome[i].Was = outcome[n].Was
		}
		outcome[i].Version, outcome[n].Version, outcome[n].Was = outcome[n].Version, 0, nil
		outcome[n].Lead = int64(lead) + 1
	}
	for _, at := range left {
		rows, outcome = append(rows, at), append(outcome, w.report.Rows[at])
	}
	return rows, outcome, nil
}

// A changesOf has the changes of records that rows with their parts make in one
// transaction, from the state that the first of each record found to that which the
// last of it left.
type changesOf struct {
	all    []*desk.Work
	byLead map[int]*desk.Work
}

// add adds the change of a row, with the first row that is about its record.
func (c *changesOf) add(lead int, w *desk.Work) {
	if first := c.byLead[lead]; first != nil {
		first.Rec = w.Rec
		return
	}
	if c.byLead == nil {
		c.byLead = map[int]*desk.Work{}
	}
	c.all, c.byLead[lead] = append(c.all, w), w
}

// finish does once what follows elsewhere from all changes of a record: to match a
// licence of many items with all software for each of them would take long, and
// others wait for it.
func (c *changesOf) finish(ctx context.Context) error {
	for _, w := range c.all {
		w.Later = false
		if err := w.Stored(ctx); err != nil {
			return err
		}
	}
	return nil
}

// update runs f in a transaction in which the caller's rights hold.
func (w *writer) update(ctx context.Context, f func(*store.Tx, desk.Caller) error) error {
	if w.of.change != nil {
		return w.of.change(ctx, f)
	}
	if w.who.User == nil {
		return w.Updating(w.of.Kind)(ctx, func(tx *store.Tx) error { return f(tx, w.who) })
	}
	who := w.who
	return w.Change(ctx, &who, desk.Creating, w.of.Kind, func(tx *store.Tx) error {
		if err := May(who, w.of.Kind); err != nil {
			return err
		}
		return f(tx, who)
	})
}

// Remaining writes the rows that a report has as refused or not written, as CSV with what is
// wrong with each before its cells, so that they can be mended and imported
// again. Secrets are left out.
func (i *Import) Remaining(w io.Writer, report *Report) error {
	out := i.rest(w)
	for at := range report.Rows {
		if err := out.add(at, &report.Rows[at]); err != nil {
			return err
		}
	}
	return out.Close()
}

// A rest writes the rows that are refused or not written.
type rest struct {
	*sheet.CSV
	of *Import
}

// rest begins to write such rows.
func (i *Import) rest(w io.Writer) *rest {
	return &rest{sheet.NewCSV(w, append([]string{"Row", "Problem"}, i.Table.Columns...)), i}
}

// add writes a row, unless it is or will be written.
func (r *rest) add(at int, row *Row) error {
	why := message.Join(row.Faults, "; ")
	switch row.Fate {
	case RowRefused:
	case RowLeft:
		why = RowLeft.String()
	default:
		return nil
	}
	values := []any{int64(r.of.Table.Rows[at].Number), why}
	for column, f := range r.of.Fields {
		cell := r.of.Table.Rows[at].Cell(column)
		if f != nil && f.Secret {
			cell = ""
		}
		values = append(values, cell)
	}
	return r.Row(values)
}
