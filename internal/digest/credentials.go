package digest

import (
	"encoding/hex"
	"errors"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// credentials are what a response says, once it keeps the rules that can be judged without the request.
type credentials struct {
	Triple
	name, realm, uri string

	algorithm algorithm
	response  [maxSum]byte // as many bytes as the algorithm gives
}

var (
	errNoName     = errors.New("no username")
	errTwoNames   = errors.New("username* beside username")
	errName       = errors.New("username is too long or not text")
	errUserhash   = errors.New("userhash was not offered")
	errIncomplete = errors.New("no realm, uri or cnonce")
	errCNonce     = errors.New("cnonce is too long")
	errQOP        = errors.New("qop is not auth")
	errNC         = errors.New("nc is neither 8 hexadecimal digits nor 0")
	errResponse   = errors.New("response is not a hash of its algorithm")
)

// credentials checks the parameters against the rules. Beside an error it returns the name, if that is in order.
func (p *params) credentials() (c credentials, err error) {
	if c.name, err = p.username(); err != nil {
		return c, err
	}
	if userhash, sent := p.get("userhash"); sent && !strings.EqualFold(userhash, "false") {
		return c, errUserhash
	}
	if qop, _ := p.get("qop"); qop != "auth" {
		return c, errQOP
	}
	var realm, uri, cnonce bool
	c.Nonce, _ = p.get("nonce")
	c.realm, realm = p.get("realm")
	c.uri, uri = p.get("uri")
	c.CNonce, cnonce = p.get("cnonce")
	if !realm || !uri || !cnonce {
		return c, errIncomplete
	}
	if len(c.CNonce) > maxCNonce {
		return c, errCNonce
	}
	if c.NC, _ = p.get("nc"); !isCount(c.NC) {
		return c, errNC
	}
	if c.algorithm, err = p.algorithm(); err != nil {
		return c, err
	}
	return c, c.readResponse(p)
}

// username returns the name, which may come as username* in UTF-8 (RFC 8187) instead.
func (p *params) username() (string, error) {
	name, plain := p.get("username")
	extended, ext := p.get("username*")
	switch {
	case plain && ext:
		return "", errTwoNames
	case !plain && !ext:
		return "", errNoName
	case ext:
		charset, value, _ := strings.Cut(extended, "'")
		_, value, ok := strings.Cut(value, "'") // between the quotes stands a language
		decoded, err := url.PathUnescape(value)
		if !ok || err != nil || !strings.EqualFold(charset, "UTF-8") {
			return "", errName
		}
		name = decoded
	}
	if len(name) > maxName || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return "", errName
	}
	return name, nil
}

// algorithm returns the algorithm of the response, MD5 when none is named.
func (p *params) algorithm() (algorithm, error) {
	name, sent := p.get("algorithm")
	switch {
	case !sent, strings.EqualFold(name, md5Digest.String()):
		return md5Digest, nil
	case strings.EqualFold(name, sha256Digest.String()):
		return sha256Digest, nil
	}
	return 0, errNotOffered
}

func (c *credentials) readResponse(p *params) error {
	response, _ := p.get("response")
	if len(response) != hex.EncodedLen(c.algorithm.size()) {
		return errResponse
	}
	if _, err := hex.Decode(c.response[:], []byte(response)); err != nil {
		return errResponse
	}
	return nil
}

// isCount reports whether nc is 8 hexadecimal digits, or the single 0 of a stock Ruby client.
func isCount(nc string) bool {
	if nc == "0" {
		return true
	}
	for _, c := range []byte(nc) {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return len(nc) == 8
}

// takeRaw accepts a target with backslashes from clients that send and hash it as it is instead of escaping it, such as
// curl: then the uri, read as the quoted string that it should be, has lost them.
func (c *credentials) takeRaw(target string) bool {
	if !strings.Contains(target, `\`) || strings.HasSuffix(target, `\`) || unescape(target) != c.uri {
		return false
	}
	c.uri = target
	return true
}
