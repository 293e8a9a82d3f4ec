// Package sheet reads and writes tables that people keep in files: CSV as
// spreadsheets and other programs write it, and XLSX workbooks. A table is read whole, as texts:
// what a number, a date or a truth value is in the file becomes the text that a
// document of the API has for it. Files come from anywhere, so all that they
// could make large is limited, and errors name the row and column.
package sheet

import (
	"bytes"
	"strings"

	"muster/internal/message"
)

// MaxFile is the largest file that is read.
const MaxFile = 32 << 20

// Of a table: more than the first three is an error, as is more text in all.
const (
	MaxRows    = 100_000
	MaxColumns = 256
	maxCells   = 1_000_000
	maxText    = 32 << 20
	maxCell    = 64 << 10 // bytes; spreadsheets allow 32,767 characters
)

// A Table is the content of a file: the names of its columns, and its rows.
type Table struct {
	Columns  []string
	Rows     []Row
	Workbook bool // its numbers are numbers, not what somebody has written
	Size     int  // about how many bytes it takes in memory
}

// A Row is one row of a table.
type Row struct {
	Number int          // in the file, from 1, as spreadsheets count
	Fault  message.Text // what is wrong with the row as such, nothing for one that is in order
	cells  []string     // as far as the file has them: a short row of a wide table would take much memory
}

// Cell returns what a row has in a column, "" where the row has ended before it.
func (r *Row) Cell(column int) string {
	if column >= len(r.cells) {
		return ""
	}
	return r.cells[column]
}

// About how many bytes a cell and a row take besides their texts.
const (
	cellSize = 16
	rowSize  = 80
)

// Read reads the table of a file: an XLSX workbook, of which it is the first
// sheet that is not hidden, or CSV. The first row that is not empty has the names of the
// columns. Empty rows are left out.
func Read(file []byte) (*Table, error) {
	b := &builder{table: &Table{}}
	var err error
	switch {
	case len(file) > MaxFile:
		return nil, message.Errorf("the file is larger than %d MiB: split it", MaxFile>>20)
	case bytes.HasPrefix(file, []byte("PK\x03\x04")):
		b.table.Workbook = true
		err = readWorkbook(file, b)
	case bytes.HasPrefix(file, []byte("\xd0\xcf\x11\xe0")):
		return nil, message.Errorf("the file is an old Excel file, or one with a password: " +
			"save it as XLSX without a password, or as CSV")
	default:
		b.even = true
		err = readCSV(file, b)
	}
	if err != nil {
		return nil, err
	}
	if b.table.Columns == nil {
		return nil, message.Errorf("the file is empty: its first row must have the names of the columns")
	}
	b.table.Size = len(b.table.Rows)*rowSize + b.cells*cellSize + b.text
	return b.table, nil
}

// A builder makes a table of the rows of a file.
type builder struct {
	table *Table
	even  bool // each row has a cell for each column in the file, also an empty one
	cells int
	text  int
}

// add adds a row of the file, unless it is empty. It keeps the cells.
func (b *builder) add(number int, cells []string, fault message.Text) error {
	filled := len(cells)
	for filled > 0 && strings.TrimSpace(cells[filled-1]) == "" {
		filled--
	}
	if filled == 0 && fault.IsZero() {
		return nil
	}
	if err := b.limit(number, cells); err != nil {
		return err
	}
	if b.table.Columns == nil {
		b.table.Columns = names(cells[:filled])
		return nil
	}
	want := len(b.table.Columns)
	if fault.IsZero() && (filled > want || b.even && len(cells) < want) {
		fault = unevenRow(max(filled, min(len(cells), want)), want)
	}
	b.table.Rows = append(b.table.Rows, Row{number, fault, cells[:min(len(cells), want)]})
	return nil
}

// unevenRow says that a row has another number of columns than the table.
func unevenRow(got, want int) message.Text {
	if got == 1 {
		return message.New("The row has %d column, %d expected", got, want)
	}
	return message.New("The row has %d columns, %d expected", got, want)
}

// limit returns an error when the table becomes too large.
func (b *builder) limit(number int, cells []string) error {
	b.cells += len(cells)
	for i, cell := range cells {
		b.text += len(cell)
		if len(cell) > maxCell {
			return message.Errorf("row %d, column %s: the text is longer than %d KiB; is a quotation mark missing?",
				number, Letters(i), maxCell>>10)
		}
	}
	switch {
	case len(cells) > MaxColumns:
		return message.Errorf("row %d has more than %d columns", number, MaxColumns)
	case len(b.table.Rows) == MaxRows:
		return message.Errorf("row %d: the file has more than %d rows: split it", number, MaxRows)
	case b.cells > maxCells:
		return message.Errorf("row %d: the file has more than %d cells: split it, or leave out columns",
			number, maxCells)
	case b.text > maxText:
		return message.Errorf("row %d: the file has more than %d MiB of text: split it", number, maxText>>20)
	}
	return nil
}

// names returns the names of columns. One without a name is called by its
// letters.
func names(cells []string) []string {
	all := make([]string, len(cells))
	for i, cell := range cells {
		if all[i] = strings.Join(strings.Fields(cell), " "); all[i] == "" {
			all[i] = "Column " + Letters(i)
		}
	}
	return all
}

// Letters returns what spreadsheets call a column, from 0: A, B … Z, AA.
func Letters(column int) string {
	letters := ""
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		letters = string(rune('A'+(n-1)%26)) + letters
	}
	return letters
}
