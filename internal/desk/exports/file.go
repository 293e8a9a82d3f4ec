package exports

import (
	"io"

	"muster/internal/kind"
	"muster/internal/sheet"
)

// A Format is what the file of an export is.
type Format struct {
	Extension string
	Media     string
	begin     func(out io.Writer, of *Sheet) table
}

// Formats are what files can be.
var Formats = []*Format{
	{"csv", "text/csv; charset=utf-8", func(out io.Writer, of *Sheet) table { return sheet.NewCSV(out, of.Heads) }},
	{"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		func(out io.Writer, of *Sheet) table { return sheet.NewWriter(out, of.Title, of.Heads) }},
}

// A table is a file of rows that is being written.
type table interface {
	Row(values []any) error
	Close() error
}

// A Sheet says what a file has of records: the fields, under heads.
type Sheet struct {
	Title  string // of the workbook's sheet
	Fields []*kind.Field
	Heads  []string
}

// A Spelling returns what a file says of a value to the person who asked for it.
type Spelling func(v kind.Values, f *kind.Field) any

// A Writer writes records as the rows of a file. It keeps none of them.
type Writer struct {
	table  table
	kind   *kind.Schema
	fields []*kind.Field
	spell  Spelling
	values []any
}

// NewWriter begins a file of records of a kind.
func NewWriter(out io.Writer, f *Format, k *kind.Schema, of *Sheet, spell Spelling) *Writer {
	return &Writer{f.begin(out, of), k, of.Fields, spell, make([]any, len(of.Fields))}
}

// Add writes records.
func (w *Writer) Add(recs []any) error {
	for _, rec := range recs {
		v := w.kind.Values(rec)
		for i, f := range w.fields {
			w.values[i] = w.spell(v, f)
		}
		if err := w.table.Row(w.values); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the file.
func (w *Writer) Close() error { return w.table.Close() }
