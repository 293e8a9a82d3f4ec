package markup

import "bytes"

// maxSpaces is how many namespace declarations may be in scope at once. It keeps the search for a prefix cheap.
const maxSpaces = 128

const (
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
	xmlnsSpace = "http://www.w3.org/2000/xmlns/"
)

// xmlID stands for the namespace of the prefix xml, which needs no declaration.
const xmlID = -1

// A space is a declared prefix. Declarations of one namespace under several prefixes share an id.
type space struct {
	prefix, uri []byte
	id          int
}

// declare reports whether an attribute is a namespace declaration, and if it declares a prefix, adds it to the scope.
// xmlns:p="" takes a prefix out of scope. The default namespace makes no difference to a reader.
func (r *Reader) declare(name qname, uri []byte) (bool, error) {
	if string(r.raw(name)) == "xmlns" {
		return true, nil
	}
	if string(r.prefix(name)) != "xmlns" {
		return false, nil
	}
	prefix := r.local(name)
	switch {
	case string(prefix) == "xml" && string(uri) == xmlSpace:
		return true, nil
	case string(prefix) == "xml" || string(prefix) == "xmlns" || string(uri) == xmlSpace || string(uri) == xmlnsSpace:
		return true, r.fail(name.start, "prefix %s cannot be declared so", brief(prefix))
	case len(r.spaces) == maxSpaces:
		return true, r.fail(name.start, "more than %d namespace declarations", maxSpaces)
	}
	id := len(r.spaces)
	for i := range r.spaces {
		if bytes.Equal(r.spaces[i].uri, uri) {
			id = i
			break
		}
	}
	r.spaces = append(r.spaces, space{prefix: prefix, uri: bytes.Clone(uri), id: id}) // the value goes with its tag
	return true, nil
}

// resolve returns the id of the namespace that a prefixed name's prefix stands for.
func (r *Reader) resolve(name qname) (int, error) {
	prefix := r.prefix(name)
	if string(prefix) == "xml" {
		return xmlID, nil
	}
	for i := len(r.spaces) - 1; i >= 0; i-- {
		if s := &r.spaces[i]; bytes.Equal(s.prefix, prefix) {
			if len(s.uri) == 0 {
				break
			}
			return s.id, nil
		}
	}
	return 0, r.fail(name.start, "prefix %s is not declared", brief(prefix))
}

// resolveAttrs checks the prefixes of attributes, once all of a tag's declarations have been read, and that no two
// attributes have one name under two prefixes.
func (r *Reader) resolveAttrs(prefixed bool) error {
	if !prefixed {
		return nil
	}
	for i := range r.attrs {
		a := &r.attrs[i]
		if a.declaration || !a.name.prefixed() {
			continue
		}
		var err error
		if a.space, err = r.resolve(a.name); err != nil {
			return err
		}
		for j := range r.attrs[:i] {
			if r.same(&r.attrs[j], a) {
				return r.fail(a.name.start, "attribute %s is repeated under another prefix", brief(r.raw(a.name)))
			}
		}
	}
	return nil
}

// same reports whether an earlier attribute has the expanded name of a.
func (r *Reader) same(earlier, a *attr) bool {
	return !earlier.declaration && earlier.name.prefixed() && earlier.space == a.space &&
		bytes.Equal(r.local(earlier.name), r.local(a.name))
}
