package markup

import "bytes"

// declared reads what begins with <! at the reader's position: a comment or, inside the root, a CDATA
// section. A DOCTYPE is refused, and with it every entity that a document might bring along.
func (r *Reader) declared() error {
	rest := r.doc[r.pos:]
	switch {
	case r.limits.Bare:
		return r.fail(r.pos, "<! is not allowed")
	case bytes.HasPrefix(rest, []byte("<!--")):
		return r.comment()
	case bytes.HasPrefix(rest, []byte("<!DOCTYPE")):
		return r.fail(r.pos, "a DOCTYPE is not allowed")
	case !bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return r.fail(r.pos, "<! begins neither a comment nor a CDATA section")
	case len(r.open) == 0:
		return r.fail(r.pos, "text outside the root element")
	}
	return r.cdata()
}

func (r *Reader) comment() error {
	from := r.pos + len("<!--")
	length := bytes.Index(r.doc[from:], []byte("--"))
	if length < 0 {
		return r.fail(len(r.doc), "the document ends inside a comment")
	}
	to := from + length
	if _, err := r.check(from, to); err != nil {
		return err
	}
	if r.peek(to+len("--")) != '>' {
		return r.fail(to, "-- is not allowed in a comment")
	}
	r.pos = to + len("-->")
	return nil
}

func (r *Reader) cdata() error {
	from := r.pos + len("<![CDATA[")
	length := bytes.Index(r.doc[from:], []byte("]]>"))
	if length < 0 {
		return r.fail(len(r.doc), "the document ends inside a CDATA section")
	}
	to := from + length
	changed, err := r.check(from, to)
	if err != nil {
		return err
	}
	err = r.add(from, to, changed, dataStop)
	r.pos = to + len("]]>")
	return err
}

// instruction reads a processing instruction, or the XML declaration.
func (r *Reader) instruction() error {
	if r.pos == 0 && declares(r.doc) {
		end, _, fault := declaration(r.doc)
		if fault != "" {
			return r.fail(end, "%s", fault)
		}
		r.pos = end
		return nil
	}
	from := r.pos + len("<?")
	i := nameEnd(r.doc, from)
	switch {
	case i == from:
		return r.noName(i)
	case bytes.EqualFold(r.doc[from:i], []byte("xml")):
		return r.fail(r.pos, "an XML declaration is allowed only at the beginning of the document")
	case classes[r.peek(i)]&blank == 0 && !bytes.HasPrefix(r.doc[i:], []byte("?>")):
		return r.unexpected(i, "white space or ?>")
	}
	length := bytes.Index(r.doc[i:], []byte("?>"))
	if length < 0 {
		return r.fail(len(r.doc), "the document ends inside a processing instruction")
	}
	r.pos = i + length + len("?>")
	_, err := r.check(i, i+length)
	return err
}

// check goes over the characters doc[from:to] of a comment, a CDATA section or a processing instruction, and reports
// whether as text they would have to be rewritten.
func (r *Reader) check(from, to int) (changed bool, err error) {
	doc := r.doc[:to]
	for i := from; ; {
		if i = span(doc, i, dataStop); i == to {
			return changed, nil
		}
		size, bad, err := r.char(i)
		if err != nil {
			return false, err
		}
		changed = changed || bad || doc[i] == '\r'
		i += size
	}
}
