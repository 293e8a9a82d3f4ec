// Package words splits text into the words that the search compares.
//
// The same code serves stored texts and queries, on both databases: these differ in how they split host names,
// addresses and umlauts, so neither of them parses text. It returns words or none for any input, never an
// error. Storing words and searching for them does not belong here, but in package store.
package words

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Longest is how many characters of a word are compared. The rest is cut off.
const Longest = 64

// rules is the version of this package's rules.
const rules = 1

// Version identifies how words are made. Words of another version must not be compared with these: the rules or
// the Unicode tables have changed.
func Version() string {
	return fmt.Sprintf("%d/%s/%s/%s", rules, unicode.Version, norm.Version, cases.UnicodeVersion)
}

// Of returns the words of a text in their order: runs of letters and digits, ignoring case and form (NFKC). For
// scripts without blanks between words it returns the pairs of adjacent characters, or a single one.
func Of(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		c := cutter{text: plain(text), yield: yield}
		for i, r := range c.text {
			if !c.next(i, sortOf(r)) {
				return
			}
		}
		c.end(len(c.text))
	}
}

// plain returns the normalised text, whose words are compared byte by byte.
func plain(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return norm.NFKC.String(bare(cases.Fold().String(norm.NFKC.String(text))))
		}
	}
	return strings.ToLower(text)
}

// bare removes what people neither see nor type: format characters, such as soft hyphens, and the dot that
// folding İ leaves on i.
func bare(text string) string {
	last := ' '
	return strings.Map(func(r rune) rune {
		dot := r == '\u0307' && last == 'i'
		if dot || r != zeroWidthSpace && unicode.In(r, unicode.Cf, unicode.Variation_Selector) {
			return -1
		}
		if unicode.Is(unicode.Cherokee, r) { // cases.Fold swaps its case, whichever it is
			r = unicode.ToUpper(r)
		}
		last = r
		return r
	}, text)
}

// zeroWidthSpace is a format character that separates words.
const zeroWidthSpace = '\u200B'

// A sort is the role of a character in a word.
type sort uint8

const (
	between sort = iota // separates words
	letter              // or digit
	mark                // belongs to the character before it
	dense               // a letter of a script without blanks between words
)

// firstDense is the first character of a dense script.
const firstDense = '\u0E00'

// soundMark is in no script, but stands in Japanese words.
const soundMark = 'ー'

func sortOf(r rune) sort {
	switch {
	case unicode.IsDigit(r):
		return letter // also one of a dense script
	case r == soundMark:
		return dense
	case unicode.IsMark(r):
		return mark
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		return between
	case r >= firstDense && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return dense
	}
	return letter
}

// A cutter splits a normalised text.
type cutter struct {
	text   string
	yield  func(string) bool
	open   sort // of the run that it is in
	from   int  // where the run begins, or the last dense character
	before int  // where the dense character before that begins
	paired bool // there is one
}

// next processes the character at i, and reports whether more words are wanted.
func (c *cutter) next(i int, s sort) bool {
	switch {
	case s == mark, s == letter && c.open == letter:
		return true
	case s == dense && c.open == dense:
		more := !c.paired || c.emit(c.before, i)
		c.before, c.paired, c.from = c.from, true, i
		return more
	}
	more := c.end(i)
	c.open, c.from, c.paired = s, i, false
	return more
}

// end ends the run before i.
func (c *cutter) end(i int) bool {
	switch {
	case c.open == between:
		return true
	case c.paired:
		return c.emit(c.before, i)
	}
	return c.emit(c.from, i)
}

// emit yields a word, cut to the longest.
func (c *cutter) emit(from, to int) bool {
	n := 0
	for i := range c.text[from:to] {
		if n++; n > Longest {
			to = from + i
			break
		}
	}
	return c.yield(c.text[from:to])
}
