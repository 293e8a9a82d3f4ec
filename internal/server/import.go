package server

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/imports"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/sheet"
	"muster/internal/web"
	webimports "muster/internal/web/imports"
)

// An ImportCommand imports the records of a table.
type ImportCommand struct {
	Kind  string
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
	Kind     string // what people call a record
	Key      string
	Number   string                   // the key by id or number, to choose where there is no other
	Matched  []string                 // the columns, as "column: field"
	Ignored  []string                 // columns that are left out
	Count    [imports.RowLeft + 1]int // by fate
	Rows     int                      // in all
	Problems []imports.Problem        // of the first rows that are refused
	Rest     string                   // all that are not written, as CSV
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
	i, res, err := c.plan(h.desk)
	if err != nil {
		return nil, err
	}
	progress := progressOf(ctx)
	i.Progress = func(done, total int) { progress("checked", int64(done), int64(total)) }
	report, err := imports.Check(ctx, h.desk, origin, i)
	if err != nil {
		return nil, err
	}
	if !c.Check {
		i.Progress = func(done, total int) { progress("written", int64(done), int64(total)) }
		if report, err = imports.Write(ctx, h.desk, origin, i, report); err != nil && report == nil {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("%d rows were written before: %w",
				report.Count[imports.RowNew]+report.Count[imports.RowChanged], err)
		}
	}
	res.Rows, res.Count, res.Problems = len(report.Rows), report.Count, i.Problems(report, mostProblems)
	var rest strings.Builder
	err = i.Remaining(&rest, report)
	res.Rest = rest.String()
	return res, err
}

// plan reads the table and matches its columns.
func (c ImportCommand) plan(d *desk.Desk) (*imports.Import, *ImportResult, error) {
	k, err := imports.Kind(c.Kind)
	if err != nil {
		return nil, nil, err
	}
	zone, err := time.LoadLocation(c.Zone)
	if err != nil || zone == time.Local {
		return nil, nil, fmt.Errorf("there is no time zone %q: name one as Europe/Berlin", c.Zone)
	}
	table, err := sheet.Read(c.File)
	if err != nil {
		return nil, nil, err
	}
	i := &imports.Import{
		Kind: k, Table: table, Fields: webimports.MatchColumns(web.Sections(inventory.Served()).Of(k), table.Columns),
		Clear: c.Clear, Whole: !c.Good && !c.Check, Spelling: webimports.English(d, zone),
	}
	if err := c.match(i); err != nil {
		return nil, nil, err
	}
	res := &ImportResult{Kind: k.Noun, Key: c.Key}
	switch strings.ToLower(c.Key) {
	case noKey:
		res.Key = ""
	case "":
		res.Key = imports.UsualKey(k, i.Fields)
	}
	if i.Key, err = imports.KeyFields(k, res.Key); err != nil {
		return nil, nil, err
	}
	if res.Key == "" && c.Key == "" {
		res.Number = imports.NumberKey(i.Fields)
	}
	for at, f := range i.Fields {
		if f == nil {
			res.Ignored = append(res.Ignored, table.Columns[at])
		} else {
			res.Matched = append(res.Matched, table.Columns[at]+": "+imports.Label(k, f))
		}
	}
	return i, res, nil
}

// match matches columns as the command says.
func (c ImportCommand) match(i *imports.Import) error {
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
