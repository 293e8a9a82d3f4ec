// Package words cuts text into the words that a search compares.
//
// One cutter serves what is stored and what is asked, on every database:
// databases disagree on hosts, addresses and umlauts, so none of them parses
// text. Whatever it is given, it returns words or none, never an error.
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

// Longest is how many characters of a word count. The rest is cut off.
const Longest = 64

// rules counts the changes of what this package makes of a text.
const rules = 1

// Version names how words are made. Words of another version are not to be
// compared with these: the rules or the Unicode tables have changed.
func Version() string {
	return fmt.Sprintf("%d/%s/%s/%s", rules, unicode.Version, norm.Version, cases.UnicodeVersion)
}

// Of returns the words of a text in their order: runs of letters and digits,
// without regard to case and form (NFKC). Of scripts that put no blanks between
// words it returns the pairs of neighbouring characters, or a lone one.
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

// plain returns the text in which words are compared byte by byte.
func plain(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return norm.NFKC.String(bare(cases.Fold().String(norm.NFKC.String(text))))
		}
	}
	return strings.ToLower(text)
}

// bare leaves out what people neither see nor type: format characters, such as
// hyphens where a line may be broken, and the dot that folding İ leaves on i.
func bare(text string) string {
	last := ' '
	return strings.Map(func(r rune) rune {
		dot := r == '\u0307' && last == 'i'
		if dot || r != zeroWidthSpace && unicode.In(r, unicode.Cf, unicode.Variation_Selector) {
			return -1
		}
		if unicode.Is(unicode.Cherokee, r) { // which cases.Fold turns into the other case, whichever it is
			r = unicode.ToUpper(r)
		}
		last = r
		return r
	}, text)
}

// zeroWidthSpace is a format character that stands between words.
const zeroWidthSpace = '\u200B'

// A sort says what a character is to a word.
type sort uint8

const (
	between sort = iota // stands between words
	letter              // or digit
	mark                // belongs to what it follows
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

// A cutter walks through a plain text.
type cutter struct {
	text   string
	yield  func(string) bool
	open   sort // of the run that it is in
	from   int  // where the run begins, or the last dense character
	before int  // where the dense character before that begins
	paired bool // there is one
}

// next takes the character at i, and reports whether more words are wanted.
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

// emit hands out a word, cut to the longest.
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
