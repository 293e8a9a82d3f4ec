package markup

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The charsets, by the names that lower-case labels are looked up to.
const (
	inASCII   = "us-ascii"
	inLatin1  = "iso-8859-1"
	inWindows = "windows-1252"
	inUTF8    = "utf-8"
	inUTF16   = "utf-16"
	inUTF16BE = "utf-16be"
	inUTF16LE = "utf-16le"
)

var labels = map[string]string{
	"utf-8": inUTF8, "utf8": inUTF8,
	"us-ascii": inASCII, "ascii": inASCII, "ansi_x3.4-1968": inASCII, "iso646-us": inASCII,
	"iso-8859-1": inLatin1, "iso8859-1": inLatin1, "iso_8859-1": inLatin1, "latin1": inLatin1, "latin-1": inLatin1,
	"l1":           inLatin1,
	"windows-1252": inWindows, "cp1252": inWindows, "cp-1252": inWindows,
	"utf-16": inUTF16, "utf16": inUTF16, "utf-16be": inUTF16BE, "utf-16le": inUTF16LE,
}

// UTF8 brings a document into UTF-8. Its charset is known by a byte-order mark, else by the charset argument,
// which is that of a Content-Type and may be empty, else by the XML declaration; else it is UTF-8. A body in
// UTF-8 comes back as it is, but for the mark: whether its bytes are valid is for the Reader to say, which
// may replace what is not. An unknown charset is a *CharsetError, bytes that are not valid in another charset
// a *SyntaxError.
func UTF8(body []byte, charset string) ([]byte, error) {
	rest, marked := cutMark(body)
	switch {
	case marked != "":
		charset = marked
	case charset == "":
		charset = declaredCharset(body)
	}
	name, ok := labels[strings.ToLower(strings.TrimSpace(charset))]
	if !ok {
		return nil, &CharsetError{Name: charset}
	}
	switch name {
	case inUTF8:
		return rest, nil
	case inUTF16:
		return decodeUTF16(rest, guessUTF16(rest))
	case inUTF16BE:
		return decodeUTF16(rest, binary.BigEndian)
	case inUTF16LE:
		return decodeUTF16(rest, binary.LittleEndian)
	}
	return decodeBytes(rest, name)
}

// cutMark returns what follows a byte-order mark, and the charset that the mark stands for; or body when it has none.
func cutMark(body []byte) (rest []byte, charset string) {
	for _, m := range []struct{ mark, charset string }{
		{"\xEF\xBB\xBF", inUTF8}, {"\xFE\xFF", inUTF16BE}, {"\xFF\xFE", inUTF16LE},
	} {
		if rest, ok := bytes.CutPrefix(body, []byte(m.mark)); ok {
			return rest, m.charset
		}
	}
	return body, ""
}

// declaredCharset returns the charset by what the document itself begins with. A declaration that says UTF-16
// and can be read byte by byte is wrong about itself: stock .NET clients write such ones, in UTF-8.
func declaredCharset(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("<\x00")):
		return inUTF16LE
	case bytes.HasPrefix(body, []byte("\x00<")):
		return inUTF16BE
	case !declares(body):
		return inUTF8
	}
	_, encoding, _ := declaration(body)
	if len(encoding) == 0 || strings.HasPrefix(labels[strings.ToLower(string(encoding))], inUTF16) {
		return inUTF8
	}
	return string(encoding)
}

// guessUTF16 returns the byte order of UTF-16 without a mark: what lets the document begin with a <, else
// big-endian, as RFC 2781 has it.
func guessUTF16(body []byte) binary.ByteOrder {
	if len(body) > 1 && body[0] != 0 && body[1] == 0 {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

func decodeUTF16(body []byte, order binary.ByteOrder) ([]byte, error) {
	out := make([]byte, 0, len(body)/2+len(body)/8)
	for ; len(body) > 1; body = body[2:] {
		c := rune(order.Uint16(body))
		if utf16.IsSurrogate(c) {
			low := rune(0)
			if len(body) > 3 {
				low = rune(order.Uint16(body[2:]))
				body = body[2:]
			}
			if c = utf16.DecodeRune(c, low); c == utf8.RuneError {
				return nil, invalid(out, "half of a surrogate pair in UTF-16")
			}
		}
		out = utf8.AppendRune(out, c)
	}
	if len(body) > 0 {
		return nil, invalid(out, "half of a character in UTF-16")
	}
	return out, nil
}

// decodeBytes decodes a charset of one byte a character.
func decodeBytes(body []byte, charset string) ([]byte, error) {
	high := 0
	for _, c := range body {
		high += int(c >> 7)
	}
	if high == 0 {
		return body, nil
	}
	out := make([]byte, 0, len(body)+2*high)
	for _, c := range body {
		char := rune(c)
		switch {
		case charset == inASCII && c >= utf8.RuneSelf:
			char = utf8.RuneError
		case charset == inWindows && c >= 0x80 && c < 0xA0:
			char = c1[c-0x80]
		}
		if char == utf8.RuneError {
			return nil, invalid(out, fmt.Sprintf("byte %#02x is not %s", c, strings.ToUpper(charset)))
		}
		out = utf8.AppendRune(out, char)
	}
	return out, nil
}

// c1 is what Windows-1252 has in place of the control characters from 0x80 on. U+FFFD stands for none.
var c1 = []rune("€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ")

// invalid is the error for a character that cannot be decoded, behind those that could.
func invalid(decoded []byte, message string) error {
	p := place{line: 1, column: 1}.forward(decoded, len(decoded))
	return &SyntaxError{Line: p.line, Column: p.column, Message: message}
}
