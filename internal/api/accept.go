package api

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// A mediaType is a form in which documents are served.
type mediaType string

// The forms of version 1: without and with the version in the type.
const (
	plainXML mediaType = "application/xml"
	v1XML    mediaType = "application/vnd.service.v1+xml"
)

// contentType returns the header's value.
func (m mediaType) contentType() string { return string(m) + "; charset=utf-8" }

// negotiate chooses the form of the answer by the Accept header (RFC 9110).
// The latest version is served to those who name none.
func negotiate(h http.Header) (mediaType, error) {
	ranges := parseAccept(h)
	if len(ranges) == 0 {
		return plainXML, nil
	}
	version, named := ranges.quality(string(v1XML))
	plain, plainNamed := ranges.quality(string(plainXML))
	if text, textNamed := ranges.quality("text/xml"); text >= plain && (textNamed || !plainNamed) {
		plain, plainNamed = text, textNamed
	}
	switch {
	case named && version > 0 && (!plainNamed || version >= plain):
		return v1XML, nil
	case plain > 0:
		return plainXML, nil
	case version > 0:
		return v1XML, nil
	}
	return plainXML, fault(http.StatusNotAcceptable, "the Accept header names nothing that is served here: "+
		"served are %s, %s and text/xml, all of version 1", v1XML, plainXML)
}

// mediaRanges are the members of an Accept header with their quality.
type mediaRanges map[string]float64

// parseAccept reads the Accept header. Members that do not parse are skipped.
func parseAccept(h http.Header) mediaRanges {
	ranges := mediaRanges{}
	for _, member := range splitQuoted(strings.Join(h.Values("Accept"), ",")) {
		name, params, err := mime.ParseMediaType(member)
		if err != nil || !strings.Contains(name, "/") {
			continue
		}
		q := 1.0
		if text, ok := params["q"]; ok {
			if q, err = strconv.ParseFloat(text, 64); err != nil || !(q >= 0 && q <= 1) { // nor NaN
				continue
			}
		}
		ranges[name] = max(q, ranges[name])
	}
	return ranges
}

// splitQuoted splits a header at its commas outside of quoted strings.
func splitQuoted(text string) []string {
	var out []string
	quoted, from := false, 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quoted:
			i++
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ',' && !quoted:
			out = append(out, text[from:i])
			from = i + 1
		}
	}
	return append(out, text[from:])
}

// quality returns how much a type is wanted, by the most specific range that
// covers it, and whether it is named itself.
func (m mediaRanges) quality(name string) (q float64, named bool) {
	if q, ok := m[name]; ok {
		return q, true
	}
	main, _, _ := strings.Cut(name, "/")
	if q, ok := m[main+"/*"]; ok {
		return q, false
	}
	return m["*/*"], false
}
