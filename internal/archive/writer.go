package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A Writer writes a file: its head, then files and statements, then table by
// table, then its end.
type Writer struct {
	out    *zstd.Encoder
	hash   hash.Hash // of all frames so far
	table  *Sum      // of the table that is being written
	head   [1 + binary.MaxVarintLen64]byte
	buf    []byte
	failed error
}

// NewWriter returns a writer of a file with a head.
func NewWriter(out io.Writer, head Head) (*Writer, error) {
	encoder, err := zstd.NewWriter(out)
	if err != nil {
		return nil, err
	}
	w := &Writer{out: encoder, hash: sha256.New()}
	head.Format = format
	return w, w.document(headFrame, head)
}

// File writes a file of the installation.
func (w *Writer) File(f File) error { return w.document(fileFrame, f) }

// Statement writes a statement that makes or changes tables, in the words
// that all databases share.
func (w *Writer) Statement(sql string) error { return w.frame(statementFrame, []byte(sql)) }

// Table begins a table, whose rows follow.
func (w *Writer) Table(t Table) error {
	w.table = NewSum()
	return w.document(tableFrame, t)
}

// Row writes a row of the table: for each column a nil, int64, string or
// []byte.
func (w *Writer) Row(row []any) error {
	w.buf = appendRow(w.buf[:0], row)
	w.table.add(w.buf)
	return w.frame(rowFrame, w.buf)
}

// EndTable ends the table and returns what there is of it.
func (w *Writer) EndTable(lastID int64) (Extent, error) {
	extent := w.table.Extent(lastID)
	return extent, w.document(tableEndFrame, extent)
}

// Close ends the file, without which it is not one.
func (w *Writer) Close() error {
	err := w.frame(endFrame, w.hash.Sum(nil))
	return errors.Join(err, w.out.Close())
}

// document writes a frame of JSON.
func (w *Writer) document(letter byte, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return w.frame(letter, text)
}

// frame writes a frame.
func (w *Writer) frame(letter byte, payload []byte) error {
	if w.failed != nil {
		return w.failed
	}
	for _, part := range [][]byte{appendHead(w.head[:0], letter, len(payload)), payload} {
		w.hash.Write(part)
		if _, w.failed = w.out.Write(part); w.failed != nil {
			break
		}
	}
	return w.failed
}

// appendHead appends the beginning of a frame.
func appendHead(b []byte, letter byte, length int) []byte {
	return binary.AppendUvarint(append(b, letter), uint64(length))
}
