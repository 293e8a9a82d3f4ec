package archive

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/klauspost/compress/zstd"
)

// A Reader reads a file. What it returns is checked as far as it has come; the
// whole is when Next returns io.EOF.
type Reader struct {
	Head   Head
	in     *bufio.Reader
	zstd   *zstd.Decoder
	sealed *unsealer
	before int    // bytes of parts before the first table
	table  *Table // that rows belong to
	sum    *Sum   // of its rows, nil before the first table
	rows   int64
	bytes  int64 // of them
	buf    []byte
	row    []any
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
	sealed := newUnsealer(in)
	decoder, err := zstd.NewReader(sealed, zstd.WithDecoderMaxWindow(window))
	if err != nil {
		return nil, err
	}
	r := &Reader{in: bufio.NewReaderSize(decoder, 1<<16), zstd: decoder, sealed: sealed}
	letter, err := r.part()
	if err != nil || letter != headPart || json.Unmarshal(r.buf, &r.Head) != nil ||
		!printable(r.Head.Version, r.Head.Database) {
		decoder.Close()
		return nil, damaged("it does not begin as a backup of Muster does, so that it is another file or most of it is missing")
	}
	if r.Head.Format != format {
		decoder.Close()
		return nil, damaged("it is of the format %d, which this version of Muster does not know; a newer one may",
			r.Head.Format)
	}
	return r, nil
}

// Close frees the reader's memory.
func (r *Reader) Close() { r.zstd.Close() }

// Next returns the next item, or io.EOF after the last, when all was as it was
// written.
func (r *Reader) Next() (Item, error) {
	letter, err := r.part()
	if err != nil {
		return nil, err
	}
	if r.sum != nil && (letter == filePart || letter == statementPart) {
		return nil, damaged("a file or statement comes after a table")
	}
	switch letter {
	case filePart:
		return r.file()
	case statementPart:
		return Statement(r.buf), nil
	case tablePart:
		return r.begin()
	case rowPart:
		return r.readRow()
	case tableEndPart:
		return r.end()
	case endPart:
		return nil, r.finish()
	}
	return nil, damaged("a part of it is of the unknown sort %q", letter)
}

// document reads a part of JSON.
func document[T any](r *Reader) (value T, err error) {
	if err := json.Unmarshal(r.buf, &value); err != nil {
		return value, damaged("%v", err)
	}
	return value, nil
}

// printable reports whether texts of a file can be shown to people: on a
// terminal, others could do more than be read.
func printable(texts ...string) bool {
	return !strings.ContainsFunc(strings.Join(texts, ""), func(r rune) bool { return !unicode.IsPrint(r) })
}

func (r *Reader) file() (Item, error) {
	f, err := document[File](r)
	if err == nil && !printable(f.Name) {
		err = damaged("the file %q has no name", f.Name)
	}
	return f, err
}

func (r *Reader) begin() (Item, error) {
	t, err := document[Table](r)
	if err == nil && !printable(t.Name) {
		err = damaged("the table %q has no name", t.Name)
	}
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
	r.rows++
	r.bytes += int64(len(r.buf))
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

// finish checks that nothing is missing, nothing follows, and no byte was
// changed.
func (r *Reader) finish() error {
	if r.table != nil || r.rows != r.Head.Rows || len(r.buf) > 0 {
		return damaged("it ends too early")
	}
	if _, err := r.in.ReadByte(); err != io.EOF {
		return damaged("there is something behind its end")
	}
	if !r.sealed.whole() {
		return damaged("its sum does not fit")
	}
	return io.EOF
}

// part reads a part into the buffer.
func (r *Reader) part() (letter byte, err error) {
	if letter, err = r.in.ReadByte(); err != nil {
		return 0, cut(err)
	}
	length, err := binary.ReadUvarint(r.in)
	if err != nil {
		return 0, cut(err)
	}
	if err := checkLength(letter, length); err != nil {
		return 0, damaged("%v", err)
	}
	if r.sum == nil {
		r.before += int(length)
	}
	if r.before > maxBefore {
		return 0, damaged("there is too much before its first table")
	}
	return letter, cut(r.fill(int(length)))
}

// fill reads so many bytes into the buffer, which grows with what there is and
// not with what a file claims.
func (r *Reader) fill(length int) error {
	r.buf = r.buf[:0]
	for have := 0; have < length; have = len(r.buf) {
		r.buf = slices.Grow(r.buf, min(length-have, max(have, 1<<16)))
		r.buf = r.buf[:min(length, cap(r.buf))]
		if _, err := io.ReadFull(r.in, r.buf[have:]); err != nil {
			return err
		}
	}
	return nil
}

// cut explains an error at a place where more was expected.
func cut(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return damaged("its end is missing")
	}
	return damaged("%v", err)
}
