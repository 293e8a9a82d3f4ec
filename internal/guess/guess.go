// Package guess recognises passwords that are guessed first: those that many people choose, and those that are
// made from words about their owner. It knows no users and no settings: the caller passes the words.
package guess

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

//go:embed common.txt
var text string

// common are the letters of passwords that many people choose.
var common = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			for word := range strings.FieldsSeq(line) {
				words[word] = true
			}
		}
	}
	return words
})

// IsCommon reports whether a password is one that many people choose, with whatever
// digits and marks: its letters, each repetition once, are those of a common one,
// also backwards or where digits stand for letters. Of one with hardly any letters it
// looks at the digits.
func IsCommon(password string) bool {
	plain := fold(password)
	all := only(plain, unicode.IsLetter)
	if all == "" {
		return isRow(once(only(plain, unicode.IsDigit)))
	}
	letters := once(all)
	if letters != all && len(letters) <= shortRow || len(letters) < shortRow &&
		isRow(once(only(plain, unicode.IsDigit))) {
		return true
	}
	stem := strings.TrimRightFunc(plain, func(r rune) bool { return !unicode.IsLetter(r) })
	unmasked := once(only(unmask(stem), unicode.IsLetter))
	return common()[letters] || common()[unmasked] || common()[backwards(unmasked)]
}

// backwards returns a text from its end to its beginning.
func backwards(text string) string {
	letters := []rune(text)
	slices.Reverse(letters)
	return string(letters)
}

// shortRow is how many letters or digits that are repeated are too few.
const shortRow = 4

// isRow reports whether digits are few that are repeated, or count up or down.
func isRow(digits string) bool {
	up, down := true, true
	for i := 1; i < len(digits); i++ {
		step := (digits[i] - digits[i-1] + 10) % 10
		up, down = up && step == 1, down && step == 9
	}
	return len(digits) <= shortRow || up || down
}

// Holds returns the first of some words that a password contains, "" for none. Words of less than four letters
// are in too many passwords: such a word is only returned when it is all letters of the password.
func Holds(password string, words ...string) string {
	within := only(fold(password), unicode.IsLetter)
	for _, word := range words {
		for _, part := range strings.FieldsFunc(fold(word), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if len([]rune(part)) >= 4 && strings.Contains(within, part) || once(within) == part {
				return part
			}
		}
	}
	return ""
}

// fold returns a text in lower case and without accents, in which full-width forms
// are plain ones.
func fold(text string) string {
	return only(norm.NFKD.String(cases.Fold().String(norm.NFKC.String(text))),
		func(r rune) bool { return !unicode.IsMark(r) })
}

// only returns the characters of a text that pass a test.
func only(text string, is func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if is(r) {
			return r
		}
		return -1
	}, text)
}

// unmask puts letters in the place of what people write for them.
var unmask = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s",
	"!", "i").Replace

// once returns the shortest text that a text repeats, itself if it is none.
func once(text string) string {
	letters := []rune(text)
	for n := 1; n <= len(letters)/2; n++ {
		if len(letters)%n == 0 && strings.Repeat(string(letters[:n]), len(letters)/n) == text {
			return string(letters[:n])
		}
	}
	return text
}
