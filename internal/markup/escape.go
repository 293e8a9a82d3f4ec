package markup

import "unicode/utf8"

// AppendText appends s to b as the text of an element. Markup characters and carriage returns are escaped, so that a
// reader gets s back; characters that XML forbids and bytes that are not UTF-8 become U+FFFD.
func AppendText(b []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); {
		if classes[s[i]]&quoteStop == 0 {
			i++
			continue
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		if size > 1 && isChar(c) {
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
