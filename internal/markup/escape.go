package markup

import "unicode/utf8"

// AppendText appends s to b as the text of an element. Markup characters and carriage returns are escaped, so that a
// reader gets s back; characters that XML forbids and bytes that are not UTF-8 become U+FFFD.
func AppendText(b []byte, s string) []byte {
	from := 0
	for i := plainPrefix(s); i < len(s); {
		if classes[s[i]]&quoteStop == 0 {
			i++
			continue
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		if size > 1 && IsChar(c) {
			i += size
			continue
		}
		b = append(b, s[from:i]...)
		b = append(b, escape(c)...)
		i += size
		from = i
	}
	return append(b, s[from:]...)
}

// escape returns what stands for a character that cannot be written as it is.
func escape(c rune) string {
	switch c {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '\r':
		return "&#xD;"
	}
	return "\uFFFD"
}

// plainPrefix returns how many bytes at the beginning of s can be written as they are, looking at eight at a
// time. It may stop too early, but not too late.
func plainPrefix(s string) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		// A subtraction sets the high bit of a byte that is less than what is subtracted.
		control := x - ones*' '
		ampersand := x ^ ones*'&' - ones
		angle := (x | ones*2) ^ ones*'>' - ones // < and > differ in that bit
		if (x|control|ampersand|angle)&highs != 0 {
			break
		}
	}
	return i
}
