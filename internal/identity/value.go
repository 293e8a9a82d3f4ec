// Package identity recognises computers and printers by their identifiers. Serial numbers, UUIDs and MAC
// addresses become keys that can be compared, unless they are junk: values that many computers share. Compare
// decides whether a report can be from a known computer. Reading reports does not belong here, nor does storing
// keys.
package identity

import (
	"slices"
	"strings"
	"unicode"
)

// Fold returns the letters and digits of a value in lower case, for comparing.
func Fold(value string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, value)
}

// monotone reports whether a value is one character alone, however often: zeros,
// mostly.
func monotone(value string) bool { return value == "" || strings.Trim(value, value[:1]) == "" }

// Serial returns a serial number for comparing, "" when it is junk.
func Serial(serial string) string {
	key := Fold(serial)
	if monotone(key) || known.serials[key] {
		return ""
	}
	return key
}

// AssetTag returns the number that a computer's owner wrote into its firmware, ""
// when nobody did.
func AssetTag(tag string) string {
	if key := Fold(tag); monotone(key) || known.serials[key] || known.tags[key] {
		return ""
	}
	return tag
}

// Maker returns the name of a manufacturer for comparing, the same for all names
// that it is known to have.
func Maker(name string) string {
	key := Fold(name)
	if own := known.makers[key]; own != "" {
		return own
	}
	return key
}

// Spellings returns the keys of all names of a maker. Databases of earlier
// versions have them.
func Spellings(maker string) []string {
	if all := known.spellings[maker]; all != nil {
		return all
	}
	return []string{maker}
}

// UUID returns a UUID in lower case, and the same with its first three groups in
// the other byte order, as which another agent of the same computer may know it.
// Both are "" when it is junk or malformed.
func UUID(uuid string) (key, swapped string) {
	key = strings.ToLower(uuid)
	if !wellFormed(key) || monotone(strings.ReplaceAll(key, "-", "")) || known.uuids[key] {
		return "", ""
	}
	return key, Swapped(key)
}

// ReadUUID returns a UUID in lower case, also one that is junk; it is not ok when
// it is malformed.
func ReadUUID(text string) (key string, ok bool) {
	key = strings.ToLower(text)
	return key, wellFormed(key)
}

// Swapped returns a UUID with the bytes of its first three groups in the other
// order.
func Swapped(u string) string {
	return u[6:8] + u[4:6] + u[2:4] + u[0:2] + "-" + u[11:13] + u[9:11] + "-" + u[16:18] + u[14:16] + u[18:]
}

// wellFormed reports whether text is a UUID in lower case.
func wellFormed(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f'):
			return false
		}
	}
	return true
}

// MAC returns a MAC that is written with colons or hyphens in upper case with
// colons.
func MAC(text string) (mac string, ok bool) {
	if len(text) != len("00:00:00:00:00:00") {
		return "", false
	}
	same := true
	for i := range len(text) {
		c := text[i]
		switch {
		case i%3 == 2 && c != ':' && c != '-', i%3 != 2 && !hexDigit(c):
			return "", false
		case c == '-' || c >= 'a':
			same = false
		}
	}
	if same {
		return text, true
	}
	return strings.ToUpper(strings.ReplaceAll(text, "-", ":")), true
}

// ReadMAC is MAC for one that may be cut behind its third byte or a later one.
func ReadMAC(text string) (start string, ok bool) {
	const zero = "00:00:00:00:00:00"
	if len(text) < len("00:00:00") || len(text) > len(zero) || len(text)%3 != 2 {
		return "", false
	}
	mac, ok := MAC(text + zero[len(text):])
	if !ok {
		return "", false
	}
	return mac[:len(text)], true
}

func hexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// GoodMAC reports whether a MAC is one that a maker gives once: neither for a
// group, nor locally administered, nor junk.
func GoodMAC(text string) bool {
	mac, ok := MAC(text)
	if !ok || strings.IndexByte("048C", mac[1]) < 0 { // the lowest two bits of the first byte
		return false
	}
	return !slices.ContainsFunc(known.macs, func(start string) bool { return strings.HasPrefix(mac, start) })
}

// Movable reports whether an adapter with a name serves one computer today and
// another tomorrow, such as one in a dock.
func Movable(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(known.adapters, func(word string) bool { return strings.Contains(name, word) })
}
