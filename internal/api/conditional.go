package api

import (
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"muster/internal/kind"
)

// An entity tag says whether a document is the one that a client has. It is
// strong: a checksum of the body or of all that it is made of, which differs by
// format and by what the caller may see. The tag of a record begins with its id
// and version, which conditional changes are compared with. So a change of what a
// caller may not see must not raise the version.

// entityTag returns the tag of a document, and of its compressed form; of is the
// record that it is, "" for others.
func entityTag(of string, sum kind.Sum, zip bool) string {
	tag := append(append(make([]byte, 0, 80), '"'), of...)
	tag = hex.AppendEncode(tag, sum[:])
	if zip {
		tag = append(tag, "-gzip"...)
	}
	return string(append(tag, '"'))
}

// recordTag returns how the tags of a record in one version begin.
func recordTag(id, version int64) string {
	tag := append(strconv.AppendInt(make([]byte, 0, 48), id, 10), '-')
	return string(append(strconv.AppendInt(tag, version, 10), '.'))
}

// unchanged reports whether a client that reads has the document already.
func unchanged(r *http.Request, tag string) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	for _, given := range tags(r.Header, "If-None-Match") {
		if given == "*" || strings.TrimPrefix(given, "W/") == tag {
			return true
		}
	}
	return false
}

// expected returns the condition that a change sets on the version of the record
// with the given id, nil when it sets none. What stands behind the version is no
// matter: another format shows the same record.
func expected(h http.Header, id int64) func(version int64) bool {
	match, none := tags(h, "If-Match"), tags(h, "If-None-Match")
	if match == nil && none == nil {
		return nil
	}
	return func(version int64) bool {
		is := func(tag string) bool {
			return tag == "*" || strings.HasPrefix(strings.TrimPrefix(tag, "W/"), `"`+recordTag(id, version))
		}
		return (match == nil || slices.ContainsFunc(match, is)) && !slices.ContainsFunc(none, is)
	}
}

// tags returns the members of a header of entity tags, nil when there is none.
func tags(h http.Header, name string) []string {
	values := h.Values(name)
	if len(values) == 0 {
		return nil
	}
	members := splitQuoted(strings.Join(values, ","))
	for i := range members {
		members[i] = strings.TrimSpace(members[i])
	}
	return members
}
