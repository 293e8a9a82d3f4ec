package digest

import (
	"encoding/hex"
	"net/http"
	"strings"
)

// Challenge adds the WWW-Authenticate lines to the header of a 401 answer, one for each algorithm that is offered.
// Stale says that the client's response was right, so that it tries again without asking its user.
func (s *Server) Challenge(h http.Header, userAgent string, stale bool) {
	nonce := s.newNonce()
	for _, a := range s.offered(userAgent) {
		h.Add("WWW-Authenticate", s.challenge(a, nonce, stale))
	}
}

// offered returns what a user agent is offered: SHA-256 first and MD5 second, or MD5 alone if it fails when SHA-256 is
// offered; SHA-256 alone where MD5 is switched off. What is not offered to a user agent is refused from it too.
func (s *Server) offered(userAgent string) []algorithm {
	switch {
	case !s.md5():
		return algorithms[:1]
	case onlyMD5(userAgent):
		return algorithms[1:]
	}
	return algorithms
}

// algorithms are those that there are, the better one first.
var algorithms = []algorithm{sha256Digest, md5Digest}

// onlyMD5 reports whether a user agent is offered MD5 alone, where there is MD5.
func onlyMD5(userAgent string) bool {
	return userAgent == "Ruby" || strings.HasPrefix(userAgent, "Python-urllib/")
}

func (s *Server) challenge(a algorithm, nonce string, stale bool) string {
	b := append(make([]byte, 0, 160), "Digest realm="...)
	b = appendQuoted(b, s.realm)
	b = append(b, `, nonce="`...)
	b = append(b, nonce...)
	b = append(b, `", algorithm=`...)
	b = append(b, a.String()...)
	b = append(b, `, qop="auth"`...)
	if stale {
		b = append(b, ", stale=true"...)
	}
	return string(b)
}

// Inform sets the Authentication-Info header of the answer to a verified request: the proof that the server knows the
// password too, and the next nonce shortly before the present one ends. It does nothing for other results.
func (s *Server) Inform(h http.Header, r Result) {
	if r.Outcome != Verified {
		return
	}
	b := append(make([]byte, 0, 256), `rspauth="`...)
	b = hex.AppendEncode(b, r.proof.answer(r.Triple))
	b = append(b, `", qop=auth, nc=`...)
	b = append(b, r.NC...)
	b = append(b, ", cnonce="...)
	b = appendQuoted(b, r.CNonce)
	if r.NextNonce != "" {
		b = append(b, `, nextnonce="`...)
		b = append(b, r.NextNonce...)
		b = append(b, '"')
	}
	h.Set("Authentication-Info", string(b))
}
