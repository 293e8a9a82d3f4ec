// Package archive defines the file of a backup: the statements that make a database's tables, the rows of each
// table, and the keys that belong to it. It does not depend on the database, so that an installation can move
// from one to another. Reading and writing databases does not belong here, but in package copy.
//
// A file is a zstd stream of parts: a letter, a length and so many bytes. A seal after it has the SHA-256 sum
// of every byte before; the end of each table has a sum of its rows, by which a loaded table is verified.
package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"time"
)

// format is the number of the form of these files.
const format = 1

// The letters of parts, in their order.
const (
	headPart      = 'H'
	filePart      = 'F'
	statementPart = 'S'
	tablePart     = 'T'
	rowPart       = 'R'
	tableEndPart  = 'E'
	endPart       = 'Z'
)

// Limits of a file, so that none takes much memory, however far it expands. Writing something larger fails too.
const (
	maxRow    = 64 << 20 // a record is far shorter
	maxPart   = 1 << 20  // any other part
	maxBefore = 16 << 20 // all parts before the first table
	window    = 8 << 20  // how far back the compression looks
)

// checkLength refuses a part that is too long.
func checkLength(letter byte, length uint64) error {
	if length > maxPart && letter != rowPart || length > maxRow {
		return fmt.Errorf("a part of %d bytes is too long for a backup", length)
	}
	return nil
}

// ErrDamaged is wrapped by the errors of a file that is not as it was written.
var ErrDamaged = errors.New("the backup is damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// A Head describes the file.
type Head struct {
	Format   int
	Version  string    // of the program that wrote it
	Made     time.Time // when the state was taken
	Database string    // that it was taken of, for people
	Rows     int64     // of all tables
}

// A File is a file of the installation that belongs to its database.
type File struct {
	Name string // without a folder
	Data []byte
}

// A Type is the type of a column, besides null.
type Type string

// Types of columns.
const (
	Int  Type = "int"
	Text Type = "text"
	Blob Type = "blob"
)

// A Column is a column of a table.
type Column struct {
	Name string
	Type Type
}

// A Table is a table's form. Its rows follow in the order of its key.
type Table struct {
	Name    string
	Columns []Column
	Key     []string // the columns of the primary key
}

// Names returns the names of the columns.
func (t Table) Names() []string {
	names := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		names[i] = column.Name
	}
	return names
}

// An Extent is what there is of a table: two tables with equal extents are
// equal.
type Extent struct {
	Rows   int64
	LastID int64  // that was ever given to a record, 0 when the table gives none
	Sum    []byte // SHA-256 of the rows, in order
}

// A Sum measures the rows of a table.
type Sum struct {
	rows int64
	hash hash.Hash
	buf  []byte
}

// NewSum returns a sum of no rows.
func NewSum() *Sum { return &Sum{hash: sha256.New()} }

// Add adds a row.
func (s *Sum) Add(row []any) {
	s.buf = appendRow(s.buf[:0], row)
	s.add(s.buf)
}

func (s *Sum) add(row []byte) {
	s.rows++
	s.hash.Write(row)
}

// Extent returns what there is of a table with these rows.
func (s *Sum) Extent(lastID int64) Extent {
	return Extent{Rows: s.rows, LastID: lastID, Sum: s.hash.Sum(nil)}
}

// appendRow appends a row: for each value its type and, of texts and blobs,
// its length.
func appendRow(b []byte, row []any) []byte {
	for _, value := range row {
		switch v := value.(type) {
		case nil:
			b = append(b, 'n')
		case int64:
			b = binary.AppendVarint(append(b, 'i'), v)
		case string:
			b = binary.AppendUvarint(append(b, 't'), uint64(len(v)))
			b = append(b, v...)
		case []byte:
			b = binary.AppendUvarint(append(b, 'b'), uint64(len(v)))
			b = append(b, v...)
		default:
			panic(fmt.Sprintf("archive: a value of type %T", value))
		}
	}
	return b
}

// readRow reads a row of n values into row.
func readRow(b []byte, row []any, n int) ([]any, error) {
	row = row[:0]
	for range n {
		if len(b) == 0 {
			return nil, damaged("a row is too short")
		}
		sort := b[0]
		b = b[1:]
		switch sort {
		case 'n':
			row = append(row, nil)
		case 'i':
			v, size := binary.Varint(b)
			if size <= 0 {
				return nil, damaged("a number does not end")
			}
			row, b = append(row, v), b[size:]
		case 't', 'b':
			length, size := binary.Uvarint(b)
			if size <= 0 || length > uint64(len(b)-size) {
				return nil, damaged("a value is longer than its row")
			}
			value := b[size : size+int(length)]
			b = b[size+int(length):]
			if sort == 't' {
				row = append(row, string(value))
			} else {
				row = append(row, append([]byte{}, value...))
			}
		default:
			return nil, damaged("a value is of the unknown type %q", sort)
		}
	}
	if len(b) > 0 {
		return nil, damaged("a row is too long")
	}
	return row, nil
}
