package markup

import (
	"bytes"
	"unicode/utf8"
)

// reference resolves the reference at offset i of doc, which ends where the reference must have ended. It returns the
// character and the offset behind the reference.
func (r *Reader) reference(doc []byte, i int) (rune, int, error) {
	length := bytes.IndexByte(doc[i:], ';')
	if length < 0 {
		return 0, 0, r.fail(i, "& does not begin a reference")
	}
	end := i + length + 1
	body := doc[i+1 : end-1]
	if bytes.HasPrefix(body, []byte("#")) {
		c, err := r.charReference(i, body[1:])
		return c, end, err
	}
	if c := entity(body); c != 0 {
		return c, end, nil
	}
	if len(body) > 0 && nameEnd(body, 0) == len(body) {
		return 0, 0, r.fail(i, "entity &%s; is not known", brief(body))
	}
	return 0, 0, r.fail(i, "& does not begin a reference")
}

// charReference resolves a character reference at offset i by what it has behind the #.
func (r *Reader) charReference(i int, digits []byte) (rune, error) {
	c, ok := number(digits)
	switch {
	case !ok:
		return 0, r.fail(i, "a character reference is malformed")
	case IsChar(c):
		return c, nil
	case r.replace:
		return utf8.RuneError, nil
	}
	return 0, r.fail(i, "character reference &#%s; is not allowed", brief(digits))
}

// entity returns the character of one of the five entities that XML predefines, or 0.
func entity(name []byte) rune {
	switch string(name) {
	case "amp":
		return '&'
	case "lt":
		return '<'
	case "gt":
		return '>'
	case "quot":
		return '"'
	case "apos":
		return '\''
	}
	return 0
}

// number reads a decimal number, or a hexadecimal one behind an x. What is beyond Unicode comes out as some
// number beyond Unicode.
func number(digits []byte) (rune, bool) {
	base := rune(10)
	if bytes.HasPrefix(digits, []byte("x")) {
		base, digits = 16, digits[1:]
	}
	n := rune(0)
	for _, c := range digits {
		d := digit(c)
		if d >= base {
			return 0, false
		}
		n = min(n*base+d, utf8.MaxRune+1)
	}
	return n, len(digits) > 0
}

// digit returns the value of a hexadecimal digit, or 16 for anything else.
func digit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10
	}
	return 16
}
