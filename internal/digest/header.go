package digest

import (
	"errors"
	"strings"
)

const (
	maxHeader = 16 << 10
	maxParams = 32
	maxName   = 320
	maxCNonce = 256
)

var (
	errLong     = errors.New("the Authorization field is too long")
	errSyntax   = errors.New("the Authorization field does not parse")
	errRepeated = errors.New("a repeated parameter")
	errMany     = errors.New("too many parameters")
)

type param struct{ name, value string }

// params are the parameters of an Authorization field as they were sent, with their names in lower case and
// their values without quotes. No name occurs twice.
type params struct {
	list [maxParams]param
	n    int
}

// get returns the value of a parameter and whether it was sent.
func (p *params) get(name string) (string, bool) {
	for i := range p.list[:p.n] {
		if p.list[i].name == name {
			return p.list[i].value, true
		}
	}
	return "", false
}

// cutScheme returns what follows the scheme, and whether the scheme is Digest.
func cutScheme(field string) (rest string, ok bool) {
	const scheme = "Digest"
	if len(field) < len(scheme) || !strings.EqualFold(field[:len(scheme)], scheme) {
		return "", false
	}
	rest = field[len(scheme):]
	return rest, rest == "" || isBlank(rest[0])
}

// parse reads a comma-separated list of name=value, in which a value is a token or a quoted string. As in every list of
// HTTP, blanks may stand around the separators and elements may be empty.
func (p *params) parse(s string) error {
	if len(s) > maxHeader {
		return errLong
	}
	for {
		for s = skipBlanks(s); s != "" && s[0] == ','; {
			s = skipBlanks(s[1:])
		}
		if s == "" {
			return nil
		}
		rest, err := p.parseOne(s)
		if err != nil {
			return err
		}
		if s = skipBlanks(rest); s != "" && s[0] != ',' {
			return errSyntax
		}
	}
}

// parseOne reads one name=value and returns what follows it.
func (p *params) parseOne(s string) (rest string, err error) {
	name, rest := cutToken(s)
	rest = skipBlanks(rest)
	if name == "" || rest == "" || rest[0] != '=' {
		return "", errSyntax
	}
	value, rest, ok := cutValue(skipBlanks(rest[1:]))
	if !ok {
		return "", errSyntax
	}
	name = strings.ToLower(name)
	if _, repeated := p.get(name); repeated {
		return "", errRepeated
	}
	if p.n == maxParams {
		return "", errMany
	}
	p.list[p.n] = param{name, value}
	p.n++
	return rest, nil
}

func cutValue(s string) (value, rest string, ok bool) {
	if s != "" && s[0] == '"' {
		return cutQuoted(s[1:])
	}
	value, rest = cutToken(s)
	return value, rest, value != ""
}

// cutQuoted reads a quoted string after its opening quote.
func cutQuoted(s string) (value, rest string, ok bool) {
	escaped := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			value = s[:i]
			if escaped {
				value = unescape(value)
			}
			return value, s[i+1:], true
		case c == '\\':
			escaped = true
			i++
			if i == len(s) || isControl(s[i]) {
				return "", "", false
			}
		case isControl(c):
			return "", "", false
		}
	}
	return "", "", false
}

// unescape takes the backslashes out of a quoted string.
func unescape(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}

// appendQuoted appends s as a quoted string. It is the inverse of cutQuoted.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}

func cutToken(s string) (token, rest string) {
	i := 0
	for i < len(s) && isToken[s[i]] {
		i++
	}
	return s[:i], s[i:]
}

// isToken says of each byte whether a token of HTTP may contain it.
var isToken = func() (set [256]bool) {
	for _, c := range "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		set[c] = true
	}
	return set
}()

func skipBlanks(s string) string {
	for s != "" && isBlank(s[0]) {
		s = s[1:]
	}
	return s
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isControl(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f }
