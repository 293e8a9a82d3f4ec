package archive

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A Writer writes a file: its head, then files and statements, then table by
// table, then its end.
type Writer struct {
	out    *zstd.Encoder
	sealed *sealer
	before int  // bytes of parts before the first table
	table  *Sum // of the table that is being written, nil before the first
	head   [1 + binary.MaxVarintLen64]byte
	buf    []byte
	failed error
}

// NewWriter returns a writer of a file with a head.
func NewWriter(out io.Writer, head Head) (*Writer, error) {
	sealed := newSealer(out)
	encoder, err := zstd.NewWriter(sealed, zstd.WithWindowSize(window))
	if err != nil {
		return nil, err
	}
	w := &Writer{out: encoder, sealed: sealed}
	head.Format = format
	return w, w.document(headPart, head)
}

// File writes a file of the installation.
func (w *Writer) File(f File) error { return w.document(filePart, f) }

// Statement writes a statement that makes or changes tables, in the words
// that all databases share.
func (w *Writer) Statement(sql string) error { return w.part(statementPart, []byte(sql)) }

// Table begins a table, whose rows follow.
func (w *Writer) Table(t Table) error {
	w.table = NewSum()
	return w.document(tablePart, t)
}

// Row writes a row of the table: for each column a nil, int64, string or
// []byte.
func (w *Writer) Row(row []any) error {
	w.buf = appendRow(w.buf[:0], row)
	w.table.add(w.buf)
	return w.part(rowPart, w.buf)
}

// EndTable ends the table; lastID is the last that it gave to a record.
func (w *Writer) EndTable(lastID int64) error {
	return w.document(tableEndPart, w.table.Extent(lastID))
}

// Close ends and seals the file, without which it is not one.
func (w *Writer) Close() error {
	if err := errors.Join(w.part(endPart, nil), w.out.Close()); err != nil {
		return err
	}
	return w.sealed.seal()
}

// document writes a part of JSON.
func (w *Writer) document(letter byte, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return w.part(letter, text)
}

// part writes a part.
func (w *Writer) part(letter byte, payload []byte) error {
	if w.table == nil {
		w.before += len(payload)
	}
	if w.failed == nil && w.before > maxBefore {
		w.failed = errors.New("the keys and statements are too long for a backup")
	}
	if w.failed == nil {
		w.failed = checkLength(letter, uint64(len(payload)))
	}
	head := binary.AppendUvarint(append(w.head[:0], letter), uint64(len(payload)))
	for _, piece := range [][]byte{head, payload} {
		if w.failed == nil {
			_, w.failed = w.out.Write(piece)
		}
	}
	return w.failed
}
