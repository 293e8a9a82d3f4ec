package mapping

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// sortedBy is how many characters of a long text lists are sorted by.
const sortedBy = 255

// Fold returns the form of a text that is compared and sorted by, so that case
// makes no difference: full Unicode case folding of NFC, then NFC again. It is
// made here, since the databases do not agree on case.
func Fold(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return norm.NFC.String(cases.Fold().String(norm.NFC.String(text)))
		}
	}
	return strings.ToLower(text)
}

// Fold returns a text as its column holds it. Of a long one that lists are only
// sorted by, that is its beginning: it would be stored twice else.
func (c Column) Fold(text string) string {
	folded := Fold(c.Field.Trim(text))
	if !c.Field.Long || c.Field.Filtered || c.Field.Unique {
		return folded
	}
	left := sortedBy
	for i := range folded {
		if left == 0 {
			return folded[:i]
		}
		left--
	}
	return folded
}

// successor returns the least text that is greater than all that begin with
// prefix, or "" when there is none.
func successor(prefix string) string {
	for prefix != "" {
		last, size := utf8.DecodeLastRuneInString(prefix)
		prefix = prefix[:len(prefix)-size]
		if last++; last == 0xD800 { // surrogates are no characters
			last = 0xE000
		}
		if last <= utf8.MaxRune {
			return prefix + string(last)
		}
	}
	return ""
}
