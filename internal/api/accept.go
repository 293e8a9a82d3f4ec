package api

import (
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"muster/internal/front"
	"muster/internal/kind"
)

// A form is how a document is served: its format, and whether the client asked
// for the version by name.
type form struct {
	format    kind.Format
	versioned bool
}

// mediaTypes are the types of a format: with the version, and without.
type mediaTypes struct {
	version string
	plain   []string
}

// served are the types in which documents are served. All are of version 1; a
// later one would stand beside it.
var served = [...]mediaTypes{
	kind.XML:  {"application/vnd.service.v1+xml", []string{"application/xml", "text/xml"}},
	kind.JSON: {"application/vnd.service.v1+json", []string{"application/json"}},
}

// contentType returns the header's value.
func (f form) contentType() string {
	if f.versioned {
		return contentTypes[f.format].version
	}
	return contentTypes[f.format].plain[0]
}

// contentTypes are the values of the Content-Type header: JSON is always UTF-8.
var contentTypes = func() (all [len(served)]mediaTypes) {
	all[kind.JSON] = served[kind.JSON]
	const utf8 = "; charset=utf-8"
	all[kind.XML] = mediaTypes{served[kind.XML].version + utf8, []string{served[kind.XML].plain[0] + utf8}}
	return all
}()

// negotiate chooses the form of the answer by the extension of the path and
// the Accept header (RFC 9110). Requests that name no version get the latest. JSON is for reading only.
func negotiate(r *http.Request) (form, error) {
	ext := path.Ext(r.URL.Path)
	chosen := form{}
	if ext == kind.JSON.Extension() {
		chosen.format = kind.JSON
	}
	ranges := parseAccept(r.Header)
	if len(ranges) == 0 {
		return chosen, nil
	}
	xml, json := ranges.offer(kind.XML), ranges.offer(kind.JSON)
	change := r.Method == http.MethodPost || r.Method == http.MethodPut || r.Method == http.MethodDelete
	if xml.q == 0 && (json.q == 0 || change) {
		return chosen, front.Fault(http.StatusNotAcceptable,
			"the Accept header names nothing that is served here: served are %s, all of version 1", typesServed(change))
	}
	if ext != kind.XML.Extension() && !change && json.isPreferredOver(xml) {
		chosen.format = kind.JSON
	}
	own := [...]offer{xml, json}[chosen.format]
	chosen.versioned = own.versioned || own.q == 0 && (xml.versioned || json.versioned)
	return chosen, nil
}

// typesServed lists the types for an error.
func typesServed(change bool) string {
	types := append([]string{served[kind.XML].version}, served[kind.XML].plain...)
	if !change {
		types = append(append(types, served[kind.JSON].version), served[kind.JSON].plain...)
	}
	return strings.Join(types[:len(types)-1], ", ") + " and " + types[len(types)-1]
}

// An offer is how much a client wants a format, whether it names it rather
// than a wildcard, and whether it wants the version in the type.
type offer struct {
	q                float64
	named, versioned bool
}

// isPreferredOver reports whether a client that takes both formats wants this one, which
// is not the usual one.
func (o offer) isPreferredOver(usual offer) bool {
	return o.q > 0 && (usual.q == 0 || o.named && (o.q > usual.q || o.q == usual.q && !usual.named))
}

// offer returns how much a format is wanted.
func (m mediaRanges) offer(f kind.Format) offer {
	version, named := m.quality(served[f].version)
	plain, plainNamed := m.quality(served[f].plain[0])
	for _, other := range served[f].plain[1:] {
		if q, named := m.quality(other); q >= plain && (named || !plainNamed) {
			plain, plainNamed = q, named
		}
	}
	switch {
	case named && version > 0 && (!plainNamed || version >= plain):
		return offer{version, true, true}
	case plain > 0:
		return offer{plain, plainNamed, false}
	}
	return offer{version, named, version > 0}
}

// mediaRanges are the members of an Accept header with their quality.
type mediaRanges map[string]float64

// parseAccept reads the Accept header. Members that do not parse are skipped.
func parseAccept(h http.Header) mediaRanges {
	given := h["Accept"]
	if len(given) == 0 {
		return nil
	}
	ranges := mediaRanges{}
	for _, member := range splitQuoted(strings.Join(given, ",")) {
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
