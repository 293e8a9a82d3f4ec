package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"muster/internal/desk/imports"
	"muster/internal/desk/jobs"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/sheet"
	"muster/internal/web"
	webimports "muster/internal/web/imports"
)

// An ImportCommand imports the records of a table.
type ImportCommand struct {
	Kind  string
	Name  string            // of the file
	File  []byte            // as it is, CSV or XLSX
	Match map[string]string // fields by columns that are not called like them; "" leaves a column out
	Key   string            // by which records are recognised, "" for the usual one, none for every row being new
	Zone  string            // of times that are without one, "" for that of the world
	Clear bool              // empty cells take values away
	Good  bool              // good rows are written, whatever becomes of the others
	Check bool              // nothing is written
}

// noKey is the key of an import of which every row is a new record.
const noKey = "none"

// An ImportResult is the outcome of an ImportCommand.
type ImportResult struct {
	ID       int64  // by which it can be undone, 0 when nothing was written
	Kind     string // what people call a record
	Key      string
	Number   string            // the key by id or number, to choose where there is no other
	Matched  []string          // the columns, as "column: field"
	Ignored  []string          // columns that are left out
	Count    imports.Counts    // by fate
	Rows     int               // in all
	Problems []imports.Problem // of the first rows that are refused
	Rest     string            // all that are not written, as CSV
}

// mostProblems is how many refused rows a result lists.
const mostProblems = 100

// Import carries out a command that imports records, whether or not a server
// runs on the data folder.
func (p *Place) Import(ctx context.Context, cmd ImportCommand, progress Progress) (*ImportResult, error) {
	return do(withProgress(ctx, progress), p, cmd)
}

func (c ImportCommand) path() string { return "/import" }

func (c ImportCommand) first() bool { return false }

func (c ImportCommand) carryOut(ctx context.Context, h *installation) (*ImportResult, error) {
	w, err := c.open(ctx, h)
	if err != nil {
		return nil, err
	}
	if err := w.do(ctx, progressOf(ctx)); err != nil {
		return nil, err
	}
	return w.result(ctx)
}

// An importWork is a command that imports records, while it is carried out.
type importWork struct {
	ImportCommand
	*imports.Service
	id      int64
	choice  imports.Choice
	writing jobs.Writing
	plan    *imports.Import
	res     *ImportResult
}

// open begins the import of the file.
func (c ImportCommand) open(ctx context.Context, h *installation) (*importWork, error) {
	k, err := imports.Kind(c.Kind)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(c.Zone)
	if err != nil || zone == time.Local {
		return nil, fmt.Errorf("there is no time zone %q: name one as Europe/Berlin", c.Zone)
	}
	table, err := h.imports.Read(ctx, c.File)
	if err != nil {
		return nil, err
	}
	w := &importWork{ImportCommand: c, Service: h.imports, writing: jobs.Writing{Zone: zone.String()}}
	if err := w.match(k, table); err != nil {
		return nil, err
	}
	w.id, err = h.imports.Open(ctx, origin, k, c.Name, c.File, table, w.choice)
	if err != nil {
		return nil, err
	}
	w.plan, err = h.imports.Plan(ctx, w.id, k, w.choice, w.writing)
	return w, err
}

// do checks the rows, and writes them unless they are only to be checked.
func (w *importWork) do(ctx context.Context, progress Progress) error {
	part := func(name string) *imports.Service {
		return w.Here(origin, func(done, total int) { progress(name, int64(done), int64(total)) })
	}
	if err := part("checked").Check(ctx, origin, w.id, w.plan, w.choice, w.writing); err != nil {
		return err
	}
	if err := w.fault(ctx); err != nil || w.ImportCommand.Check {
		return err
	}
	if err := part("written").Write(ctx, origin, w.id, !w.Good); err != nil {
		return err
	}
	return w.fault(ctx)
}

// fault returns why the import came to nothing, or is tried again.
func (w *importWork) fault(ctx context.Context) error {
	st, err := w.Of(ctx, origin, w.id)
	if err == nil && !st.Fault.IsZero() {
		err = errors.New(st.Fault.String())
	}
	return err
}

// result returns the outcome.
func (w *importWork) result(ctx context.Context) (*ImportResult, error) {
	st, err := w.Of(ctx, origin, w.id)
	if err != nil {
		return nil, err
	}
	w.res.Rows, w.res.Count = st.Rows, st.Count
	if st.Undoable {
		w.res.ID = w.id
	}
	var rest strings.Builder
	if err := w.Rest(ctx, st, &rest); err != nil {
		return nil, err
	}
	w.res.Rest = rest.String()
	refused := imports.RowRefused
	rows, err := w.Rows(ctx, st, &refused, 0, mostProblems)
	w.res.Problems = w.plan.Problems(rows)
	if err == nil && w.ImportCommand.Check {
		err = w.Stop(ctx, origin, w.id)
	}
	return w.res, err
}

// match matches the columns of a table.
func (w *importWork) match(k *kind.Schema, table *sheet.Table) error {
	i := &imports.Import{Kind: k, Table: table,
		Fields: webimports.MatchColumns(web.Sections(inventory.Served()).Of(k), table.Columns)}
	if err := w.matchByHand(i); err != nil {
		return err
	}
	w.res = &ImportResult{Kind: k.Noun, Key: w.Key}
	switch strings.ToLower(w.Key) {
	case noKey:
		w.res.Key = ""
	case "":
		w.res.Key = imports.UsualKey(k, i.Fields)
	}
	if _, err := imports.KeyFields(k, w.res.Key); err != nil {
		return err
	}
	if w.res.Key == "" && w.Key == "" {
		w.res.Number = imports.NumberKey(i.Fields)
	}
	w.choice = imports.Choice{Fields: make([]string, len(i.Fields)), Chosen: w.res.Key, Key: w.res.Key, Clear: w.Clear}
	for at, f := range i.Fields {
		if f == nil {
			w.res.Ignored = append(w.res.Ignored, table.Columns[at])
			continue
		}
		w.choice.Fields[at] = imports.Name(k, f)
		w.res.Matched = append(w.res.Matched, table.Columns[at]+": "+imports.Label(k, f))
	}
	return nil
}

// matchByHand matches columns as the command says.
func (c ImportCommand) matchByHand(i *imports.Import) error {
	for _, column := range slices.Sorted(maps.Keys(c.Match)) {
		at := slices.IndexFunc(i.Table.Columns,
			func(name string) bool { return strings.EqualFold(name, strings.TrimSpace(column)) })
		if at < 0 {
			return fmt.Errorf("the file has no column %q: it has %s", column, strings.Join(i.Table.Columns, ", "))
		}
		name := strings.TrimSpace(c.Match[column])
		f := imports.Field(i.Kind, name)
		if f == nil && name != "" {
			return fmt.Errorf("a %s has no field %q: it has %s", i.Kind.Noun, name,
				strings.Join(fieldNames(i.Kind), ", "))
		}
		if before := slices.Index(i.Fields, f); f != nil && before >= 0 {
			i.Fields[before] = nil // which was matched only by its name
		}
		i.Fields[at] = f
	}
	return nil
}

// fieldNames returns what a column of a kind can be.
func fieldNames(k *kind.Schema) (names []string) {
	for _, f := range imports.Fields(k) {
		names = append(names, imports.Name(k, f))
	}
	return names
}

// An ImportUndoCommand takes an import back.
type ImportUndoCommand struct{ ID int64 }

// An ImportUndoResult is the outcome of an ImportUndoCommand.
type ImportUndoResult struct {
	File  string
	Count imports.Counts    // by fate
	Stay  []imports.Problem // the first rows that stay
}

// UndoImport carries out a command that takes an import back, whether or not a server runs on the data folder.
func (p *Place) UndoImport(ctx context.Context, cmd ImportUndoCommand) (*ImportUndoResult, error) {
	return do(ctx, p, cmd)
}

func (c ImportUndoCommand) path() string { return "/import/undo" }

func (c ImportUndoCommand) first() bool { return false }

func (c ImportUndoCommand) carryOut(ctx context.Context, h *installation) (*ImportUndoResult, error) {
	if err := h.imports.Here(origin, func(int, int) {}).Undo(ctx, origin, c.ID); err != nil {
		return nil, err
	}
	st, err := h.imports.Of(ctx, origin, c.ID)
	if err != nil {
		return nil, err
	}
	if st.Stage == imports.TakingBack {
		return nil, fmt.Errorf("the import is not taken back yet, and a server goes on with it: %v", st.Fault)
	}
	if st.Broken {
		return nil, fmt.Errorf("the import is not taken back as a whole: %v", st.Fault)
	}
	plan, err := h.imports.Plan(ctx, c.ID, st.Kind, st.Choice, jobs.Writing{})
	if err != nil {
		return nil, err
	}
	stay := imports.RowStays
	rows, err := h.imports.Rows(ctx, st, &stay, 0, mostProblems)
	return &ImportUndoResult{st.File, st.Count, plan.Problems(rows)}, err
}
