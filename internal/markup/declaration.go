package markup

import (
	"bytes"
	"regexp"
)

var (
	versions   = regexp.MustCompile(`^1\.[0-9]+$`)
	encodings  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._-]*$`)
	standalone = regexp.MustCompile(`^(yes|no)$`)
)

// declares reports whether a document begins with an XML declaration, well-formed or not.
func declares(doc []byte) bool {
	return bytes.HasPrefix(doc, []byte("<?xml")) && nameEnd(doc, len("<?")) == len("<?xml")
}

// declaration reads the XML declaration at the beginning of a document. It returns the offset behind it and
// the encoding that it names, if any; or the offset of a fault and what is wrong there.
func declaration(doc []byte) (end int, encoding []byte, fault string) {
	parts := []struct {
		name     string
		form     *regexp.Regexp
		required bool
	}{{"version", versions, true}, {"encoding", encodings, false}, {"standalone", standalone, false}}

	end = len("<?xml")
	for _, part := range parts {
		at := blanks(doc, end)
		if !bytes.HasPrefix(doc[at:], []byte(part.name)) {
			if part.required {
				return at, nil, "the XML declaration has no " + part.name
			}
			continue
		}
		if at == end {
			return at, nil, "expected white space before " + part.name
		}
		value, next := pseudo(doc, at+len(part.name))
		if !part.form.Match(value) {
			return at, nil, "the XML declaration's " + part.name + " is malformed"
		}
		if part.name == "encoding" {
			encoding = value
		}
		end = next
	}
	end = blanks(doc, end)
	if !bytes.HasPrefix(doc[end:], []byte("?>")) {
		return end, nil, "expected ?> at the end of the XML declaration"
	}
	return end + len("?>"), encoding, ""
}

// pseudo reads the = and the quoted value of a pseudo-attribute from offset i on. It returns the value, nil
// if malformed, and the offset behind it.
func pseudo(doc []byte, i int) (value []byte, end int) {
	i = blanks(doc, i)
	if i == len(doc) || doc[i] != '=' {
		return nil, i
	}
	i = blanks(doc, i+1)
	if i == len(doc) || doc[i] != '"' && doc[i] != '\'' {
		return nil, i
	}
	length := bytes.IndexByte(doc[i+1:], doc[i])
	if length < 0 {
		return nil, i
	}
	return doc[i+1 : i+1+length], i + length + 2
}
