package markup

// plain reads what documents mostly consist of, in one piece: text with nothing special in it, then a tag
// without prefix and attributes. When there is anything else it does nothing and returns EOF.
func (r *Reader) plain() Token {
	if r.err != nil || r.empty || len(r.open) == 0 {
		return EOF
	}
	doc, from := r.doc, r.pos
	i := span(doc, from, textStop)
	if i+1 >= len(doc) || doc[i] != '<' {
		return EOF
	}
	if doc[i+1] == '/' {
		return r.plainEnd(from, i)
	}
	name := qname{i + 1, i + 1, nameEnd(doc, i+1)}
	if name.end == i+1 || r.peek(name.end) != '>' || r.atLimit() {
		return EOF
	}
	r.moved(from, i, name.end+1)
	r.elements++
	r.open = append(r.open, element{name: name, spaces: len(r.spaces)})
	r.name = name
	return Start
}

// plainEnd reads the end tag at offset i, after text that begins at from.
func (r *Reader) plainEnd(from, i int) Token {
	want := r.raw(r.open[len(r.open)-1].name)
	end := i + len("</") + len(want)
	if r.peek(end) != '>' || string(r.doc[i+len("</"):end]) != string(want) {
		return EOF
	}
	r.moved(from, i, end+1)
	r.leave()
	return End
}

// Leaf reads a whole element of plain text, without prefix and attributes, faster than Tag, Name, Tag and Text
// would. When anything else comes next, it is not ok and reads nothing.
func (r *Reader) Leaf() (name, text []byte, ok bool) {
	if r.err != nil || r.empty || len(r.open) == 0 || r.atLimit() {
		return nil, nil, false
	}
	doc, from := r.doc, r.pos
	i := span(doc, from, textStop)
	if i+1 >= len(doc) || doc[i] != '<' {
		return nil, nil, false
	}
	n := qname{i + 1, i + 1, nameEnd(doc, i+1)}
	if n.end == i+1 || r.peek(n.end) != '>' {
		return nil, nil, false
	}
	tag := span(doc, n.end+1, textStop)
	end := tag + len("</") + n.end - n.start
	if r.peek(tag) != '<' || r.peek(tag+1) != '/' || r.peek(end) != '>' ||
		string(doc[tag+len("</"):end]) != string(r.raw(n)) {
		return nil, nil, false
	}
	r.moved(n.end+1, tag, end+1)
	r.elements++
	r.name = n
	return r.raw(n), r.Text(), true
}

// moved makes doc[from:tag] the current text, and next the offset behind the tag.
func (r *Reader) moved(from, tag, next int) {
	r.text = piece{}
	if tag > from {
		r.text = piece{from: from, to: tag}
	}
	r.start, r.pos = tag, next
	r.attrs, r.values = r.attrs[:0], r.values[:0]
}

// atLimit reports whether one more element is more than the limits allow.
func (r *Reader) atLimit() bool {
	return r.limits.Depth > 0 && len(r.open) >= r.limits.Depth || r.limits.Elements > 0 &&
		r.elements >= r.limits.Elements
}
