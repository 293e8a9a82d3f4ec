package desk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxName is the longest name of a token in characters.
const MaxName = 255

// IsNumber reports whether a text can be meant as an id, also one that there
// cannot be.
func IsNumber(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// IsLine reports whether a text of a command is one line. What is no UTF-8 has
// become U+FFFD on its way.
func IsLine(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) })
}

// OneLine returns the beginning of a text that a client has sent, as one line.
func OneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if !IsLine(string(r)) {
			return -1
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > MaxName {
		text = string(runes[:MaxName])
	}
	return text
}
