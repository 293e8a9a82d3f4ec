package markup

import (
	"bytes"
	"unicode/utf8"
)

// data reads character data, comments and processing instructions up to the next tag or the end of the document.
func (r *Reader) data() error {
	for {
		if err := r.run(); err != nil {
			return err
		}
		var err error
		switch r.peek(r.pos + 1) {
		case '!':
			err = r.declared()
		case '?':
			err = r.instruction()
		default:
			return r.inside()
		}
		if err != nil {
			return err
		}
	}
}

// inside checks that the document does not end before its elements.
func (r *Reader) inside() error {
	if r.pos < len(r.doc) || len(r.open) == 0 {
		return nil
	}
	name := r.raw(r.open[len(r.open)-1].name)
	return r.fail(r.pos, "the document ends before </%s>", brief(name))
}

// run reads the characters up to the next < or the end of the document.
func (r *Reader) run() error {
	if len(r.open) == 0 {
		return r.outside()
	}
	from, changed := r.pos, false
	for i := from; ; {
		i = span(r.doc, i, textStop)
		switch c := r.peek(i); {
		case i == len(r.doc) || c == '<':
			return r.add(from, i, changed, textStop)
		case c == '&' || c == '\r':
			changed = true
			i++
		case c == ']':
			if bytes.HasPrefix(r.doc[i:], []byte("]]>")) {
				return r.fail(i, "]]> is not allowed in text")
			}
			i++
		default:
			size, bad, err := r.char(i)
			if err != nil {
				return err
			}
			changed = changed || bad
			i += size
		}
	}
}

// outside reads the white space before, between and after whatever stands outside the root element.
func (r *Reader) outside() error {
	r.pos = blanks(r.doc, r.pos)
	if r.pos == len(r.doc) || r.doc[r.pos] == '<' {
		return nil
	}
	return r.fail(r.pos, "text outside the root element")
}

// add appends the characters doc[from:to] to the current text, and moves behind them. As long as the text is one
// unchanged piece, it is a slice of the document.
func (r *Reader) add(from, to int, changed bool, stop uint8) error {
	r.pos = to
	if from == to {
		return nil
	}
	if r.text.to == 0 {
		r.start = from
		if !changed {
			r.text = piece{from: from, to: to}
			return nil
		}
	}
	if !r.text.changed {
		r.buf = append(r.buf[:0], r.Text()...)
	}
	var err error
	if changed {
		r.buf, err = r.rewrite(r.buf, from, to, stop)
	} else {
		r.buf = append(r.buf, r.doc[from:to]...)
	}
	r.text = piece{to: len(r.buf), changed: true}
	return err
}

// rewrite appends doc[from:to] to b with line ends normalised and references resolved. The stop class says what kind of
// data it is: references are none in CDATA, and white space becomes blanks in attribute values.
func (r *Reader) rewrite(b []byte, from, to int, stop uint8) ([]byte, error) {
	doc := r.doc[:to]
	for i := from; ; {
		next := span(doc, i, stop)
		b = append(b, doc[i:next]...)
		if i = next; i == to {
			return b, nil
		}
		switch c := doc[i]; c {
		case '&':
			char, end, err := r.reference(doc, i)
			if err != nil {
				return nil, err
			}
			b = utf8.AppendRune(b, char)
			i = end
		case '\t', '\n', '\r':
			if stop == valueStop {
				b = append(b, ' ')
			} else {
				b = append(b, '\n')
			}
			if i++; c == '\r' && i < to && doc[i] == '\n' {
				i++
			}
		default:
			char, size, ok := decode(doc[i:])
			if !ok {
				char = utf8.RuneError
			}
			b = utf8.AppendRune(b, char)
			i += size
		}
	}
}
