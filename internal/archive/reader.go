package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A Reader reads a file. What it returns is checked as far as it has come; the
// whole is when Next returns io.EOF.
type Reader struct {
	Head  Head
	in    *bufio.Reader
	zstd  *zstd.Decoder
	hash  hash.Hash
	table *Table // that rows belong to
	sum   *Sum
	head  [1 + binary.MaxVarintLen64]byte
	buf   []byte
	row   []any
}

// An Item is one thing in a file: a File, a Statement, a Table, a Row or an
// Extent, which ends the table.
type Item any

// A Statement is a statement that makes or changes tables.
type Statement string

// A Row is a row of the last table. It is valid until the next item is read;
// its values are the caller's.
type Row []any

// NewReader reads the head of a file.
func NewReader(in io.Reader) (*Reader, error) {
	decoder, err := zstd.NewReader(in, zstd.WithDecoderMaxMemory(maxFrame))
	if err != nil {
		return nil, err
	}
	r := &Reader{in: bufio.NewReaderSize(decoder, 1<<16), zstd: decoder, hash: sha256.New()}
	letter, err := r.frame()
	if err != nil || letter != headFrame || json.Unmarshal(r.buf, &r.Head) != nil {
		decoder.Close()
		return nil, damaged("it does not begin as a backup of Muster does")
	}
	if r.Head.Format != format {
		decoder.Close()
		return nil, damaged("it is of the format %d, which this version of Muster does not know; a newer one may", r.Head.Format)
	}
	return r, nil
}

// Close frees what the reader holds.
func (r *Reader) Close() { r.zstd.Close() }

// Next returns the next item, or io.EOF after the last, when all was as it was
// written.
func (r *Reader) Next() (Item, error) {
	letter, err := r.frame()
	if err != nil {
		return nil, err
	}
	switch letter {
	case fileFrame:
		return document[File](r)
	case statementFrame:
		return Statement(r.buf), nil
	case tableFrame:
		return r.begin()
	case rowFrame:
		return r.readRow()
	case tableEndFrame:
		return r.end()
	case endFrame:
		return nil, r.finish()
	}
	return nil, damaged("a part of it is of the unknown sort %q", letter)
}

// document reads a frame of JSON.
func document[T any](r *Reader) (value T, err error) {
	if err := json.Unmarshal(r.buf, &value); err != nil {
		return value, damaged("%v", err)
	}
	return value, nil
}

func (r *Reader) begin() (Item, error) {
	t, err := document[Table](r)
	if err == nil && r.table != nil {
		err = damaged("the table %s has no end", r.table.Name)
	}
	r.table, r.sum = &t, NewSum()
	return t, err
}

func (r *Reader) readRow() (Item, error) {
	if r.table == nil {
		return nil, damaged("a row belongs to no table")
	}
	r.sum.add(r.buf)
	row, err := readRow(r.buf, r.row, len(r.table.Columns))
	r.row = row
	return Row(row), err
}

func (r *Reader) end() (Item, error) {
	extent, err := document[Extent](r)
	if err != nil || r.table == nil {
		return nil, damaged("a table ends that did not begin")
	}
	got := r.sum.Extent(extent.LastID)
	if got.Rows != extent.Rows || !bytes.Equal(got.Sum, extent.Sum) {
		return nil, damaged("the rows of %s are not those that were written", r.table.Name)
	}
	r.table = nil
	return extent, nil
}

// finish checks the sum of all frames before the last.
func (r *Reader) finish() error {
	if r.table != nil || !bytes.Equal(r.buf, r.hash.Sum(nil)) {
		return damaged("its sum does not fit")
	}
	if _, err := r.in.ReadByte(); err != io.EOF {
		return damaged("there is something behind its end")
	}
	return io.EOF
}

// frame reads a frame into the buffer.
func (r *Reader) frame() (letter byte, err error) {
	if letter, err = r.in.ReadByte(); err != nil {
		return 0, cut(err)
	}
	length, err := binary.ReadUvarint(r.in)
	if err != nil {
		return 0, cut(err)
	}
	if length > maxFrame {
		return 0, damaged("a part of it is too long")
	}
	if uint64(cap(r.buf)) < length {
		r.buf = make([]byte, length)
	}
	r.buf = r.buf[:length]
	if _, err := io.ReadFull(r.in, r.buf); err != nil {
		return 0, cut(err)
	}
	if letter != endFrame { // which has the sum of all others
		r.hash.Write(appendHead(r.head[:0], letter, len(r.buf)))
		r.hash.Write(r.buf)
	}
	return letter, nil
}

// cut explains an error at a place where more was expected.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return damaged("its end is missing")
	}
	return damaged("%v", err)
}
