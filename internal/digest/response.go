package digest

import (
	"crypto/md5"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
)

// An algorithm is one of the two hash functions that are offered.
type algorithm int

const (
	md5Digest algorithm = iota
	sha256Digest
)

// maxSum is the size of the longest hash.
const maxSum = sha256.Size

// String returns the name of the algorithm in headers.
func (a algorithm) String() string {
	if a == sha256Digest {
		return "SHA-256"
	}
	return "MD5"
}

func (a algorithm) size() int {
	if a == sha256Digest {
		return sha256.Size
	}
	return md5.Size
}

// appendSum appends the hash of data.
func (a algorithm) appendSum(dst, data []byte) []byte {
	if a == sha256Digest {
		sum := sha256.Sum256(data)
		return append(dst, sum[:]...)
	}
	sum := md5.Sum(data)
	return append(dst, sum[:]...)
}

// A Triple is what a client may use once: a nonce of the server's, the client's count of requests with it, and a nonce
// of the client's own.
type Triple struct{ Nonce, NC, CNonce string }

// Key returns a hash of the triple, for a store that keeps used triples for all nodes.
func (t Triple) Key() [sha256.Size]byte {
	var space [textSize]byte
	return sha256.Sum256(t.append(space[:0]))
}

func (t Triple) append(dst []byte) []byte {
	dst = append(dst, t.Nonce...)
	dst = append(dst, ':')
	dst = append(dst, t.NC...)
	dst = append(dst, ':')
	return append(dst, t.CNonce...)
}

// textSize is room for the texts that are hashed, for all but very long ones without an allocation.
const textSize = 512

// A proof is a password's hash that gave the right response, with which the server shows in turn that it knows it.
type proof struct {
	algorithm algorithm
	secret    *Secret
	form      int
	uri       string
}

// match reports whether a response is right, and by which form of the password. It tries all forms every time
// and compares in constant time.
func (s *Secret) match(c *credentials, method string) (p proof, right bool) {
	p = proof{algorithm: c.algorithm, secret: s, uri: c.uri}
	response := c.response[:c.algorithm.size()]
	var space [2 * maxSum]byte
	target := c.algorithm.appendTarget(space[:0], method, c.uri)
	matched := 0
	for form := range forms {
		var sum [maxSum]byte
		want := c.algorithm.appendResponse(sum[:0], s.hash(c.algorithm, form), c.Triple, target)
		same := subtle.ConstantTimeCompare(want, response)
		p.form = subtle.ConstantTimeSelect(same, form, p.form)
		matched |= same
	}
	return p, matched == 1
}

// answer returns rspauth, which is the response that the server itself would give, without a method.
func (p proof) answer(t Triple) []byte {
	var space [2 * maxSum]byte
	target := p.algorithm.appendTarget(space[:0], "", p.uri)
	return p.algorithm.appendResponse(nil, p.secret.hash(p.algorithm, p.form), t, target)
}

// appendTarget appends the hexadecimal form of H(method:uri), which RFC 7616 calls H(A2).
func (a algorithm) appendTarget(dst []byte, method, uri string) []byte {
	var space [textSize]byte
	text := append(space[:0], method...)
	text = append(text, ':')
	text = append(text, uri...)
	var sum [maxSum]byte
	return hex.AppendEncode(dst, a.appendSum(sum[:0], text))
}

// appendResponse appends H(secret:nonce:nc:cnonce:qop:target), where secret is in hexadecimal form too.
func (a algorithm) appendResponse(dst, secret []byte, t Triple, target []byte) []byte {
	var space [textSize]byte
	text := hex.AppendEncode(space[:0], secret)
	text = append(text, ':')
	text = t.append(text)
	text = append(text, ":auth:"...)
	text = append(text, target...)
	return a.appendSum(dst, text)
}
