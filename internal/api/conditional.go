package api

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

// An entity tag tells whether a document is the one that a client has. It is
// strong: a hash of the body, which differs by format and by what the caller
// may see; before it stands the version of a record, which conditional changes
// are held against.

// entityTag returns the tag of a body, and of its compressed form; version is 0
// for a document that is not one record's.
func entityTag(version int64, body []byte, zip bool) string {
	sum := sha256.Sum256(body)
	tag := hex.EncodeToString(sum[:12])
	if version > 0 {
		tag = strconv.FormatInt(version, 10) + "." + tag
	}
	if zip {
		tag += "-gzip"
	}
	return `"` + tag + `"`
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

// expected returns the condition that a change sets on the record's version,
// nil when it sets none. What stands behind the version is no matter: another
// format shows the same record.
func expected(h http.Header) func(version int64) bool {
	given := tags(h, "If-Match")
	if given == nil {
		return nil
	}
	return func(version int64) bool {
		for _, tag := range given {
			digits, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(tag, "W/"), `"`), ".")
			if tag == "*" || digits == strconv.FormatInt(version, 10) {
				return true
			}
		}
		return false
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
