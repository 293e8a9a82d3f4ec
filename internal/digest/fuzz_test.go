package digest

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	ncPattern       = regexp.MustCompile(`^([0-9a-fA-F]{8}|0)$`)
	responsePattern = regexp.MustCompile(`(?i)response[ \t]*=[ \t]*"?([0-9a-f]+)`)
)

// FuzzAuthorization sends any header, in which RIGHT-SHA-256, RIGHT-MD5 and NONCE stand for right values. A request may
// be verified only if the response is one that the test computes itself, for what the request really is.
func FuzzAuthorization(f *testing.F) {
	const plain = `Digest username="ada@example.com", realm="Muster", nonce="NONCE", uri="/a?b=c", algorithm=SHA-256, ` +
		`response="RIGHT-SHA-256", qop=auth, nc=00000001, cnonce="xyz"`
	f.Add(plain, "GET", "/a?b=c", "00000001", "xyz")
	f.Add(strings.ReplaceAll(plain, "SHA-256", "MD5"), "POST", "/a?b=c", "00000001", "xyz")
	f.Add(strings.Replace(plain, `username="ada@`, `username*="UTF-8''ada%40`, 1), "GET", "/a?b=c", "00000001", "xyz")
	f.Add(strings.Replace(plain, `nc=00000001, cnonce="xyz"`, `nc="0", cnonce="a\"b"`, 1), "GET", "/a?b=c", "0", `a"b`)
	f.Add(strings.Replace(plain, `NONCE`, `old`, 1), "GET", "/a?b=c", "00000001", "xyz")
	f.Add(`Digest username="ada@example.com", nonce=""`, "GET", "/", "", "")
	f.Add("Bearer abc", "GET", "/", "", "")
	s, _ := newServer(f)
	f.Fuzz(func(t *testing.T, header, method, target, nc, cnonce string) {
		c := newCall(s.newNonce())
		c.method, c.target, c.nc, c.cnonce = method, target, nc, cnonce
		var right []string
		for _, algorithm := range []string{"SHA-256", "MD5"} {
			c.algorithm = algorithm
			right = append(right, c.response(method))
			header = strings.ReplaceAll(header, "RIGHT-"+algorithm, c.response(method))
		}
		header = strings.ReplaceAll(header, "NONCE", c.nonce)
		got := s.Authenticate(c.request(header))
		if got.Outcome != Verified {
			return
		}
		sent := responsePattern.FindStringSubmatch(header)
		switch {
		case got.Name != testUser || got.Triple != Triple{c.nonce, nc, cnonce} || !ncPattern.MatchString(nc):
			t.Errorf("%q: verified as %q with %v", header, got.Name, got.Triple)
		case sent == nil || !slices.Contains(right, strings.ToLower(sent[1])):
			t.Errorf("%q: verified, want the response to be one of %q", header, right)
		case s.Authenticate(c.request(header)).Outcome != Stale:
			t.Errorf("%q: not stale the second time", header)
		}
	})
}

// FuzzParse sees that what was parsed, written out again, parses to the same.
func FuzzParse(f *testing.F) {
	f.Add(` username="ada", nc=00000001,qop = auth , , x="a\"b\\c"`)
	f.Add(`a=b,a=b`)
	f.Add(`username*=UTF-8''%20, A="` + "\t\xff" + `"`)
	f.Fuzz(func(t *testing.T, text string) {
		var first, second params
		if first.parse(text) != nil {
			return
		}
		var b []byte
		seen := make(map[string]bool)
		for _, p := range first.list[:first.n] {
			if p.name == "" || seen[p.name] || p.name != strings.ToLower(p.name) ||
				strings.ContainsAny(p.value, "\r\n\x00") {
				t.Errorf("%q: got parameter %q = %q", text, p.name, p.value)
			}
			seen[p.name] = true
			b = append(b, p.name...)
			b = append(b, '=')
			b = appendQuoted(b, p.value)
			b = append(b, ", "...)
		}
		if err := second.parse(string(b)); err != nil && len(b) <= maxHeader || err == nil && first != second {
			t.Errorf("%q: written as %q, error %v", text, b, err)
		}
	})
}
