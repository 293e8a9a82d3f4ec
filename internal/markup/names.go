package markup

import "unicode/utf8"

// A qname is where a name stands in the document: doc[start:end], its local part being doc[local:end].
type qname struct {
	start, local, end int
}

func (n qname) prefixed() bool { return n.local != n.start }

// raw returns a name as it is written, with its prefix.
func (r *Reader) raw(n qname) []byte { return r.doc[n.start:n.end] }

// prefix returns what stands before the colon of a name, if it has one.
func (r *Reader) prefix(n qname) []byte {
	if !n.prefixed() {
		return nil
	}
	return r.doc[n.start : n.local-1]
}

// local returns a name without its prefix.
func (r *Reader) local(n qname) []byte { return r.doc[n.local:n.end] }

// qname reads a name, perhaps with a prefix, at offset i.
func (r *Reader) qname(i int) (qname, error) {
	n := qname{start: i, local: i, end: nameEnd(r.doc, i)}
	if n.end == i {
		return n, r.noName(i)
	}
	if r.peek(n.end) != ':' {
		return n, nil
	}
	n.local = n.end + 1
	n.end = nameEnd(r.doc, n.local)
	if n.end == n.local {
		return n, r.noName(n.end)
	}
	if r.peek(n.end) == ':' {
		return n, r.fail(n.end, "a name may have only one colon")
	}
	return n, nil
}

// noName is the error for an offset where a name should begin.
func (r *Reader) noName(i int) error {
	if i >= len(r.doc) {
		return r.fail(i, "the document ends where a name is expected")
	}
	c, size := utf8.DecodeRune(r.doc[i:])
	if c == utf8.RuneError && size == 1 {
		return r.fail(i, "byte %#02x is not UTF-8", r.doc[i])
	}
	return r.fail(i, "a name cannot begin with %q", c)
}

// nameEnd returns the end of the name without colon that begins at offset i, or i when none does.
func nameEnd(doc []byte, i int) int {
	if i >= len(doc) || doc[i] < utf8.RuneSelf && classes[doc[i]]&nameStart == 0 {
		return i
	}
	for n, c := range doc[i:] {
		if classes[c]&namePart != 0 {
			continue
		}
		if c < utf8.RuneSelf {
			return i + n
		}
		return wideNameEnd(doc, i+n, n == 0)
	}
	return len(doc)
}

// wideNameEnd is nameEnd from a character beyond ASCII on, which may be the name's first.
func wideNameEnd(doc []byte, i int, first bool) int {
	for i < len(doc) {
		c, size := utf8.DecodeRune(doc[i:])
		switch {
		case size == 1 && classes[doc[i]]&namePart == 0:
			return i
		case size > 1 && !isNameStart(c) && (first || !isNamePart(c)):
			return i
		}
		i += size
		first = false
	}
	return i
}

// isNameStart reports whether a character beyond ASCII may begin a name (XML 1.0, fifth edition, production 4).
func isNameStart(c rune) bool {
	switch {
	case c < 0xC0, c == 0xD7, c == 0xF7, c == 0x37E:
		return false
	case c <= 0x2FF, c >= 0x370 && c <= 0x1FFF, c == 0x200C, c == 0x200D:
		return true
	case c >= 0x2070 && c <= 0x218F, c >= 0x2C00 && c <= 0x2FEF, c >= 0x3001 && c <= 0xD7FF:
		return true
	}
	return c >= 0xF900 && c <= 0xFDCF || c >= 0xFDF0 && c <= 0xFFFD || c >= 0x10000 && c <= 0xEFFFF
}

// isNamePart reports whether a character beyond ASCII that may not begin a name may stand inside one (production 4a).
func isNamePart(c rune) bool {
	return c == 0xB7 || c >= 0x300 && c <= 0x36F || c == 0x203F || c == 0x2040
}

// peek returns the byte at an offset, or 0 at the end of the document.
func (r *Reader) peek(i int) byte {
	if i < len(r.doc) {
		return r.doc[i]
	}
	return 0
}
