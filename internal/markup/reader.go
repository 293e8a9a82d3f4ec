// Package markup reads XML documents strictly and escapes text for writing them.
//
// A Reader goes over a document that is in memory, token by token, and copies only what it must change. It
// refuses whatever XML 1.0 with namespaces does not allow, and DOCTYPE besides, with line and column. UTF8
// brings a document into the one encoding that a Reader knows; AppendText is the way back.
package markup

import "io"

// Limits bound a document. Zero means no limit.
type Limits struct {
	Depth    int  // how deep elements may nest
	Elements int  // how many elements there may be
	Bare     bool // comments and CDATA sections, too, are refused
}

// A Token is a part of a document.
type Token uint8

// The tokens. An empty element such as <a/> is a Start and an End. A Text is all the character data between two tags,
// with comments and processing instructions taken out, and is never empty.
const (
	EOF Token = iota
	Start
	End
	Text
)

// A Reader reads one document. Reset makes it ready for another, with the memory that it has. It is not safe for
// concurrent use. After a syntax error every further call gives the same error.
type Reader struct {
	doc     []byte
	limits  Limits
	replace bool

	pos      int // the next unread byte
	start    int // where the current token begins
	place    place
	name     qname
	text     piece
	buf      []byte // text that is not one slice of doc
	values   []byte // attribute values that are not
	attrs    []attr
	open     []element
	spaces   []space
	elements int
	empty    bool // the current Start is of the form <a/>, its End comes next
	err      error
}

// NewReader returns a Reader of doc, which is UTF-8 without a byte-order mark. Whatever encoding its
// declaration names is ignored. The Reader and the slices that it returns refer to doc, so doc must not
// change meanwhile.
func NewReader(doc []byte, limits Limits) *Reader {
	r := new(Reader)
	r.Reset(doc, limits)
	return r
}

// Reset makes r read doc from its beginning. It turns replacing off.
func (r *Reader) Reset(doc []byte, limits Limits) {
	clear(r.spaces[:cap(r.spaces)]) // which would keep the last document in memory
	*r = Reader{
		doc:    doc,
		limits: limits,
		place:  place{line: 1, column: 1},
		buf:    r.buf[:0],
		values: r.values[:0],
		attrs:  r.attrs[:0],
		open:   r.open[:0],
		spaces: r.spaces[:0],
	}
}

// Replace turns the agents' mode on or off: in text and attribute values, characters that XML forbids,
// written as such or as references, and bytes that are not UTF-8 become U+FFFD instead of an error. Names
// stay strict.
func (r *Reader) Replace(on bool) { r.replace = on }

// Next reads the next token. EOF comes after a complete document, and then again at every call.
func (r *Reader) Next() (Token, error) {
	if err := r.advance(); err != nil {
		return EOF, err
	}
	if r.text.to > r.text.from {
		return Text, nil
	}
	return r.tag()
}

// Tag reads up to and including the next tag, or the end of the document. Text returns the character data before it.
func (r *Reader) Tag() (Token, error) {
	if token := r.plain(); token != EOF {
		return token, nil
	}
	if err := r.advance(); err != nil {
		return EOF, err
	}
	return r.tag()
}

// Content reads the character data up to the End of the innermost open element, which after a Start is that
// element's whole content, and the End too. The data is valid until the next call. When a child element comes
// first, the error is a *ChildError, returned with the data before the child, and the reader stands just
// after the child's Start. Without an open element the error is io.EOF at the end of the document.
func (r *Reader) Content() ([]byte, error) {
	token, err := r.Tag()
	switch {
	case err != nil:
		return nil, err
	case token == Start:
		return r.Text(), &ChildError{Name: string(r.Name())}
	case token == EOF:
		return nil, io.EOF
	}
	return r.Text(), nil
}

// Skip reads up to and including the End of the innermost open element, which after a Start is that element. What it
// skips is checked like everything else. Without an open element it does nothing.
func (r *Reader) Skip() error {
	for depth := len(r.open); depth > 0 && len(r.open) >= depth; {
		if _, err := r.Tag(); err != nil {
			return err
		}
	}
	return r.err
}

// Name returns the name of the element of the last Start or End, without its prefix.
func (r *Reader) Name() []byte { return r.local(r.name) }

// Text returns the character data of the current Text token, or that before the tag of a call of Tag. It is valid until
// the next call.
func (r *Reader) Text() []byte { return r.text.of(r.doc, r.buf) }

// A piece is the position of some text: in the document, or in a buffer when it had to be changed. It has
// offsets, since storing slices costs more during garbage collection.
type piece struct {
	from, to int
	changed  bool
}

func (p piece) of(doc, buf []byte) []byte {
	if p.changed {
		return buf[p.from:p.to]
	}
	return doc[p.from:p.to:p.to]
}

// Position returns where the last token begins. Lines and columns count from 1, columns in characters.
func (r *Reader) Position() (line, column int) {
	p := r.at(r.start)
	return p.line, p.column
}

// advance leaves the current token and reads the character data up to the next tag.
func (r *Reader) advance() error {
	if r.err != nil {
		return r.err
	}
	r.text = piece{}
	r.attrs, r.values = r.attrs[:0], r.values[:0]
	if r.empty {
		return nil
	}
	return r.data()
}
