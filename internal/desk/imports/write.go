package imports

import (
	"context"
	"errors"
	"io"
	"slices"

	"muster/internal/desk"
	"muster/internal/message"
	"muster/internal/sheet"
	"muster/internal/store"
)

// errRowRefused ends a transaction in which a row was refused. What the row has
// changed until then must not stay, nor what others of a whole have.
var errRowRefused = errors.New("a row was refused")

// Write writes the rows that Check has found in order; what has become of
// each is in the report. A row may be refused only now, when others change records meanwhile. When all
// or nothing is asked for, one refused row leaves all others unwritten. The
// context may end between two chunks: the report, which is there with an error
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
	if i.Whole {
		err := writer.whole(ctx, ready)
		return report.count(), err
	}
	done := len(report.Rows) - len(ready)
	for chunk := range slices.Chunk(ready, chunkSize) {
		if err := writer.chunk(ctx, chunk); err != nil {
			writer.leave(ready[slices.Index(ready, chunk[0]):])
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
		if row.Fate == RowNew || row.Fate == RowChanged {
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

// whole writes all rows in one transaction, if none is refused.
func (w *writer) whole(ctx context.Context, rows []int) error {
	if len(rows)+w.checkedSame() < len(w.report.Rows) {
		w.leave(rows)
		return nil
	}
	err := w.write(ctx, rows, func(done int) { w.of.progress(w.checkedSame() + done) })
	if err != nil {
		w.leave(rows)
	}
	if errors.Is(err, errRowRefused) {
		return nil
	}
	return err
}

// checkedSame returns how many rows say nothing new.
func (w *writer) checkedSame() (n int) {
	for _, row := range w.report.Rows {
		if row.Fate == RowSame {
			n++
		}
	}
	return n
}

// chunk writes rows in one transaction. One that is refused is left out, and the
// others are written again.
func (w *writer) chunk(ctx context.Context, rows []int) error {
	for {
		err := w.write(ctx, rows, func(int) {})
		if !errors.Is(err, errRowRefused) {
			return err
		}
		rows = slices.DeleteFunc(slices.Clone(rows), func(at int) bool { return w.report.Rows[at].Fate == RowRefused })
	}
}

// write writes rows in one transaction, none when one is refused.
func (w *writer) write(ctx context.Context, rows []int, progress func(done int)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	outcome := make([]Row, len(rows))
	err := w.update(ctx, func(tx *store.Tx) (err error) {
		var changes changesOf
		for n, at := range rows {
			if err := ctx.Err(); err != nil {
				return err
			}
			one := &desk.Work{
				Desk: w.Desk, Tx: tx, Who: w.who, Kind: w.of.Kind, Imported: true, Later: w.of.parts != nil,
			}
			if outcome[n], err = w.of.row(ctx, one, at); err != nil {
				return err
			}
			if outcome[n].Fate == RowRefused {
				w.report.Rows[at] = outcome[n]
				return errRowRefused
			}
			if one.Later {
				changes.add(w.of.lead(at), one)
			}
			progress(n + 1)
		}
		return changes.finish(ctx)
	})
	if err != nil {
		return err
	}
	for n, at := range rows {
		w.report.Rows[at] = outcome[n]
	}
	return nil
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
func (w *writer) update(ctx context.Context, f func(*store.Tx) error) error {
	if w.who.User == nil {
		return w.Updating(w.of.Kind)(ctx, f)
	}
	who := w.who
	return w.Change(ctx, &who, desk.Creating, w.of.Kind, func(tx *store.Tx) error {
		if err := May(who, w.of.Kind); err != nil {
			return err
		}
		return f(tx)
	})
}

// Remaining writes the rows that a report has as refused or not written, as CSV with what is
// wrong with each before its cells, so that they can be mended and imported
// again. Secrets are left out.
func (i *Import) Remaining(w io.Writer, report *Report) error {
	out := sheet.NewCSV(w, append([]string{"Row", "Problem"}, i.Table.Columns...))
	for at, row := range report.Rows {
		if row.Fate != RowRefused && row.Fate != RowLeft {
			continue
		}
		why := message.Join(row.Faults, "; ")
		if row.Fate == RowLeft {
			why = RowLeft.String()
		}
		values := []any{int64(i.Table.Rows[at].Number), why}
		for column, cell := range i.Table.Rows[at].Cells {
			if f := i.Fields[column]; f != nil && f.Secret {
				cell = ""
			}
			values = append(values, cell)
		}
		if err := out.Row(values); err != nil {
			return err
		}
	}
	return out.Close()
}
