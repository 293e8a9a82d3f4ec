package report

import (
	"math"
	"strconv"
	"strings"
	"time"

	"muster/internal/kind"
)

// number reads a number that is not negative, without its fraction. Anything else is null.
func number(text string) kind.Int {
	whole, fraction, _ := strings.Cut(text, ".")
	if n, err := strconv.ParseUint(whole, 10, 63); err == nil && digits(fraction) {
		return kind.Some(int64(n))
	}
	f, err := strconv.ParseFloat(text, 64)
	if text == "" || err != nil || !(f >= 0 && f < math.MaxInt64) {
		return kind.Int{}
	}
	return kind.Some(int64(f))
}

func digits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// day reads a date as agents write it: dd/mm/yyyy, yyyy/mm/dd or yyyy-mm-dd, perhaps with a time behind a blank or a T.
// Anything else is no date.
func day(text string) time.Time {
	if len(text) < 10 || len(text) > 10 && text[10] != ' ' && text[10] != 'T' {
		return time.Time{}
	}
	var y, m, d string
	switch {
	case text[2] == '/' && text[5] == '/':
		d, m, y = text[0:2], text[3:5], text[6:10]
	case text[4] == '/' && text[7] == '/' || text[4] == '-' && text[7] == '-':
		y, m, d = text[0:4], text[5:7], text[8:10]
	}
	year, month, date := small(y), small(m), small(d)
	t := time.Date(year, time.Month(month), date, 0, 0, 0, 0, time.UTC)
	if year < 1 || t.Day() != date || t.Month() != time.Month(month) { // there is no such day
		return time.Time{}
	}
	return t
}

// small returns a number of a few digits, -1 when it is none.
func small(text string) int {
	if text == "" || !digits(text) {
		return -1
	}
	n := 0
	for i := range len(text) {
		n = 10*n + int(text[i]-'0')
	}
	return n
}

// hasFold reports whether text contains part, which is in lower case, in any case of ASCII letters.
func hasFold(text, part string) bool { return indexFold(text, part) >= 0 }

func indexFold(text, part string) int {
	for i := 0; i+len(part) <= len(text); i++ {
		if lower(text[i]) == part[0] && startsFold(text[i:], part) {
			return i
		}
	}
	return -1
}

// startsFold is hasFold at the beginning of text.
func startsFold(text, part string) bool {
	if len(text) < len(part) {
		return false
	}
	for i := range len(part) {
		if lower(text[i]) != part[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// oneLine returns text with every run of white space, no-break spaces too, as one blank, and none outside.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// words returns the set of the words of a list.
func words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
