package markup

import "bytes"

// An element is an open one.
type element struct {
	name   qname
	spaces int // how many namespace declarations are in scope outside it
}

// tag reads the tag at the reader's position, or the end of the document.
func (r *Reader) tag() (Token, error) {
	if r.empty {
		r.leave()
		return End, nil
	}
	r.start = r.pos
	switch {
	case r.pos == len(r.doc):
		return r.end()
	case r.peek(r.pos+1) == '/':
		return r.endTag()
	}
	return r.startTag()
}

// end checks that there has been a root element. The reader comes here with no element open.
func (r *Reader) end() (Token, error) {
	if r.elements == 0 {
		return EOF, r.fail(r.pos, "the document has no root element")
	}
	return EOF, nil
}

func (r *Reader) startTag() (Token, error) {
	name, err := r.qname(r.pos + 1)
	if err != nil {
		return EOF, err
	}
	if err := r.enter(name); err != nil {
		return EOF, err
	}
	next := name.end + 1
	if r.peek(name.end) != '>' {
		if next, err = r.attributes(name.end); err != nil {
			return EOF, err
		}
	}
	if name.prefixed() {
		if _, err := r.resolve(name); err != nil {
			return EOF, err
		}
	}
	r.pos = next
	return Start, nil
}

// enter opens an element, within the limits.
func (r *Reader) enter(name qname) error {
	r.elements++
	switch {
	case len(r.open) == 0 && r.elements > 1:
		return r.fail(r.pos, "a second root element <%s>", brief(r.raw(name)))
	case r.limits.Depth > 0 && len(r.open) >= r.limits.Depth:
		return r.fail(r.pos, "nesting is deeper than %d elements", r.limits.Depth)
	case r.limits.Elements > 0 && r.elements > r.limits.Elements:
		return r.fail(r.pos, "more than %d elements", r.limits.Elements)
	}
	r.open = append(r.open, element{name: name, spaces: len(r.spaces)})
	r.name = name
	return nil
}

// leave closes the innermost element and ends the scope of its namespace declarations.
func (r *Reader) leave() {
	last := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	r.spaces = r.spaces[:last.spaces]
	r.name = last.name
	r.empty = false
}

func (r *Reader) endTag() (Token, error) {
	i := r.pos + 2
	if len(r.open) > 0 {
		want := r.raw(r.open[len(r.open)-1].name)
		if bytes.HasPrefix(r.doc[i:], want) {
			if i += len(want); r.peek(i) == '>' {
				r.pos = i + 1
				r.leave()
				return End, nil
			}
		}
	}
	return r.oddEndTag()
}

// oddEndTag reads an end tag that is not simply the open element's name: it has white space behind the name,
// or is wrong.
func (r *Reader) oddEndTag() (Token, error) {
	name, err := r.qname(r.pos + 2)
	if err != nil {
		return EOF, err
	}
	if len(r.open) == 0 {
		return EOF, r.fail(r.pos, "</%s> closes no element", brief(r.raw(name)))
	}
	if want := r.raw(r.open[len(r.open)-1].name); !bytes.Equal(r.raw(name), want) {
		return EOF, r.fail(r.pos, "element <%s> is closed by </%s>", brief(want), brief(r.raw(name)))
	}
	i := blanks(r.doc, name.end)
	if i == len(r.doc) {
		return EOF, r.fail(i, "the document ends inside a tag")
	}
	if r.doc[i] != '>' {
		return EOF, r.unexpected(i, ">")
	}
	r.pos = i + 1
	r.leave()
	return End, nil
}

// unexpected is the error for a character at offset i where something else should stand.
func (r *Reader) unexpected(i int, want string) error {
	if i >= len(r.doc) {
		return r.fail(i, "the document ends where %s is expected", want)
	}
	c, _, ok := decode(r.doc[i:])
	if !ok {
		_, _, err := r.char(i)
		if err != nil {
			return err
		}
	}
	return r.fail(i, "expected %s, found %q", want, c)
}
