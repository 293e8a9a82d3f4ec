package mapping

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// sortedBy is how many characters of a long text are used for sorting.
const sortedBy = 255

// Fold returns the form of a text by which it is compared and sorted, so that case makes no difference: full
// Unicode case folding of NFC, then NFC again. It is done here, since the databases differ in how they treat
// case.
func Fold(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return norm.NFC.String(cases.Fold().String(norm.NFC.String(text)))
		}
	}
	return strings.ToLower(text)
}

// Fold returns a text as its column stores it. For a long one that is only used for sorting, that is its
// beginning.
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

// successor returns the smallest text that is greater than all texts with a prefix, or "" when there is none.
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
