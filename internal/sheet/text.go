package sheet

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// windows1252 has the characters of the bytes 0x80 to 0x9f, in which Windows-1252
// differs from Unicode.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

// decode returns the text of a file: UTF-8 or UTF-16, by its byte order mark or by its content, and otherwise
// Windows-1252, which western Windows writes.
func decode(file []byte) string {
	switch {
	case bytes.HasPrefix(file, []byte("\xef\xbb\xbf")):
		return strings.ToValidUTF8(string(file[3:]), "\ufffd")
	case bytes.HasPrefix(file, []byte("\xff\xfe")):
		return decode16(file[2:], binary.LittleEndian)
	case bytes.HasPrefix(file, []byte("\xfe\xff")):
		return decode16(file[2:], binary.BigEndian)
	case len(file) >= 4 && file[1] == 0 && file[3] == 0:
		return decode16(file, binary.LittleEndian)
	case len(file) >= 4 && file[0] == 0 && file[2] == 0:
		return decode16(file, binary.BigEndian)
	case utf8.Valid(file):
		return string(file)
	}
	return decode1252(file)
}

func decode16(file []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(file)/2)
	for i := range units {
		units[i] = order.Uint16(file[2*i:])
	}
	return string(utf16.Decode(units))
}

func decode1252(file []byte) string {
	var b strings.Builder
	b.Grow(len(file) + len(file)/8)
	for _, c := range file {
		if c >= 0x80 && c < 0xa0 {
			b.WriteRune(windows1252[c-0x80])
			continue
		}
		b.WriteRune(rune(c))
	}
	return b.String()
}
