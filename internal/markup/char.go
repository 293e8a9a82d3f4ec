package markup

import "unicode/utf8"

// Each byte has a set of classes. A stop class is the set of bytes at which a scan of that sort of data must
// stop and look closer; control characters and bytes of multi-byte characters are in all of them.
const (
	blank     uint8 = 1 << iota // white space
	nameStart                   // ASCII that begins a name
	namePart                    // ASCII inside a name
	textStop
	valueStop // attribute values
	dataStop  // CDATA sections, comments, processing instructions
	quoteStop // what AppendText cannot write as it is
)

const everyStop = textStop | valueStop | dataStop | quoteStop

var classes = func() (t [256]uint8) {
	set := func(class uint8, chars string) {
		for i := range len(chars) {
			t[chars[i]] |= class
		}
	}
	for c := range t {
		if c < ' ' || c >= utf8.RuneSelf {
			t[c] = everyStop
		}
	}
	for _, c := range "\t\n\r" {
		t[c] = 0
	}
	set(blank, " \t\n\r")
	set(nameStart|namePart, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")
	set(namePart, "0123456789-.")
	set(textStop, "<&\r]")
	set(valueStop, "<&\t\n\r\"'")
	set(dataStop, "\r")
	set(quoteStop, "<>&\r")
	return t
}()

// span returns the offset of the first byte from i on that is in a class, or the document's length.
func span(doc []byte, i int, class uint8) int {
	for n, c := range doc[i:] {
		if classes[c]&class != 0 {
			return i + n
		}
	}
	return len(doc)
}

// blanks returns the offset of the first byte from i on that is not white space, or the document's length.
func blanks(doc []byte, i int) int {
	for n, c := range doc[i:] {
		if classes[c]&blank == 0 {
			return i + n
		}
	}
	return len(doc)
}

// IsChar reports whether XML 1.0 allows a character.
func IsChar(c rune) bool {
	return c >= ' ' && c <= 0xD7FF || c == '\t' || c == '\n' || c == '\r' ||
		c >= 0xE000 && c <= 0xFFFD || c >= 0x10000 && c <= 0x10FFFF
}

// decode returns the character at the beginning of b, its length, and whether it is one that XML allows.
func decode(b []byte) (c rune, size int, ok bool) {
	c, size = utf8.DecodeRune(b)
	return c, size, IsChar(c) && (c != utf8.RuneError || size > 1)
}

// char returns the length of the character at offset i, and whether it must be replaced. A character that XML
// forbids is an error when the reader does not replace.
func (r *Reader) char(i int) (size int, bad bool, err error) {
	c, size, ok := decode(r.doc[i:])
	switch {
	case ok:
		return size, false, nil
	case r.replace:
		return size, true, nil
	case c == utf8.RuneError:
		return 0, false, r.fail(i, "byte %#02x is not UTF-8", r.doc[i])
	}
	return 0, false, r.fail(i, "character %U is not allowed", c)
}
