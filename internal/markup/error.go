package markup

import (
	"fmt"
	"unicode/utf8"
)

// A SyntaxError says where and why a document is not well-formed, or beyond its limits.
type SyntaxError struct {
	Line, Column int // from 1; columns count characters
	Message      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// A ChildError says that Content met a child element.
type ChildError struct {
	Name string // without prefix
}

func (e *ChildError) Error() string {
	return fmt.Sprintf("unexpected element <%s>", brief([]byte(e.Name)))
}

// A CharsetError names a charset that UTF8 does not know.
type CharsetError struct {
	Name string
}

func (e *CharsetError) Error() string {
	return fmt.Sprintf("charset %q is not supported", brief([]byte(e.Name)))
}

// fail ends the reading with a syntax error at an offset of the document.
func (r *Reader) fail(offset int, format string, args ...any) error {
	p := r.at(offset)
	r.err = &SyntaxError{Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)}
	return r.err
}

// brief cuts a name that would make a message unreadable.
func brief(name []byte) []byte {
	const most = 64
	if len(name) <= most {
		return name
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(name[cut]) {
		cut--
	}
	return append(name[:cut:cut], "…"...)
}

// A place is an offset as line and column.
type place struct {
	offset, line, column int
}

// at returns the place of an offset. It goes on from the last place that it returned, so that asking for the
// position of every token costs no more than reading the document once again.
func (r *Reader) at(offset int) place {
	if offset < r.place.offset {
		r.place = place{line: 1, column: 1}
	}
	r.place = r.place.forward(r.doc, offset)
	return r.place
}

// forward returns the place of an offset at or behind p.
func (p place) forward(doc []byte, offset int) place {
	for p.offset < offset {
		c := doc[p.offset]
		size := 1
		switch {
		case c == '\n' && p.offset > 0 && doc[p.offset-1] == '\r':
			// The second half of a line end that has been counted.
		case c == '\n' || c == '\r':
			p.line++
			p.column = 1
		case c < utf8.RuneSelf:
			p.column++
		default:
			_, size = utf8.DecodeRune(doc[p.offset:])
			p.column++
		}
		p.offset += size
	}
	return p
}
