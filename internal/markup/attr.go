package markup

import "bytes"

// maxAttrs is how many attributes an element may have. It keeps the search for repeated ones cheap.
const maxAttrs = 128

// An attr is an attribute of the current Start. A namespace declaration is kept as one too, since it must not
// be repeated, but no caller sees it.
type attr struct {
	name        qname
	space       int // of a prefixed name: what its prefix stands for
	value       piece
	declaration bool
}

// Attr returns the value of an attribute of the current Start, with references resolved and white space as blanks. The
// name is the attribute's as written; one without a prefix also finds the first attribute that has that name behind a
// prefix, unless there is one without. Namespace declarations are no attributes.
func (r *Reader) Attr(name string) (value []byte, ok bool) {
	for i := range r.attrs {
		a := &r.attrs[i]
		switch {
		case a.declaration:
		case string(r.raw(a.name)) == name:
			return a.value.of(r.doc, r.values), true
		case !ok && string(r.local(a.name)) == name:
			value, ok = a.value.of(r.doc, r.values), true
		}
	}
	return value, ok
}

// Nil reports whether the current Start says that its element has no value: nil="true", also with a prefix as
// in xsi:nil, and also "1".
func (r *Reader) Nil() bool {
	if len(r.attrs) == 0 {
		return false
	}
	value, _ := r.Attr("nil")
	return string(value) == "true" || string(value) == "1"
}

// attributes reads the rest of a start tag from behind its name and returns the offset behind the tag.
func (r *Reader) attributes(i int) (int, error) {
	prefixed := false
	for {
		next := blanks(r.doc, i)
		switch r.peek(next) {
		case '>':
			return next + 1, r.resolveAttrs(prefixed)
		case '/':
			if r.peek(next+1) != '>' {
				return 0, r.unexpected(next+1, ">")
			}
			r.empty = true
			return next + 2, r.resolveAttrs(prefixed)
		}
		if next == len(r.doc) {
			return 0, r.fail(next, "the document ends inside a tag")
		}
		if next == i {
			return 0, r.unexpected(next, "white space or >")
		}
		name, end, err := r.attribute(next)
		if err != nil {
			return 0, err
		}
		prefixed = prefixed || name.prefixed()
		i = end
	}
}

// attribute reads the attribute at offset i and returns its name and the offset behind it.
func (r *Reader) attribute(i int) (qname, int, error) {
	name, err := r.qname(i)
	if err != nil {
		return name, 0, err
	}
	if err := r.admit(name); err != nil {
		return name, 0, err
	}
	i = blanks(r.doc, name.end)
	if r.peek(i) != '=' {
		return name, 0, r.unexpected(i, "= and a value")
	}
	i = blanks(r.doc, i+1)
	if c := r.peek(i); c != '"' && c != '\'' {
		return name, 0, r.unexpected(i, "a quoted value")
	}
	value, end, err := r.value(i)
	if err != nil {
		return name, 0, err
	}
	a := attr{name: name, value: value}
	if a.declaration, err = r.declare(name, value.of(r.doc, r.values)); err != nil {
		return name, 0, err
	}
	r.attrs = append(r.attrs, a)
	return name, end, nil
}

// admit checks that a start tag may have one more attribute, and does not have this one yet.
func (r *Reader) admit(name qname) error {
	if len(r.attrs) == maxAttrs {
		return r.fail(name.start, "more than %d attributes", maxAttrs)
	}
	for i := range r.attrs {
		if bytes.Equal(r.raw(r.attrs[i].name), r.raw(name)) {
			return r.fail(name.start, "attribute %s is repeated", brief(r.raw(name)))
		}
	}
	return nil
}

// value reads the quoted value at offset i and returns it with the offset behind it.
func (r *Reader) value(i int) (value piece, end int, err error) {
	quote, from, changed := r.doc[i], i+1, false
	for i = from; ; {
		i = span(r.doc, i, valueStop)
		switch c := r.peek(i); {
		case i == len(r.doc):
			return piece{}, 0, r.fail(i, "the document ends inside an attribute value")
		case c == quote:
			if changed {
				start := len(r.values)
				r.values, err = r.rewrite(r.values, from, i, valueStop)
				return piece{start, len(r.values), true}, i + 1, err
			}
			return piece{from: from, to: i}, i + 1, nil
		case c == '<':
			return piece{}, 0, r.fail(i, "< is not allowed in an attribute value")
		case c == '"' || c == '\'':
			i++
		case c == '&' || c == '\t' || c == '\n' || c == '\r':
			changed = true
			i++
		default:
			size, bad, err := r.char(i)
			if err != nil {
				return piece{}, 0, err
			}
			changed = changed || bad
			i += size
		}
	}
}
